"""`webmcp-census site`."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from census.errors import CensusError
from census.optout import OPT_OUT_LIST, OptOut
from publish.site.corrections import CORRECTIONS


@click.command(
    "site",
    short_help="The static site of one or more releases.",
    epilog=(
        "\b\nExample, after `webmcp-census build run --out release`:\n"
        "  webmcp-census site release --out site\n"
        "then open site/index.html."
    ),
)
@click.argument(
    "releases", nargs=-1, required=True, metavar="RELEASE...", type=click.Path(path_type=Path, file_okay=False)
)
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder to make; an earlier site there is replaced.",
)
@click.option("--base-url", metavar="URL", help="Where it will be: for the feed and the badges, which leave the site.")
@click.option(
    "--opt-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"Sites that appear nowhere [default: {OPT_OUT_LIST}, if there].",
)
@click.option(
    "--corrections",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"What was published and was not so [default: {CORRECTIONS}, if there].",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was made as JSON.")
def site_command(  # noqa: PLR0913, RUF100 -- one parameter for each option
    releases: tuple[Path, ...],
    out: Path,
    base_url: str | None,
    opt_out: Path | None,
    corrections: Path | None,
    as_json: bool,
) -> None:
    """Make the site of the newest of the releases: look-up, entries, the picture; earlier ones give the history.

    Earlier releases of another schema are left out, and named. It is files only: it works from a disk, below any path,
    and without any other host. Exits 0 when it is made, 2 when it could not be: a release that cannot be read, that
    holds sites which opted out, or whose numbers its tables do not give.
    """
    from publish.site.content import open_content
    from publish.site.corrections import read_corrections
    from publish.site.generate import make_site

    if base_url is not None and not base_url.startswith(("https://", "http://")):
        raise CensusError(f"--base-url {base_url!r} is no http(s) URL; for example https://census.example/")
    content = open_content(releases, OptOut.named_or_default(opt_out))
    for each in content.left_out:
        click.echo(each.says, err=True)
    with _progress() as watch:
        made = make_site(
            content,
            out,
            base_url=base_url,
            corrections=read_corrections(corrections),
            watch=watch,
        )
    if as_json:
        left_out = [each._asdict() for each in content.left_out]
        click.echo(json.dumps({**made._asdict(), "left_out": left_out}))
    else:
        click.echo(f"{made.pages:,} pages, {made.entries:,} of them with tools and an entry of their own")
        click.echo(f"{made.files:,} files, {made.bytes / 1e6:.1f} MB")
        click.echo(f"Open {out / 'index.html'}")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("Writing entries")
        yield lambda done, total: progress.update(task, completed=done, total=total)
