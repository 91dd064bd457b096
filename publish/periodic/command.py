"""`webmcp-census census`."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from census.errors import CensusError


@click.command(
    "census",
    short_help="Harvest, crawl, lint, build, gates, diff, publish: one command, gone on with after a stop.",
    epilog="\b\nExample, with your own sources and contact in a copy of deploy/census.toml:\n"
    "  webmcp-census census --config census.toml",
)
@click.option(
    "--config", required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="What to do."
)
@click.option("--release-version", metavar="YYYY.MM.N", help="Default: the unfinished one, else this month's, .0.")
@click.option("--json", "as_json", is_flag=True, help="Print how it ended as JSON; what the steps say goes to stderr.")
def census_command(config: Path, release_version: str | None, as_json: bool) -> int:
    """Take the census that a configuration describes, from the target list to the published release.

    Exits 0 when it is published (or was, and nothing is to do), 1 when a gate failed and nothing was published, 2 when
    a step could not be done. The same command goes on with the step at which it stopped.
    """
    from publish.periodic.beginning import begin
    from publish.periodic.children import Children
    from publish.periodic.config import read_config
    from publish.periodic.running import Ending, take

    settings, base = read_config(config), config.resolve().parent
    folder = base / settings.folder
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder) as lock:
        state, reason = begin(settings, base, release_version, datetime.now(UTC))
        if state is None:
            ending = Ending("nothing_to_do", 0, None, reason)
        else:
            ending = take(settings, base, state, Children(base, lock, quiet=as_json))
    if as_json:
        click.echo(json.dumps(ending._asdict(), indent=2))
    else:
        click.echo(ending.reason, err=ending.code != 0)
    return ending.code


@contextmanager
def _alone(folder: Path) -> Iterator[int]:
    """Hold the folder; a step that outlives a killed census holds it too."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise CensusError(f"another census is at work in {folder}; wait for it, or end it") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)
