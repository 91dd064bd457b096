"""A report as Markdown with its figures: for a repository, a pull request's comment or a run's summary."""

from collections.abc import Iterable, Iterator

from census.text import escape_markdown, interval_text, markdown_table, percent, rate_text
from measure.rate_report.figures import ALL_TOOLS, figure_names, place_text
from measure.rate_report.gate import breach_text
from measure.rate_report.report import PageReport, RateReport, Statistics
from measure.rate_report.words import (
    coverage_text,
    floors_text,
    in_a_row_text,
    quoted_text,
    spread_text,
)
from measure.utterances.utterance_set import Tag

_WORST = 10
_TEXT = 200


def report_markdown(report: RateReport, *, figures: bool = True) -> str:
    """Write a report as Markdown, in which nothing that a page or a judge says is markup. `figures`: link them."""
    parts = ["# Invocation rates", *_head(report)]
    for number, page in enumerate(report.pages, 1):
        parts += [f"## {_cell(place_text(page))}", *_page(page, figure_names(number) if figures else None)]
    if report.predictions:
        parts += ["## Predictions", _predictions(report)]
    parts += ["## What the numbers do not say", "\n".join(f"- {_cell(each, 400)}" for each in report.caveats)]
    parts += ["## How it was measured", _made(report)]
    return "\n\n".join(parts) + "\n"


def _cell(text: str, limit: int = 120) -> str:
    return escape_markdown(text, limit)


def _head(report: RateReport) -> Iterator[str]:
    if not report.complete:
        yield (
            f"**Incomplete: {coverage_text(report.coverage)}.** Gaps are not random, so there is no rate. Run the same"
            " command again to fill them."
        )
        return
    yield f"Coverage: {coverage_text(report.coverage)}. Judge: {_cell(report.judge, 200)}."
    asked = report.gate
    if asked.breaches:
        yield "\n".join(f"- **Failed:** {_cell(breach_text(report, each), 300)}" for each in asked.breaches)
    elif asked.fail_under is not None or asked.fail_under_tools or asked.fail_controls_over is not None:
        yield "Every threshold holds."


def _page(page: PageReport, figures: tuple[str, str] | None) -> Iterator[str]:
    if page.statistics is not None:
        if figures:
            yield f"![Invocation rates of {_cell(place_text(page))}]({figures[0]})"
        rows = [(tool.tool, tool.statistics) for tool in page.tools if tool.statistics is not None]
        rows += [(ALL_TOOLS, page.statistics)] if len(page.tools) > 1 else []
        yield _rates(rows)
        yield (
            "Wilson's interval takes trials to be independent; the one to quote does not, and says what it takes to"
            " vary. Floors: the share of the same questions for which words in common (lexical), one"
            " answer to everything (majority) or a blind draw (random) selects a right tool."
        )
        yield "### Direct and ambiguous, apart"
        yield _tags(rows)
    yield "### How the trials ended"
    if figures and page.coverage.measured:
        yield f"![How the trials of {_cell(place_text(page))} ended]({figures[1]})"
    yield _outcomes(page)
    yield from _failed(page)
    if page.controls:
        yield "### Controls: what no tool should answer"
        yield _controls(page)


def _rates(rows: Iterable[tuple[str, Statistics]]) -> str:
    return markdown_table(
        (
            "Tool", "Rate", "95 % (Wilson)", "n", "95 % (to quote)",
            "Floors (lexical / majority / random)", "Between sessions", "Within", "In a row",
        ),
        (
            (
                _cell(name), percent(each.rate.rate), interval_text(each.rate), f"{each.rate.k:,} of {each.rate.n:,}",
                quoted_text(each), floors_text(each.floors),
                spread_text(each.between_sessions), spread_text(each.within_sessions), in_a_row_text(each),
            )
            for name, each in rows
        ),
    )  # fmt: skip


def _tags(rows: Iterable[tuple[str, Statistics]]) -> str:
    return markdown_table(
        ("Tool", *(tag.value.replace("_", " ") for tag in Tag)),
        (
            (_cell(name), *(rate_text(each.by_tag[tag]) if tag in each.by_tag else "none" for tag in Tag))
            for name, each in rows
        ),
    )


def _outcomes(page: PageReport) -> str:
    rows = (
        (
            _cell(tool.tool),
            ", ".join(f"{count:,} `{outcome}`" for outcome, count in tool.outcomes.items()) or "none",
            ", ".join(f"{_cell(name) or 'nothing'} {count:,}" for name, count in tool.called.items()) or "none",
            coverage_text(tool.coverage),
        )
        for tool in page.tools
    )
    return markdown_table(("Expected tool", "Outcomes", "Called", "Coverage"), rows)


def _failed(page: PageReport) -> Iterator[str]:
    failed = [(tool.tool, each) for tool in page.tools for each in tool.utterances if each.invoked < each.measured]
    rows = sorted(failed, key=lambda row: row[1].invoked / row[1].measured)[:_WORST]
    if rows:
        yield f"### Utterances that failed most (at most {_WORST})"
        yield markdown_table(
            ("Expected tool", "Utterance", "Text", "Invoked"),
            (
                (_cell(tool), _cell(each.utterance), _cell(each.text, _TEXT), f"{each.invoked:,} of {each.measured:,}")
                for tool, each in rows
            ),
        )


def _controls(page: PageReport) -> str:
    return markdown_table(
        ("Kind", "Answered with a call", "Outcomes", "Coverage"),
        (
            (
                control.kind.replace("_", " "),
                rate_text(control.false_positives) if control.false_positives else "no rate",
                ", ".join(f"{count:,} `{outcome}`" for outcome, count in control.outcomes.items()) or "none",
                coverage_text(control.coverage),
            )
            for control in page.controls
        ),
    )


def _predictions(report: RateReport) -> str:
    table = markdown_table(
        ("Page", "Tool", "By", "Predicted", "Measured", "Brier", "The measured rate's own", "Inside the interval"),
        (
            (
                _cell(f"{each.page} {each.variant}".strip()), _cell(each.tool), _cell(each.by) or "unknown",
                percent(each.predicted), percent(each.measured),
                "-" if each.brier is None else f"{each.brier:.3f}",
                "-" if each.brier_least is None else f"{each.brier_least:.3f}",
                "not measured" if each.hit is None else "hit" if each.hit else "miss",
            )
            for each in report.predictions
        ),
    )  # fmt: skip
    return f"{table}\n\nBrier: the mean squared distance between the predicted share and each trial (0 or 1)."


def _made(report: RateReport) -> str:
    rows = [
        ("Run", report.run),
        ("Judge", report.judge),
        ("Browser", ", ".join(report.builds)),
        ("Sessions x repeats", f"{report.sessions} x {report.repeats}, {report.spacing_s:,.0f} s between sessions"),
        ("Seed", str(report.seed)),
        ("Executed", _executed(report)),
        ("Served folder", report.served or "none"),
        ("Measured", f"{report.measured_from:%Y-%m-%d %H:%M} to {report.measured_to:%Y-%m-%d %H:%M} UTC"
         if report.measured_from and report.measured_to else "never"),
        ("Code", f"webmcp-census {report.code_version}"),
    ]  # fmt: skip
    for each in report.sets:
        rows.append(("Utterances", f"{each.id}, {each.utterances} and {each.controls} controls, {each.digest}"))
        rows.append(("Written by", ", ".join(each.authors)))
    if report.usage is not None:
        taken = report.usage
        rows.append(("Tokens", f"{taken.input_tokens:,} in, {taken.output_tokens:,} out, of {taken.trials:,} trials"))
    return markdown_table(("", ""), ((name, _cell(value, 400)) for name, value in rows))


def _executed(report: RateReport) -> str:
    if not report.execute:
        return "nothing"
    return "all tools" if report.allow_writes else "tools marked read-only"
