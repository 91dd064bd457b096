"""`webmcp-census compat`: asks every build the same questions, and makes the matrix."""

from pathlib import Path

import click

from measure.browsers.command import CACHE_OPTION, LIST_OPTION
from measure.compatibility_data import CORRECTIONS, EXPECTED, FOLDER, MATRIX


@click.command(
    "compat",
    short_help="Ask browser builds what they do: the compatibility matrix.",
    epilog="\b\nExamples:\n  webmcp-census compat --all --out compat\n"
    "  webmcp-census compat --browser hs156 --browser /usr/bin/google-chrome --out compat",
)
@click.option(
    "--browser",
    "browsers",
    multiple=True,
    metavar="PATH",
    help="A browser to ask: a path, NAME=PATH, or a label of `browsers list`; may be repeated.",
)
@click.option("--all", "every", is_flag=True, help="Ask every build that is in the cache.")
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the answers with their evidence, and the matrix; a run that was stopped goes on here.",
)
@click.option("--only", multiple=True, metavar="ID", help="Ask only this behaviour or topic; may be repeated.")
@click.option(
    "--expected",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"What the newest build is expected to answer [default: {FOLDER / EXPECTED}].",
)
@click.option(
    "--published",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"The published matrix that the answers are held against [default: {FOLDER / MATRIX}, if there].",
)
@click.option(
    "--corrections",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"Published cells that were wrong, and why [default: {FOLDER / CORRECTIONS}].",
)
@click.option(
    "--publish", is_flag=True, help=f"When all is good: write {FOLDER / MATRIX} and reports/compatibility.md."
)
@click.option("--jobs", type=click.IntRange(1, 16), default=2, show_default=True, help="Builds that are asked at once.")
@LIST_OPTION
@CACHE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
def compat_command(  # noqa: PLR0913, RUF100 -- one parameter for each option
    browsers: tuple[str, ...],
    every: bool,
    out: Path,
    only: tuple[str, ...],
    expected: Path | None,
    published: Path | None,
    corrections: Path | None,
    publish: bool,
    jobs: int,
    data_file: Path | None,
    cache: Path | None,
    as_json: bool,
) -> int:
    """Put every behaviour's question to each build, and write the answers, their evidence and the matrix.

    A page that takes the browser down, or that never ends, is an answer; a question that a build can't be asked is
    `not_applicable`, with the reason. Exits 0 when every answer of the newest version is the expected one and no
    published cell moved without a correction, 1 otherwise (the cells are named), 2 when a question could not be put.
    """
    # The engines and their driver take a second to import; `--help` need not wait for them.
    from measure.compatibility.compat import Request, compat

    return compat(
        Request(
            browsers=browsers,
            every=every,
            out=out,
            only=only,
            expected=expected,
            published=published,
            corrections=corrections,
            publish=publish,
            jobs=jobs,
            data_file=data_file,
            cache=cache,
        ),
        as_json=as_json,
    )
