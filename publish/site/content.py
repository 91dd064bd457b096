"""What a site is made of: the newest release, and what earlier ones say of the same pages."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import polars as pl

from census.bands import bands
from census.changes import Changes, changes_between
from census.columns import SCHEMA_VERSION
from census.errors import CensusError
from census.manifest import read_versions
from census.opened_release import Release, open_release, rates_of
from census.optout import OptOut
from census.release_diff import diff_releases
from census.summary import Summary, differences, summarise
from census.takedown import named_in, without_sites
from publish.lookup.entry import Earlier

_EARLIER_COLUMNS = ("target_key", "outcome", "tools_callable")


class LeftOut(NamedTuple):
    """An earlier release that is not compared: what its columns and numbers mean may be something else."""

    release_version: str
    schema_version: str

    @property
    def says(self) -> str:
        """That it is left out, why, and what can be done."""
        return (
            f"Release {self.release_version} is left out: it has schema {self.schema_version}, this site is made from"
            f" schema {SCHEMA_VERSION}, and no number of one is set beside one of the other. To have it compared, build"
            " it from its RUN again with this version."
        )


class Content(NamedTuple):
    """The releases of a site, the newest first, without any site that opted out."""

    newest: Release
    summary: Summary
    """Of the newest, evaluated from its tables by this version's expressions."""
    earlier: tuple[Release, ...]
    changes: tuple[Changes, ...]
    """Between each release and the one before it, the newest first."""
    history: dict[str, list[Earlier]]
    """What the earlier releases say of a page, by target key; the newest first."""
    left_out: tuple[LeftOut, ...] = ()
    """The newest first."""


def open_content(folders: Sequence[Path], optout: OptOut) -> Content:
    """Open the releases. Raises CensusError when one is not to be published as it is.

    The newest has to be free of sites that opted out, because its published numbers are shown; in earlier ones only
    the pages are, and those sites are left out. Its numbers have to be what its tables give. Earlier releases of
    another schema are left out whole.
    """
    folders = _newest_first(folders)
    left_out = [(folder, said) for folder in folders[1:] if (said := _of_another_schema(folder)) is not None]
    other = {folder for folder, _ in left_out}
    newest, *earlier = [open_release(folder) for folder in folders if folder not in other]
    _check_optout(newest, optout)
    summary = summarise(newest.tables)
    _check_numbers(newest, summary)
    before = tuple(each._replace(tables=without_sites(each.tables, optout).tables) for each in earlier)
    everything = (newest, *before)
    return Content(
        newest,
        summary,
        before,
        tuple(_changes(older, newer) for newer, older in pairwise(everything)),
        _history(before),
        tuple(said for _, said in left_out),
    )


def _newest_first(folders: Sequence[Path]) -> list[Path]:
    """The folders in order of their versions. Raises CensusError when one is no release, or when two are the same."""
    named = {folder: read_versions(folder) for folder in folders}
    ages: dict[tuple[int, ...], Path] = {}
    for folder, versions in named.items():
        if versions is None:
            raise CensusError(f"{folder} is no release; make one with `webmcp-census build RUN --out {folder}`")
        age = tuple(int(part) for part in versions.release_version.split("."))
        if age in ages:
            raise CensusError(f"two of the releases are {versions.release_version}; name each version once")
        ages[age] = folder
    return [ages[age] for age in sorted(ages, reverse=True)]


def _of_another_schema(folder: Path) -> LeftOut | None:
    versions = read_versions(folder)
    if versions is None or versions.schema_version == SCHEMA_VERSION:
        return None
    return LeftOut(versions.release_version, versions.schema_version)


def _check_optout(release: Release, optout: OptOut) -> None:
    taken = without_sites(release.tables, optout)
    if taken.pages or named_in(release.tables, optout):
        raise CensusError(
            f"{release.folder} holds pages or frames of sites that opted out; make its hotfix with"
            f" `webmcp-census optout apply {release.folder} --out RELEASE` and give that one"
        )


def _check_numbers(release: Release, summary: Summary) -> None:
    published = {number.id for number in release.summary.numbers}
    computed = {number.id for number in summary.numbers}
    wrong = [each.id for each in differences(release.summary, summary) if each.id in published & computed]
    if wrong:
        raise CensusError(
            f"the tables of {release.folder} do not give its published {', '.join(wrong)}; `webmcp-census release"
            " verify` says more. No site is made of numbers that aren't so"
        )


def _changes(older: Release, newer: Release) -> Changes:
    return changes_between(
        (older.manifest.release_version, newer.manifest.release_version),
        diff_releases((older.manifest, older.tables), (newer.manifest, newer.tables)),
        bands(rates_of(older.summary), rates_of(newer.summary)),
        limit=0,
    )


def _history(releases: Sequence[Release]) -> dict[str, list[Earlier]]:
    history: dict[str, list[Earlier]] = {}
    for release in releases:
        pages = release.tables["pages"].filter(pl.col("target_key").is_unique())
        for key, outcome, tools in pages.select(_EARLIER_COLUMNS).iter_rows():
            said = Earlier(release=release.manifest.release_version, outcome=outcome, tools_callable=tools)
            history.setdefault(key, []).append(said)
    return history
