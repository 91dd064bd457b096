"""`webmcp-census browsers`: brings the builds that the compatibility matrix is made on."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from measure.browsers.build import ListedBuild, choose, read_builds
from measure.browsers.cache import Cache, default_cache
from measure.browsers.fetching import Fetched, Status, fetch
from measure.compatibility_data import BUILDS, FOLDER, compatibility_data

LIST_OPTION = click.option(
    "--list",
    "data_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"Builds, their versions and digests [default: {FOLDER / BUILDS}].",
)
CACHE_OPTION = click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the builds lie [default: webmcp-census/browsers in the user's cache folder].",
)


@click.group(
    "browsers",
    short_help="Fetch or list the builds of the compatibility matrix.",
    epilog="\b\nExample:\n  webmcp-census browsers fetch hs156 sp153\n  webmcp-census browsers list",
)
def browsers_group() -> None:
    """Fetch the browsers that `compat` asks: from Debian's packages and npm, through apt-get and npm.

    Nothing is installed: a build is unpacked into the cache, and only when its digest is the one that is listed.
    """


@browsers_group.command(
    "fetch",
    short_help="Bring builds into the cache.",
    epilog="\b\nExample:\n  webmcp-census browsers fetch sp153 sp152",
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@LIST_OPTION
@CACHE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print what became of each build as JSON.")
def fetch_command(names: tuple[str, ...], data_file: Path | None, cache: Path | None, as_json: bool) -> int:
    """Bring the builds of these names, or all of them, into the cache; about 90 MB each.

    A build that its source no longer has is said to be gone, and the others are brought all the same.
    Exits 0 when all of them are there, 1 when one is not.
    """
    builds = choose(read_builds(data_file or compatibility_data(BUILDS)), names)
    results = []
    for result in fetch(
        builds, Cache(cache or default_cache()), starting=lambda build: click.echo(f"fetching {build.label}", err=True)
    ):
        results.append(result)
        if not as_json:
            click.echo(_line(result))
    if as_json:
        click.echo(json.dumps([_plain(result) for result in results], indent=1))
    return int(any(result.executable is None for result in results))


@browsers_group.command(
    "list",
    short_help="Show the builds, and which of them are in the cache.",
    epilog="\b\nExample:\n  webmcp-census browsers list --json",
)
@LIST_OPTION
@CACHE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print the builds as JSON.")
def list_command(data_file: Path | None, cache: Path | None, as_json: bool) -> None:
    """Show every build of the data file, where it is from, and where it lies."""
    builds = read_builds(data_file or compatibility_data(BUILDS))
    where = Cache(cache or default_cache())
    if as_json:
        rows = [{**_named(build), "from": _source(build), "executable": _path(where, build)} for build in builds]
        click.echo(json.dumps(rows, indent=1))
        return
    for build in builds:
        click.echo(
            f"{build.label:<7} {build.name} {build.version}{' headless shell' if build.shell else ''}\n"
            f"        from {_source(build)}\n        {_path(where, build) or 'not fetched'}"
        )


def _line(result: Fetched) -> str:
    if result.executable is None:
        return f"{result.build.label:<7} {result.status.value}: {result.detail}"
    return f"{result.build.label:<7} {result.status.value}: {result.executable}"


def _plain(result: Fetched) -> dict[str, object]:
    failed = {} if result.status in (Status.CACHED, Status.FETCHED) else {"why": result.detail}
    path = str(result.executable) if result.executable else None
    return {**_named(result.build), "status": result.status.value, "executable": path, **failed}


def _named(build: ListedBuild) -> dict[str, object]:
    return {"label": build.label, "name": build.name, "version": build.version, "shell": build.shell}


def _source(build: ListedBuild) -> str:
    if build.npm:
        return f"npm {build.npm.package}@{build.npm.version}"
    packages: Sequence[str] = [f"{each.package}={each.version}" for each in build.debian]
    return f"Debian {' '.join(packages)}"


def _path(cache: Cache, build: ListedBuild) -> str | None:
    executable = cache.executable(build)
    return str(executable) if executable else None
