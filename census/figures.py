"""The two pictures of a report, drawn from its summary alone; SVG, rendered without a network.

No clipping and no rounded corners: the renderer numbers clip paths through its process's life, so the same
picture would not be the same bytes.
"""

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import polars as pl

from census.interval import proportion
from census.numbers import SIZES
from census.summary import Parts, Summary
from census.text import interval_text, percent
from census.vocabulary import OURS, Outcome

OUTCOMES_FIGURE = "figures/outcomes.svg"
TOOLS_FIGURE = "figures/tools_per_page.svg"

_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_INK, _MUTED, _GRID = "#1f2933", "#52606d", "#e4e7eb"
_BAR = "#1b6ca8"
_GROUPS = {"captured": _BAR, "not captured": "#8aa4b8", "not captured, our side": "#d08c3c"}
_WIDTH = 520


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
        y=alt.Y("part:N", sort=[str(row["part"]) for row in rows], title=None, axis=_category_axis()),
        x=alt.X("k:Q", title=None, axis=None, scale=_room_for_labels([part.k for part in outcomes.parts])),
    )
    bars = chart.mark_bar().encode(
        color=alt.Color(
            "group:N",
            scale=alt.Scale(domain=list(_GROUPS), range=list(_GROUPS.values())),
            legend=alt.Legend(title=None, orient="bottom", direction="horizontal"),
        )
    )
    labels = chart.mark_text(align="left", dx=6, color=_INK).encode(text="label:N")
    return _framed(
        alt.layer(bars, labels).properties(width=_WIDTH, height=alt.Step(26)),
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
        x=alt.X("part:N", sort=list(SIZES), title="Callable tools on the page", axis=_category_axis()),
    )
    bars = chart.mark_bar(color=_BAR, size=46).encode(
        y=alt.Y("rate:Q", title="Share of pages", axis=alt.Axis(format="%", tickCount=5)),
    )
    whiskers = chart.mark_rule(color=_INK, strokeWidth=1.2).encode(y="low:Q", y2="high:Q")
    labels = chart.mark_text(baseline="bottom", dy=-5, color=_INK).encode(y="high:Q", text="label:N")
    without = sum(tools.leaves_out.values())
    return _framed(
        alt.layer(bars, whiskers, labels).properties(width=_WIDTH, height=260),
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


def _category_axis() -> alt.Axis:
    return alt.Axis(labelAngle=0, ticks=False, domain=False, labelPadding=6, labelLimit=220)


def _framed(chart: alt.LayerChart | alt.FacetChart, title: str, *subtitle: str) -> alt.TopLevelMixin:
    framed: alt.TopLevelMixin = (
        chart.properties(
            title=alt.TitleParams(title, subtitle=list(subtitle), anchor="start", frame="group", offset=14),
            padding=16,
        )
        .configure(font=_FONT, background="white")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=_INK,
            titleColor=_MUTED,
            titleFontWeight="normal",
            gridColor=_GRID,
            domainColor=_GRID,
            tickColor=_GRID,
            labelFontSize=12,
            titleFontSize=12,
            titlePadding=10,
        )
        .configure_text(fontSize=12)
        .configure_legend(labelColor=_INK, labelFontSize=12)
        .configure_title(fontSize=16, subtitleFontSize=12, color=_INK, subtitleColor=_MUTED)
    )
    return framed
