"""The builds that a user asks for: by path, or all that the cache has."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import ValidationError

from census.errors import CensusError
from crawler.browser import identify
from measure.browsers.build import Build, ListedBuild
from measure.browsers.cache import Cache, file_digest
from measure.browsers.libraries import environment


class AskedBuild(NamedTuple):
    """A build and where it is."""

    build: Build
    executable: Path
    digest: str
    """The SHA-256 of the executable."""


def cached(builds: Sequence[ListedBuild], cache: Cache) -> tuple[tuple[AskedBuild, ...], tuple[ListedBuild, ...]]:
    """The builds that the cache has, and those that it lacks."""
    have = [_cached(build, cache) for build in builds if (path := cache.executable(build)) and path.is_file()]
    there = {each.build.label for each in have}
    return tuple(have), tuple(build for build in builds if build.label not in there)


def named(browsers: Sequence[str], builds: Sequence[ListedBuild], cache: Cache) -> tuple[AskedBuild, ...]:
    """The builds of `--browser`: a label of the data file, a path, or NAME=PATH.

    Raises CensusError for a path that is no browser, for a build that was not fetched, and for two of one label.
    """
    asked = [_one(browser, builds, cache) for browser in browsers]
    labels = [each.build.label for each in asked]
    if twice := sorted({label for label in labels if labels.count(label) > 1}):
        raise CensusError(f"two browsers would be called {', '.join(twice)}; tell them apart: --browser NAME=PATH")
    return tuple(asked)


def _one(browser: str, builds: Sequence[ListedBuild], cache: Cache) -> AskedBuild:
    for build in builds:
        if browser == build.label:
            return _cached(build, cache)
        if Path(browser) == cache.executable(build):
            return _cached(build, cache)
    name, _, path_text = browser.rpartition("=")
    path = Path(path_text).expanduser()
    if not path.is_file():
        raise CensusError(f"no browser at {path_text}: neither a file nor a label of `webmcp-census browsers list`")
    return AskedBuild(_identified(path, name), path, file_digest(path))


def _cached(build: ListedBuild, cache: Cache) -> AskedBuild:
    path = cache.executable(build)
    if path is None:
        raise CensusError(f"{build.label} is not in {cache.folder}; `webmcp-census browsers fetch {build.label}`")
    return AskedBuild(build.identity(), path, cache.digest(build))


def _identified(path: Path, label: str) -> Build:
    said = identify(path, environment(path))
    engine: Literal["chromium", "firefox"] = "firefox" if "Firefox" in said.name else "chromium"
    prefix = "ff" if engine == "firefox" else "hs" if said.shell else "cr"
    try:
        return Build(
            label=label or f"{prefix}{said.build.partition('.')[0]}",
            name=said.name,
            version=said.build,
            engine=engine,
            shell=said.shell,
        )
    except ValidationError as error:
        raise CensusError(f"{label!r} is no label for {path}: small letters, digits and hyphens, 20 at most") from error
