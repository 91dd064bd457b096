"""`webmcp-census build`."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from census.optout import OPT_OUT_LIST, OptOut
from census.run import Run
from census.visit import Visit


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
@click.option(
    "--opt-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"Sites of which nothing but the outcome is published [default: {OPT_OUT_LIST}, if there].",
)
@click.option("--partial", is_flag=True, help="Build although targets are unfinished; the manifest says so.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def build_command(
    runs: tuple[Path, ...], out: Path, release_version: str | None, opt_out: Path | None, partial: bool, as_json: bool
) -> None:
    """Make a release from the visits of one or more RUNs: tables, summary, report.

    Exits 0 when the release is built, 2 when it could not be: an unfinished RUN, RUNs that do not belong
    together, or a folder that holds something else.
    """
    # Polars, SciPy and Altair take seconds to import; the other commands need not wait for them.
    from census.release import REPORT, build_release
    from census.report import headlines

    summary = build_release(
        [Run(folder) for folder in runs],
        out,
        release_version=release_version,
        partial=partial,
        optout=OptOut.named_or_default(opt_out),
        watch=_progress,
    )
    if as_json:
        click.echo(summary.model_dump_json(indent=2))
    else:
        click.echo(headlines(summary))
        click.echo(f"Report: {out / REPORT}")


def _progress(visits: Iterator[Visit], total: int) -> Iterable[Visit]:
    console = Console(stderr=True)
    return track(visits, "Reading visits", total=total, console=console, disable=not console.is_terminal)
