"""Rows of pages that the last release has and that have not changed since, carried over into this one."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from census.columns import SCHEMA_VERSION
from census.errors import CensusError
from census.opened_release import Release
from census.vocabulary import Outcome

Tables = dict[str, pl.DataFrame]

_OF_THE_LIST = ("target_url", "project", "repository", "source", "rank", "screen")
"""Columns that say where the target comes from: the list of this crawl has the word."""


class Carried(NamedTuple):
    """Tables with the carried rows, and how many pages came from which release."""

    tables: Tables
    pages: dict[str, int]


def carry_over(tables: Mapping[str, pl.DataFrame], previous: Release | None) -> Carried:
    """Put the last release's rows in the place of each page that ended as `unchanged`.

    Such a page keeps its visit, the time of it and the build that made it; `carried_from` names the release that made
    the visit. Raises CensusError when there are such pages and `previous` is not the release that the crawl asked
    about, has another schema, or lacks one of them.
    """
    pages = tables["pages"]
    unchanged = pages.filter(outcome=Outcome.UNCHANGED)
    if unchanged.is_empty():
        return Carried(dict(tables), {})
    release = _checked(unchanged, previous)
    old = release.tables
    kept = old["pages"].join(unchanged.select("target_key"), on="target_key", how="semi")
    if kept.height < unchanged.height:
        lost = unchanged.join(kept, on="target_key", how="anti")["target_key"][0]
        raise CensusError(
            f"{lost} is unchanged since {release.manifest.release_version}, which does not have it; crawl it again"
        )
    rows = _rows(pages, kept, release.manifest.release_version)
    ids = kept["visit_id"].implode()
    places = rows.select("visit_id").with_row_index("place")
    merged: Tables = {**tables, "pages": rows}
    for name in ("frames", "tools", "findings"):
        both = pl.concat([tables[name], old[name].filter(pl.col("visit_id").is_in(ids))])
        placed = both.join(places, on="visit_id", how="left", maintain_order="left")
        merged[name] = placed.sort("place", maintain_order=True).drop("place")
    of_them = pl.coalesce("found_on", "target_key").is_in(kept["target_key"].implode())
    observed = pl.concat([tables["observations"], old["observations"].filter(of_them)])
    merged["observations"] = observed.sort("site", maintain_order=True)
    counts = rows.filter(pl.col("carried_from").is_not_null()).group_by("carried_from").len().sort("carried_from")
    return Carried(merged, dict(counts.iter_rows()))


def _checked(unchanged: pl.DataFrame, previous: Release | None) -> Release:
    wanted = ", ".join(sorted(set(unchanged["carried_from"].drop_nulls())))
    if previous is None or previous.manifest.release_version != wanted:
        have = "there is no --previous" if previous is None else f"--previous is {previous.manifest.release_version}"
        raise CensusError(
            f"{unchanged.height:,} pages are unchanged since {wanted} and their rows are in that release, but {have};"
            f" build with --previous and the folder of {wanted}"
        )
    if previous.manifest.schema_version != SCHEMA_VERSION:
        raise CensusError(
            f"{wanted} has schema {previous.manifest.schema_version}, and rows of schema {SCHEMA_VERSION} are wanted;"
            " crawl without --since"
        )
    return previous


def _rows(pages: pl.DataFrame, kept: pl.DataFrame, version: str) -> pl.DataFrame:
    """The pages in their order, those that are unchanged with what `kept` has of them."""
    listed = pages.select("target_key", *_OF_THE_LIST)
    carried = (
        kept.drop(_OF_THE_LIST)
        .join(listed, on="target_key", how="left", maintain_order="left")
        .with_columns(carried_from=pl.col("carried_from").fill_null(version))
        .select(pages.columns)
    )
    order = pages.select("target_key").with_row_index("place")
    fresh = pages.filter(pl.col("outcome") != Outcome.UNCHANGED)
    both = pl.concat([fresh, carried]).join(order, on="target_key", how="left", maintain_order="left")
    return both.sort("place", maintain_order=True).drop("place")
