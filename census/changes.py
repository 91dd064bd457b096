"""What is new in a release, as `changes.json` and as Markdown: one record, two ways to read it."""

from collections.abc import Sequence
from typing import Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, JsonValue

from census.bands import Band
from census.interval import Proportion, proportion
from census.paired import PairedChange
from census.release_diff import ReleaseDiff
from census.text import escape_markdown, markdown_table, percent, rate_text

CHANGES_JSON = "changes.json"
CHANGES_PAGE = "CHANGES.md"

LISTED = 1_000
"""Rows of each list that a release's own files hold; `webmcp-census diff` gives all."""
_SHOWN = 20

_TITLES = {
    "pages_added": "Pages added",
    "pages_removed": "Pages removed",
    "pages_changed": "Pages changed",
    "tools_added": "Tools added",
    "tools_removed": "Tools removed",
    "tools_renamed": "Tools renamed, or in another frame",
    "tools_changed": "Tools changed",
}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LikeForLike(_Part):
    """Adoption over the pages that both releases measured."""

    before: Proportion
    after: Proportion
    gained: int
    lost: int
    difference: float | None
    low: float
    high: float
    """95 % interval of the difference, paired."""
    p: float
    """Exact McNemar test."""
    measured_before: int
    measured_after: int


class RateChange(_Part):
    """A published rate in both releases, each over its own pages."""

    id: str
    before: Proportion
    after: Proportion
    p: float
    beyond_band: bool


class Changes(_Part):
    """What `changes.json` and `diff --json` hold."""

    made_by: Literal["webmcp-census"] = "webmcp-census"
    release_version: str
    previous_version: str | None
    """None for a release that was compared with none."""
    notes: tuple[str, ...] = ()
    made_differently: tuple[str, ...] = ()
    counts: dict[str, int] = {}
    adoption: LikeForLike | None = None
    rates: tuple[RateChange, ...] = ()
    lists: dict[str, list[dict[str, JsonValue]]] = {}
    lists_cut: tuple[str, ...] = ()
    """Lists that are longer than what is here."""


def changes_between(
    versions: tuple[str, str], diff: ReleaseDiff, bands: Sequence[Band], *, limit: int | None = LISTED
) -> Changes:
    """Write down a difference; `versions` are the earlier and the later one. `limit` cuts each list."""
    tables = diff.tables()
    return Changes(
        release_version=versions[1],
        previous_version=versions[0],
        made_differently=diff.made_differently,
        counts={name: table.height for name, table in tables.items()},
        adoption=_like_for_like(diff),
        rates=tuple(_rate_change(band) for band in bands),
        lists={name: _rows(table, limit) for name, table in tables.items()},
        lists_cut=tuple(name for name, table in tables.items() if limit is not None and table.height > limit),
    )


def changes_page(changes: Changes) -> str:
    """Write the changes as Markdown, with every page-supplied string inert."""
    parts = [f"# Changes in {changes.release_version}", *changes.notes]
    if changes.previous_version is None:
        parts.append("No earlier release was compared with this one.")
        return "\n\n".join(parts) + "\n"
    parts.append(f"Compared with {changes.previous_version}.")
    parts += ["## Made differently", _made_differently(changes)]
    if changes.adoption:
        parts += ["## Adoption, like for like", _adoption(changes.adoption)]
    if changes.rates:
        parts += ["## Rates, each over its own pages", _rates(changes.rates)]
    parts += ["## Pages and tools", _counts(changes.counts)]
    for name, rows in changes.lists.items():
        if rows:
            parts += [f"### {_TITLES[name]}", _list(rows, changes.counts[name])]
    return "\n\n".join(parts) + "\n"


def _like_for_like(diff: ReleaseDiff) -> LikeForLike:
    change: PairedChange = diff.adoption
    n = change.both + change.lost + change.gained + change.neither
    return LikeForLike(
        before=proportion(change.both + change.lost, n),
        after=proportion(change.both + change.gained, n),
        gained=change.gained,
        lost=change.lost,
        difference=None if change.difference is None else round(change.difference, 6),
        low=round(change.low, 6),
        high=round(change.high, 6),
        p=float(f"{change.p:.3g}"),
        measured_before=diff.measured_before,
        measured_after=diff.measured_after,
    )


def _rate_change(band: Band) -> RateChange:
    return RateChange(
        id=band.id,
        before=proportion(*band.before),
        after=proportion(*band.after),
        p=float(f"{band.p:.3g}"),
        beyond_band=band.beyond,
    )


def _rows(table: pl.DataFrame, limit: int | None) -> list[dict[str, JsonValue]]:
    return (table if limit is None else table.head(limit)).to_dicts()


def _made_differently(changes: Changes) -> str:
    if not changes.made_differently:
        return "Nothing: the same schema, code, settings and browser."
    said = "\n".join(f"- {escape_markdown(sentence, 500)}" for sentence in changes.made_differently)
    return f"Each of these can move a number without a page having changed.\n\n{said}"


def _adoption(adoption: LikeForLike) -> str:
    n = adoption.before.n
    if adoption.difference is None:
        return "No page was measured in both releases."
    return (
        f"Of {n:,} pages measured in both releases ({adoption.measured_before:,} were measured before,"
        f" {adoption.measured_after:,} after), {rate_text(adoption.before)} had a callable tool before and"
        f" {rate_text(adoption.after)} after: {adoption.gained:,} gained one, {adoption.lost:,} lost it. The change is"
        f" {_points(adoption.difference)} percentage points (95 % interval {_points(adoption.low)} to"
        f" {_points(adoption.high)}, paired; exact McNemar p = {adoption.p:.3g})."
    )


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f}"


def _rates(rates: Sequence[RateChange]) -> str:
    return markdown_table(
        ("Rate", "before", "of", "after", "of", "p", "within its band"),
        (
            (
                f"`{rate.id}`", percent(rate.before.rate), f"{rate.before.n:,}", percent(rate.after.rate),
                f"{rate.after.n:,}", f"{rate.p:.3g}", "no" if rate.beyond_band else "yes",
            )
            for rate in rates
        ),
    )  # fmt: skip


def _counts(counts: dict[str, int]) -> str:
    table = markdown_table(("", "count"), ((_TITLES[name], f"{count:,}") for name, count in counts.items()))
    return f"{table}\n\nTools are compared on the pages that both releases measured."


def _list(rows: Sequence[dict[str, JsonValue]], count: int) -> str:
    table = markdown_table(
        list(rows[0]),
        ([escape_markdown(_text(value)) for value in row.values()] for row in rows[:_SHOWN]),
    )
    return table if count <= _SHOWN else f"{table}\n\nThe first {min(_SHOWN, len(rows))} of {count:,}."


def _text(value: JsonValue) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
