"""Fetches builds into the cache, each on its own: one that has gone does not keep the others back."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from census.errors import CensusError
from census.vocabulary import Word
from crawler.browser import identify
from measure.browsers.build import ListedBuild
from measure.browsers.cache import Cache
from measure.browsers.libraries import environment
from measure.browsers.sources import Gone, Unavailable, bring


class Status(Word):
    """How a build came to be in the cache, or why it is not."""

    CACHED = "cached", "It was there, and its executable has the digest that it was unpacked with."
    FETCHED = "fetched", "It was brought, and every file had the listed digest."
    GONE = "gone", "Its source has it no more."
    UNAVAILABLE = "unavailable", "Its source could not be asked."
    REFUSED = "refused", "What came is not what the data file lists, or does not start."


class Fetched(NamedTuple):
    """What became of a build."""

    build: ListedBuild
    status: Status
    detail: str
    executable: Path | None


def fetch(
    builds: Iterable[ListedBuild],
    cache: Cache,
    *,
    bring: Callable[[ListedBuild, Path, Path], None] = bring,
    starting: Callable[[ListedBuild], None] = lambda _: None,
) -> Iterator[Fetched]:
    """Bring each build that is not in the cache; one after the other, as they become known."""
    for build in builds:
        if cache.intact(build):
            yield Fetched(build, Status.CACHED, "", cache.executable(build))
            continue
        starting(build)
        try:
            with tempfile.TemporaryDirectory() as scratch, cache.filling(build) as place:
                bring(build, place, Path(scratch))
                _says_its_version(build, place / build.executable)
        except Gone as error:
            yield Fetched(build, Status.GONE, str(error), None)
        except Unavailable as error:
            yield Fetched(build, Status.UNAVAILABLE, str(error), None)
        except CensusError as error:
            yield Fetched(build, Status.REFUSED, str(error), None)
        else:
            yield Fetched(build, Status.FETCHED, "", cache.executable(build))


def _says_its_version(build: ListedBuild, executable: Path) -> None:
    if not executable.is_file():
        return  # the cache refuses a build without it
    executable.chmod(0o755)
    said = identify(executable, environment(executable))
    if said.build != build.version:
        raise CensusError(f"{build.label} says that it is {said.name} {said.build}, not {build.version}")
