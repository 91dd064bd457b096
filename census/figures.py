"""The two pictures of a report, drawn from its summary alone; SVG, rendered without a network."""

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import polars as pl

from census.figure_style import BAR, INK, WIDTH, category_axis, framed
from census.interval import proportion
from census.numbers import SIZES
from census.summary import Parts, Summary
from census.text import interval_text, percent
from census.vocabulary import OURS, Outcome

OUTCOMES_FIGURE = "figures/outcomes.svg"
TOOLS_FIGURE = "figures/tools_per_page.svg"

_GROUPS = {"captured": BAR, "not captured": "#8aa4b8", "not captured, our side": "#d08c3c"}


def draw_figures(summary: Summary, folder: Path) -> None:
    """Write both figures below a release folder; the same summary gives the same bytes."""
    (folder / OUTCOMES_FIGURE).parent.mkdir(parents=True, exist_ok=True)
    _outcomes(summary.parts("outcomes")).save(folder / OUTCOMES_FIGURE, format="svg")
    _tools_per_page(summary.parts("tools_per_page")).save(folder / TOOLS_FIGURE, format="svg")


def _outcomes(outcomes: Parts) -> alt.TopLevelMixin:
    rows = [
        {
            "part": part.part.replace("_", " "),
            "k": part.k,
            "label": f"{part.k:,}  ·  {percent(part.rate)}  ({interval_text(part)})",
            "group": _group(part.part),
        }
        for part in outcomes.parts
    ]
    chart = alt.Chart(pl.DataFrame(rows, schema=["part", "k", "label", "group"])).encode(
        y=alt.Y("part:N", sort=[str(row["part"]) for row in rows], title=None, axis=category_axis()),
        x=alt.X("k:Q", title=None, axis=None, scale=_room_for_labels([part.k for part in outcomes.parts])),
    )
    bars = chart.mark_bar().encode(
        color=alt.Color(
            "group:N",
            scale=alt.Scale(domain=list(_GROUPS), range=list(_GROUPS.values())),
            legend=alt.Legend(title=None, orient="bottom", direction="horizontal"),
        )
    )
    labels = chart.mark_text(align="left", dx=6, color=INK).encode(text="label:N")
    return framed(
        alt.layer(bars, labels).properties(width=WIDTH, height=alt.Step(26)),
        "How the visits ended",
        f"Final visits of {outcomes.n:,} targets; share with 95 % Wilson interval",
    )


def _tools_per_page(tools: Parts) -> alt.TopLevelMixin:
    counts = {part.part: part.k for part in tools.parts}
    rows = [
        {"part": size, "label": f"{counts.get(size, 0):,}"}
        | proportion(counts.get(size, 0), tools.n).model_dump(include={"rate", "low", "high"})
        for size in SIZES
    ]
    chart = alt.Chart(pl.DataFrame(rows)).encode(
        x=alt.X("part:N", sort=list(SIZES), title="Callable tools on the page", axis=category_axis()),
    )
    bars = chart.mark_bar(color=BAR, size=46).encode(
        y=alt.Y("rate:Q", title="Share of pages", axis=alt.Axis(format="%", tickCount=5)),
    )
    whiskers = chart.mark_rule(color=INK, strokeWidth=1.2).encode(y="low:Q", y2="high:Q")
    labels = chart.mark_text(baseline="bottom", dy=-5, color=INK).encode(y="high:Q", text="label:N")
    without = sum(tools.leaves_out.values())
    return framed(
        alt.layer(bars, whiskers, labels).properties(width=WIDTH, height=260),
        "How many tools a page has",
        f"{tools.n:,} measured pages with a callable tool; {without:,} other targets left out",
        "Bar: share of the pages; line: its 95 % Wilson interval; figure: number of pages",
    )


def _group(outcome: str) -> str:
    if outcome in OURS:
        return "not captured, our side"
    return "captured" if outcome == Outcome.CAPTURED else "not captured"


def _room_for_labels(counts: Sequence[int]) -> alt.Scale:
    return alt.Scale(domain=[0, max([1, *counts]) * 1.5], nice=False)
