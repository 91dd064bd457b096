"""The drawings of the picture: SVG from Altair, rendered without a network, in colours that the style sheet replaces.

The same numbers give the same bytes: no clipping and no rounded corners, because the renderer numbers clip paths
through its process's life.
"""

import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import altair as alt
import polars as pl

from census.interval import Proportion
from census.text import percent

WIDE, NARROW = 640, 288
"""Widths in px: a drawing fits its screen without being made smaller, so that its letters stay legible."""

INK, MUTED, TRACK, BAR, SOFT, WARM = "#1a2129", "#57636f", "#e3e8ec", "#1b6ca8", "#8aa4b8", "#b4690e"
"""The style sheet names these in `svg [fill="…"]`, with a colour for dark mode each."""

_ROW = 46
_PADDING = 2
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_SPACE = re.compile(r"\s+(?=<)")


class BarRow(NamedTuple):
    """A share with its interval."""

    label: str
    share: Proportion
    colour: str = BAR


def share_bars(rows: Sequence[BarRow], width: int) -> str:
    """Horizontal bars from 0 to 100 %, the label above each, its interval as a line, k of n at the end."""
    if not rows:
        return ""
    values = [
        {
            "place": place,
            "label": _cut(row.label, width),
            "value": f"{percent(row.share.rate)}  ·  {row.share.k:,} of {row.share.n:,}",
            "rate": row.share.rate or 0.0,
            "low": row.share.low,
            "high": row.share.high,
            "colour": row.colour,
            "whole": 1.0,
        }
        for place, row in enumerate(rows)
    ]
    # Lines reach a pixel or two over the plot.
    plot = width - 2 * _PADDING - 4
    x = alt.Scale(domain=[0, 1], nice=False)
    chart = alt.Chart(pl.DataFrame(values)).encode(y=alt.Y("place:O", axis=None, scale=alt.Scale(paddingInner=0)))
    track = chart.mark_bar(height=8, color=TRACK, yOffset=8).encode(x=alt.X("whole:Q", axis=None, scale=x))
    bar = chart.mark_bar(height=8, yOffset=8).encode(
        x=alt.X("rate:Q", axis=None, scale=x), color=alt.Color("colour:N", scale=None, legend=None)
    )
    whisker = chart.mark_rule(strokeWidth=1.5, color=INK, yOffset=8).encode(
        x=alt.X("low:Q", axis=None, scale=x), x2="high:Q"
    )
    label = chart.mark_text(align="left", baseline="bottom", dy=0, color=INK, fontSize=13).encode(
        x=alt.value(0), text="label:N"
    )
    value = chart.mark_text(align="right", baseline="bottom", dy=0, color=MUTED, fontSize=12).encode(
        x=alt.value(plot), text="value:N"
    )
    if width < WIDE:
        # No room for both on one line.
        value = value.mark_text(align="right", baseline="top", dy=16, color=MUTED, fontSize=12)
    return _svg(alt.layer(track, bar, whisker, label, value), plot, alt.Step(_ROW if width >= WIDE else _ROW + 16))


def count_columns(rows: Sequence[BarRow], title: str, width: int) -> str:
    """Upright bars of shares, in the order given, with intervals and the count above each."""
    values = [
        {
            "label": row.label,
            "rate": row.share.rate or 0.0,
            "low": row.share.low,
            "high": row.share.high,
            "k": f"{row.share.k:,}",
        }
        for row in rows
    ]
    axis = alt.Axis(labelAngle=0, ticks=False, domain=False, labelPadding=6, titlePadding=10)
    chart = alt.Chart(pl.DataFrame(values)).encode(
        x=alt.X("label:N", sort=[row.label for row in rows], title=title, axis=axis)
    )
    bars = chart.mark_bar(color=BAR, width={"band": 0.7}).encode(
        y=alt.Y("rate:Q", title=None, axis=alt.Axis(format="%", tickCount=4, domain=False, ticks=False))
    )
    whiskers = chart.mark_rule(color=INK, strokeWidth=1.2).encode(y="low:Q", y2="high:Q")
    counts = chart.mark_text(baseline="bottom", dy=-5, color=INK, fontSize=12).encode(y="high:Q", text="k:N")
    return _svg(alt.layer(bars, whiskers, counts), width - 40, 230)


def _cut(label: str, width: int) -> str:
    most = 62 if width >= WIDE else 38
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"


def _svg(chart: alt.LayerChart | alt.FacetChart, width: int, height: int | alt.Step) -> str:
    framed = (
        chart.properties(width=width, height=height, padding=_PADDING)
        .configure(font=_FONT, background="transparent", aria=False)
        .configure_view(stroke=None)
        .configure_axis(labelColor=MUTED, titleColor=MUTED, gridColor=TRACK, titleFontWeight="normal", labelFontSize=12)
    )
    drawn = io.StringIO()
    framed.save(drawn, format="svg")
    return _SPACE.sub("", drawn.getvalue()).replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
