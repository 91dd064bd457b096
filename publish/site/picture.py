"""The picture: which figures there are, what each says, and the expressions and rows behind it."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from census.columns import TABLES
from census.listing import ListingCause
from census.numbers import SIZES
from census.summary import Part, Parts, Rate, Summary, Value
from census.text import interval_text, percent, rate_text
from census.vocabulary import OURS, Api, Listing, Outcome, Word
from publish.site.charts import BAR, NARROW, SOFT, WARM, WIDE, BarRow, count_columns, share_bars

_MOST_BARS = 12
_TABLE = re.compile(r"\b(?:FROM|JOIN) (\w+)")


class FigureRow(NamedTuple):
    """A line of a figure's table."""

    label: str
    says: str
    share: str
    interval: str
    k: int
    n: int


class Expression(NamedTuple):
    """A published number and the SQL that gives it."""

    id: str
    title: str
    sql: tuple[tuple[str, str], ...]
    """What a query gives, and the query."""
    leaves_out: str


class Figure(NamedTuple):
    """A drawing with its numbers."""

    id: str
    title: str
    says: str
    wide: str
    narrow: str
    rows: tuple[FigureRow, ...]
    expressions: tuple[Expression, ...]
    tables: tuple[str, ...]
    """Whose rows it was counted from."""


def figures(summary: Summary, *, linted: bool) -> list[Figure]:
    """Every figure of the picture, in order; one with nothing to show is left out."""
    made = [
        _rates(
            summary,
            "adoption",
            "Pages with a tool for agents",
            ("adoption", "adoption_unhindered", "adoption_reached"),
            _adoption_says(summary),
        ),
        _tally(summary, "outcomes", "How the visits ended", Outcome, colour=_outcome_colour),
        _sizes(summary),
        _rates(
            summary,
            "shapes",
            "API shapes",
            ("dead_api", "polyfills", "forms"),
            "Old names register nothing in this browser; a polyfill stands in place of, or beside, the native object;"
            " a form is a tool without a script.",
        ),
        _tally(summary, "api", "What a page is offered as document.modelContext", Api),
        _rates(
            summary,
            "unlisted",
            "Tools that an agent can call and the page's own list does not have",
            ("unlisted_on_request", "unlisted_own_document", "unlisted_nowhere"),
            "Three different things, each a share of the pages with a tool; a page can have more than one.",
        ),
        _tally(summary, "unlisted_causes", "Why they are not in the list", ListingCause, colour=lambda _: WARM),
        _tally(summary, "listing", "How a page can learn of a callable tool", Listing),
        _tally(summary, "frame_policies", "Frames, and whether tools may be registered in them"),
        _tally(summary, "origin_trial", "Would a stock browser offer the tools?"),
        *(_lint(summary) if linted else ()),
    ]
    return [figure for figure in made if figure is not None]


def _lint(summary: Summary) -> Iterable[Figure | None]:
    yield _rates(
        summary,
        "lint",
        "Pages with findings of lint",
        ("lint_errors", "lint_findings"),
        "An error breaks a tool or the choice between two; the rules are static, and say nothing of how often a model"
        " picks a tool.",
    )
    yield _tally(summary, "lint_tool_rules", "Which rules about tools fire, on how many pages")
    yield _tally(
        summary, "lint_page_rules", "Which rules about the page fire, on how many pages", colour=lambda _: SOFT
    )


def _adoption_says(summary: Summary) -> str:
    tools, median, most = (summary.value(id_).value for id_ in ("tools", "tools_median", "tools_max"))
    adoption = summary.rate("adoption")
    if not adoption.k:
        return "No page had a tool that an agent could call."
    return (
        f"{rate_text(adoption)}. Together they have {tools:,} callable tools; a page with any has {median:g} (median),"
        f" the most is {most:,}. Each bar has a denominator of its own."
    )


def _rates(summary: Summary, id_: str, title: str, ids: Sequence[str], says: str) -> Figure | None:
    rates = [rate for rate in map(summary.rate, ids) if rate.n]
    if not rates:
        return None
    bars = [BarRow(_plain(rate.title), rate) for rate in rates]
    rows = tuple(
        FigureRow(_plain(rate.title), "", percent(rate.rate), interval_text(rate), rate.k, rate.n) for rate in rates
    )
    return _figure(id_, title, says, lambda width: share_bars(bars, width), rows, rates)


def _tally(
    summary: Summary,
    id_: str,
    title: str,
    words: type[Word] | None = None,
    colour: Callable[[str], str] = lambda _: BAR,
) -> Figure | None:
    tally = summary.parts(id_)
    if not tally.parts:
        return None
    bars = [BarRow(_label(part.part), part, colour(part.part)) for part in tally.parts[:_MOST_BARS]]
    rows = tuple(_row(part, words) for part in tally.parts)
    more = len(tally.parts) - _MOST_BARS
    says = f"n = {tally.n:,}." if tally.title == title else f"{tally.title}; n = {tally.n:,}."
    if more > 0:
        says += f" The first {_MOST_BARS} of {len(tally.parts)}; the table has all."
    if tally.kind == "each":
        says += " The shares overlap."
    return _figure(id_, title, _plain(says), lambda width: share_bars(bars, width), rows, [tally])


def _sizes(summary: Summary) -> Figure | None:
    tally = summary.parts("tools_per_page")
    if not tally.n:
        return None
    counts = {part.part: part for part in tally.parts}
    bars = [BarRow(size, counts[size]) for size in SIZES if size in counts]
    rows = tuple(_row(counts[size], None) for size in SIZES if size in counts)
    says = f"Of {tally.n:,} measured pages with a callable tool. Bar: share of the pages; figure: number of pages."
    return _figure(
        "tools_per_page",
        "How many tools a page has",
        says,
        lambda width: count_columns(bars, "Callable tools on the page", width),
        rows,
        [tally],
    )


def _figure(
    id_: str,
    title: str,
    says: str,
    draw: Callable[[int], str],
    rows: tuple[FigureRow, ...],
    numbers: Sequence[Rate | Parts],
) -> Figure:
    expressions = tuple(map(_expression, numbers))
    tables = sorted({table for each in expressions for _, sql in each.sql for table in tables_in(sql)})
    return Figure(id_, title, says, draw(WIDE), draw(NARROW), rows, expressions, tuple(tables))


def tables_in(sql: str) -> set[str]:
    """The tables that a query of `census.numbers` reads."""
    return set(_TABLE.findall(sql)) & TABLES.keys()


def _expression(number: Rate | Parts) -> Expression:
    sql = (
        (("k", number.numerator_sql), ("n", number.denominator_sql))
        if isinstance(number, Rate)
        else (("each k", number.parts_sql), ("n", number.denominator_sql))
    )
    reasons = ", ".join(f"{k:,} {reason}" for reason, k in number.leaves_out.items())
    says = f"{number.leaves_out_says} ({reasons})" if number.leaves_out else "nothing"
    return Expression(number.id, _plain(number.title), (*sql, ("left out", number.leaves_out_sql)), says)


def _row(part: Part, words: type[Word] | None) -> FigureRow:
    return FigureRow(
        _label(part.part), _meaning(part.part, words), percent(part.rate), interval_text(part), part.k, part.n
    )


def _meaning(word: str, words: type[Word] | None) -> str:
    return "" if words is None or word not in [str(each) for each in words] else words(word).meaning


def _label(word: str) -> str:
    """A word of ours as it is read; rule ids and names of pages stay as they are."""
    return word if "/" in word else word.replace("_", " ")


def _plain(text: str) -> str:
    return text.replace("`", "")


def _outcome_colour(outcome: str) -> str:
    if outcome == Outcome.CAPTURED:
        return BAR
    return WARM if outcome in OURS else SOFT


def values(summary: Summary) -> list[Value]:
    """The numbers that are no shares."""
    return [number for number in summary.numbers if isinstance(number, Value)]
