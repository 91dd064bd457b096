"""`webmcp-census build`."""

from pathlib import Path

import click

from census.optout import OptOut, opt_out_option
from census.progress import progress_bar
from census.run import Run


@click.command(
    "build",
    short_help="Make a release from RUNs: tables, summary, report.",
    epilog="\b\nExample, after `webmcp-census crawl targets.jsonl --out run`:\n  webmcp-census build run --out release",
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--out",
    required=True,
    metavar="RELEASE",
    type=click.Path(path_type=Path),
    help="Release folder to make; an earlier release there is replaced.",
)
@click.option("--release-version", metavar="YYYY.MM.N", help="Default: the month in which the crawl began, .0.")
@opt_out_option("Sites of which nothing is published but how many targets they had")
@click.option(
    "--previous",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="RELEASE",
    help="The last release: say what changed since, and hold the rates against it.",
)
@click.option(
    "--accept",
    multiple=True,
    metavar="band/RATE:REASON",
    help="Let a rate leave its band of the last release, for a reason that is published; may be repeated.",
)
@click.option(
    "--compatibility",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where `compat` wrote the compatibility matrix, when it is in no RUN.",
)
@click.option("--partial", is_flag=True, help="Build although targets are unfinished; the manifest says so.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def build_command(  # noqa: PLR0913, RUF100 -- one parameter for each option
    runs: tuple[Path, ...],
    out: Path,
    release_version: str | None,
    opt_out: Path | None,
    previous: Path | None,
    accept: tuple[str, ...],
    compatibility: Path | None,
    partial: bool,
    as_json: bool,
) -> None:
    """Make a release from the visits of one or more RUNs: tables, summary, report, card, changes.

    Exits 0 when the release is built, 2 when it could not be: an unfinished RUN, RUNs that do not belong
    together, or a folder that holds something else.
    """
    # Polars, SciPy and Altair take seconds to import; the other commands need not wait for them.
    from census.opened_release import open_release
    from census.release import build_release
    from census.release_folder import REPORT
    from census.report import headlines

    with progress_bar("Reading visits") as watch:
        summary = build_release(
            [Run(folder) for folder in runs],
            out,
            release_version=release_version,
            partial=partial,
            optout=OptOut.named_or_default(opt_out),
            previous=open_release(previous) if previous else None,
            compatibility=compatibility,
            accepted=accept,
            watch=watch,
        )
    if as_json:
        click.echo(summary.model_dump_json(indent=2))
    else:
        click.echo(headlines(summary))
        click.echo(f"Report: {out / REPORT}")
