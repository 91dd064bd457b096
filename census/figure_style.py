"""How every figure of this project looks, and what keeps it the same bytes from the same numbers.

No clipping and no rounded corners: the renderer numbers clip paths through its process's life, so the same
picture would not be the same bytes.
"""

import altair as alt

INK, MUTED, GRID = "#1f2933", "#52606d", "#e4e7eb"
BAR = "#1b6ca8"
WIDTH = 520
_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def category_axis() -> alt.Axis:
    """An axis of words: no ticks, no line, room for a long one."""
    return alt.Axis(labelAngle=0, ticks=False, domain=False, labelPadding=6, labelLimit=220)


def framed(chart: alt.LayerChart | alt.FacetChart, title: str, *subtitle: str) -> alt.TopLevelMixin:
    """Give a chart its title, its fonts and its colours."""
    styled: alt.TopLevelMixin = (
        chart.properties(
            title=alt.TitleParams(title, subtitle=list(subtitle), anchor="start", frame="group", offset=14),
            padding=16,
        )
        .configure(font=_FONT, background="white")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=MUTED,
            titleFontWeight="normal",
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
            labelFontSize=12,
            titleFontSize=12,
            titlePadding=10,
        )
        .configure_text(fontSize=12)
        .configure_legend(labelColor=INK, labelFontSize=12)
        .configure_title(fontSize=16, subtitleFontSize=12, color=INK, subtitleColor=MUTED)
    )
    return styled
