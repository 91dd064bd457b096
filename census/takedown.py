"""Tables without the sites that opted out: not as targets, not behind a redirect, not as a frame of another page."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from census.optout import OptOut
from census.vocabulary import Kind, Outcome, PageView

Tables = dict[str, pl.DataFrame]

_OF_A_TARGET = ("project", "repository", "source")
_BY_LISTING = {
    "tools_listed": ("listed",),
    "tools_unlisted": ("on_request", "own_document", "nowhere"),
    "tools_on_request": ("on_request",),
    "tools_own_document": ("own_document",),
    "tools_nowhere": ("nowhere",),
}


class Takedown(NamedTuple):
    """Tables without the opted-out sites, and how many pages of each outcome were taken out."""

    tables: Tables
    pages: dict[str, int]


def without_sites(tables: Mapping[str, pl.DataFrame], optout: OptOut) -> Takedown:
    """Take the opted-out sites out of the tables.

    A page of such a site, or one that led to it, goes as a whole, and so does a target whose visit ended as
    `opted_out`. A frame of such a site in another page goes with its own frames, its tools and their findings, and
    the other page's counts of frames and tools are made less by them. What was measured on a page of such a site goes
    too. A script URL of such a site becomes null, and so does where the target came from. What other pages say of a
    site in their texts stays: it is theirs.
    """
    pages = tables["pages"]
    gone = pages.filter(_covered(pages, ("target_url", "final_url"), optout) | (pages["outcome"] == Outcome.OPTED_OUT))
    ids = gone["visit_id"].implode()
    kept = {
        name: table.filter(~pl.col("visit_id").is_in(ids)) if "visit_id" in table.columns else table
        for name, table in tables.items()
    }
    other_passes = kept["observations"]
    kept["observations"] = other_passes.filter(
        ~pl.coalesce("found_on", "target_key").is_in(gone["target_key"].implode()),
        ~_covered(other_passes, ("target_url", "final_url"), optout),
        pl.col("outcome") != Outcome.OPTED_OUT,
    )
    for measured in ("trials", "rates"):
        kept[measured] = kept[measured].filter(~_covered(kept[measured], ("page",), optout))
    if optout.sites:
        kept = _without_frames(kept, optout)
        kept = {name: _without_mentions(table, optout) for name, table in kept.items()}
    return Takedown(kept, dict(gone.group_by("outcome").len().sort("outcome").iter_rows()))


def named_in(tables: Mapping[str, pl.DataFrame], optout: OptOut) -> list[tuple[str, str]]:
    """The columns, as (table, column), that still name a site that opted out in a URL of its own."""
    columns = ("target_url", "final_url", "url", "origin", "registered_by", "page", *_OF_A_TARGET)
    return [
        (name, column)
        for name, table in tables.items()
        for column in columns
        if column in table.columns and _covered(table, (column,), optout).any()
    ]


def _without_frames(tables: Tables, optout: OptOut) -> Tables:
    frames = tables["frames"]
    theirs = frames.filter(_covered(frames, ("url", "origin"), optout)).select("visit_id", root="frame")
    if theirs.is_empty():
        return tables
    below = (pl.col("frame") == pl.col("root")) | pl.col("frame").str.starts_with(pl.col("root") + ".")
    dropped = (
        frames.join(theirs, on="visit_id")
        .filter(below)
        .select("visit_id", "frame", "page_view")
        .unique(maintain_order=True)
    )
    key = ["visit_id", "frame"]
    tools = tables["tools"].join(dropped, on=key, how="semi")
    targets = tables["pages"].select("visit_id", "target_key")
    elsewhere = dropped.join(targets, on="visit_id").select("target_key", "frame")
    return {
        **tables,
        "pages": _less(tables["pages"], dropped, tools),
        "frames": frames.join(dropped, on=key, how="anti", maintain_order="left"),
        "tools": tables["tools"].join(dropped, on=key, how="anti", maintain_order="left"),
        "findings": tables["findings"].join(dropped, on=key, how="anti", maintain_order="left"),
        "observations": tables["observations"].join(
            elsewhere, on=["target_key", "frame"], how="anti", maintain_order="left"
        ),
    }


def _less(pages: pl.DataFrame, frames: pl.DataFrame, tools: pl.DataFrame) -> pl.DataFrame:
    """The pages with their counts of frames and tools made less by those that were dropped."""
    offered = tools.filter(pl.col("callable"))
    counts = offered.group_by("visit_id").agg(
        pl.len().alias("tools_callable"),
        (pl.col("kind") == Kind.FORM).sum().alias("tools_form"),
        *(pl.col("listing").is_in(listings).sum().alias(column) for column, listings in _BY_LISTING.items()),
    )
    documents = frames.group_by("visit_id").agg(
        pl.len().alias("frames"), (pl.col("page_view") == PageView.FAILED).sum().alias("frames_unread")
    )
    both = documents.join(counts, on="visit_id", how="left")
    columns = [column for column in both.columns if column != "visit_id"]
    joined = pages.join(both, on="visit_id", how="left", maintain_order="left", suffix=" less")
    less = [(pl.col(name) - pl.col(f"{name} less").fill_null(0)).cast(pages.schema[name]) for name in columns]
    return joined.with_columns(less).select(pages.columns)


def _without_mentions(table: pl.DataFrame, optout: OptOut) -> pl.DataFrame:
    columns = [column for column in ("registered_by", *_OF_A_TARGET) if column in table.columns]
    return table.with_columns(
        pl.when(~_covered(table, (column,), optout)).then(pl.col(column)).alias(column) for column in columns
    )


def _covered(table: pl.DataFrame, columns: tuple[str, ...], optout: OptOut) -> pl.Series:
    """Whether one of the columns has a URL of an opted-out site, row by row."""
    covered = pl.repeat(value=False, n=table.height, eager=True)
    if not optout.sites:
        return covered
    # Only what holds a site's name at all is taken apart: that costs microseconds a URL, and there are millions.
    needles = sorted(spelling for site in optout.sites for spelling in _spellings(site))
    for column in columns:
        values = table[column]
        candidates = values.filter(values.str.contains_any(needles, ascii_case_insensitive=True).fill_null(value=False))
        urls = [url for url in candidates.unique(maintain_order=True) if optout.covers(url)]
        covered = covered | values.is_in(urls).fill_null(value=False)
    return covered


def _spellings(site: str) -> set[str]:
    host = site.rpartition(":")[0] or site
    try:
        return {site, host, host.encode("ascii").decode("idna")}
    except UnicodeError:
        return {site, host}
