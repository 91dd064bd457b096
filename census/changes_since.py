"""What is new in a release since the one before, as its own files have it."""

import polars as pl

from census.bands import bands
from census.changes import Changes, changes_between
from census.manifest import Manifest
from census.opened_release import Release, rates_of
from census.optout import OptOut
from census.release_diff import diff_releases
from census.summary import summarise
from census.takedown import without_sites


def changes_since(
    previous: Release | None, manifest: Manifest, tables: dict[str, pl.DataFrame], optout: OptOut
) -> Changes:
    """Compare a release with the one before. Sites that have opted out since are named in neither."""
    if previous is None:
        return Changes(release_version=manifest.release_version, previous_version=None)
    before = without_sites(previous.tables, optout).tables
    return changes_between(
        (previous.manifest.release_version, manifest.release_version),
        diff_releases((previous.manifest, before), (manifest, tables)),
        bands(rates_of(previous.summary), rates_of(summarise(tables))),
    )
