"""The pictures of a report: rates with their intervals and floors, and how the trials ended. SVG, without a network."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import altair as alt
import polars as pl

from census.figure_style import BAR, INK, MUTED, WIDTH, category_axis, framed
from census.text import inert
from measure.rate_report.report import PageReport, RateReport, Statistics
from measure.rate_report.words import varies
from measure.rates.trial_outcome import TrialOutcome

FIGURES = "figures"
ALL_TOOLS = "all tools"

_COLOURS = {
    TrialOutcome.NOT_SUPPORTED: "#3e4c59",
    TrialOutcome.NOT_REGISTERED: "#616e7c",
    TrialOutcome.NOT_DISCOVERED: "#9aa5b1",
    TrialOutcome.NOT_SELECTED: "#d9b44a",
    TrialOutcome.WRONG_TOOL: "#d08c3c",
    TrialOutcome.HALLUCINATED_TOOL: "#a8442a",
    TrialOutcome.BAD_ARGS: "#8e5ea2",
    TrialOutcome.EXEC_ERROR: "#7fb3d5",
    TrialOutcome.SILENT_FAIL: "#4d94c4",
    TrialOutcome.OK: BAR,
}
_FLOORS = {"lexical": "cross", "majority": "square", "random": "triangle-down"}
_NAME = 60


def figure_names(number: int) -> tuple[str, str]:
    """Where the figures of a report's page are, relative to the report: the rates, and the outcomes."""
    return f"{FIGURES}/rates-{number}.svg", f"{FIGURES}/outcomes-{number}.svg"


def draw_figures(report: RateReport, folder: Path) -> None:
    """Write the figures of each page below a folder; the same report gives the same bytes. No rates, no first one."""
    (folder / FIGURES).mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(report.pages, 1):
        rates, outcomes = figure_names(number)
        if page.statistics is not None:
            _forest(page, report.judge).save(folder / rates, format="svg")
        if page.coverage.measured:
            _outcomes(page).save(folder / outcomes, format="svg")


def place_text(page: PageReport) -> str:
    """A page and its variant, as figures and texts name them."""
    return f"{page.page} ({page.variant})" if page.variant else page.page


def _rows(page: PageReport) -> Iterator[tuple[str, Statistics]]:
    for tool in page.tools:
        if tool.statistics is not None:
            yield inert(tool.tool, _NAME), tool.statistics
    if page.statistics is not None and len(page.tools) > 1:
        yield ALL_TOOLS, page.statistics


def _forest(page: PageReport, judge: str) -> alt.TopLevelMixin:
    rows = list(_rows(page))
    order = [name for name, _ in rows]
    y = alt.Y("tool:N", sort=order, title=None, axis=category_axis())
    scale = alt.Scale(domain=[0, 1])
    shares = [
        {
            "tool": name, "rate": each.rate.rate, "low": each.rate.low, "high": each.rate.high,
            "far_low": each.to_quote.low, "far_high": each.to_quote.high,
            "label": f"{each.rate.k:,} of {each.rate.n:,}",
        }
        for name, each in rows
    ]  # fmt: skip
    chart = alt.Chart(pl.DataFrame(shares)).encode(y=y)
    far = chart.mark_rule(color=INK, strokeWidth=1).encode(
        x=alt.X("far_low:Q", title="Invocation rate", scale=scale, axis=alt.Axis(format="%", tickCount=5)),
        x2="far_high:Q",
    )
    near = chart.mark_rule(color=BAR, strokeWidth=4).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    points = chart.mark_point(color=BAR, filled=True, size=70, opacity=1).encode(x=alt.X("rate:Q", scale=scale))
    labels = chart.mark_text(align="left", dx=8, color=INK).encode(x=alt.value(WIDTH), text="label:N")
    drawn = alt.Chart(pl.DataFrame(list(_floor_rows(rows)))).encode(y=y)
    floors = drawn.mark_point(color=MUTED, size=45, filled=False, opacity=1).encode(
        x=alt.X("share:Q", scale=scale),
        shape=alt.Shape(
            "floor:N",
            scale=alt.Scale(domain=list(_FLOORS), range=list(_FLOORS.values())),
            legend=alt.Legend(title="Floors", orient="bottom", direction="horizontal"),
        ),
    )
    return framed(
        alt.layer(far, near, floors, points, labels).properties(width=WIDTH, height=alt.Step(34)),
        "How often the tool was invoked",
        f"{inert(place_text(page), 100)}; judge {inert(judge, 80)}",
        f"Point: the rate; thick line: 95 % Wilson interval; thin line: {varies(rows[-1][1])}",
    )


def _floor_rows(rows: Sequence[tuple[str, Statistics]]) -> Iterator[dict[str, object]]:
    for name, each in rows:
        for floor in _FLOORS:
            yield {"tool": name, "floor": floor, "share": getattr(each.floors, floor)}


def _outcomes(page: PageReport) -> alt.TopLevelMixin:
    counted = [(inert(tool.tool, _NAME), tool.outcomes) for tool in page.tools]
    counted += [(f"control: {control.kind.replace('_', ' ')}", control.outcomes) for control in page.controls]
    order = {outcome.value: number for number, outcome in enumerate(reversed(TrialOutcome))}
    rows = [
        {"what": what, "outcome": outcome, "trials": count, "order": order[outcome]}
        for what, outcomes in counted
        for outcome, count in outcomes.items()
    ]
    used = [outcome for outcome in reversed(TrialOutcome) if any(row["outcome"] == outcome for row in rows)]
    chart = alt.Chart(pl.DataFrame(rows)).encode(
        y=alt.Y("what:N", sort=[what for what, _ in counted], title=None, axis=category_axis()),
        x=alt.X("trials:Q", title="Measured trials", axis=alt.Axis(tickMinStep=1, tickCount=5)),
        color=alt.Color(
            "outcome:N",
            scale=alt.Scale(domain=[each.value for each in used], range=[_COLOURS[each] for each in used]),
            legend=alt.Legend(title=None, orient="bottom", direction="horizontal", columns=4),
        ),
        order=alt.Order("order:Q"),
    )
    return framed(
        alt.layer(chart.mark_bar()).properties(width=WIDTH, height=alt.Step(26)),
        "How the trials ended",
        f"{inert(place_text(page), 100)}: {page.coverage.measured:,} of {page.coverage.planned:,} planned trials",
    )
