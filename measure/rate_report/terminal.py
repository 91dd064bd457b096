"""A report for a person at a terminal."""

from collections.abc import Iterator

from census.text import inert, rate_text
from measure.rate_report.figures import place_text
from measure.rate_report.gate import breach_text
from measure.rate_report.report import PageReport, PredictionScore, RateReport, Statistics
from measure.rate_report.words import coverage_text, floors_text, in_a_row_text, quoted_text, spread_text
from measure.utterances.utterance_set import Tag


def report_text(report: RateReport) -> str:
    """What `rate` prints: each tool's rate with what has to stand beside it, then the controls and the gate."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: RateReport) -> Iterator[str]:
    yield f"Judge {inert(report.judge)}; browser {inert(', '.join(report.builds))}"
    sets = ", ".join(f"{each.id} ({each.digest[:19]}…)" for each in report.sets)
    yield f"Utterances: {inert(sets)}; {report.sessions} sessions x {report.repeats} repeats"
    yield f"Coverage: {coverage_text(report.coverage)}"
    if not report.complete:
        yield "INCOMPLETE: gaps are not random, so there is no rate. Run the same command again to fill them."
    for page in report.pages:
        yield ""
        yield from _page(page)
    for score in report.predictions:
        yield _prediction(score)
    yield ""
    yield from (f"- {caveat}" for caveat in report.caveats)
    for breach in report.gate.breaches:
        yield f"FAILED {inert(breach_text(report, breach))}"


def _page(page: PageReport) -> Iterator[str]:
    yield inert(place_text(page))
    for tool in page.tools:
        yield f"  {inert(tool.tool)}"
        if tool.statistics is not None:
            yield from _statistics(tool.statistics)
        else:
            yield f"    {coverage_text(tool.coverage)}"
        ended = ", ".join(f"{count:,} {outcome}" for outcome, count in tool.outcomes.items())
        yield f"    ended: {ended or 'none'}"
    if page.statistics is not None and len(page.tools) > 1:
        yield "  all tools"
        yield from _statistics(page.statistics)
    for control in page.controls:
        positives = control.false_positives
        said = rate_text(positives) if positives is not None else coverage_text(control.coverage)
        yield f"  {control.kind} controls answered with a call: {said}"


def _statistics(found: Statistics) -> Iterator[str]:
    yield f"    invoked {rate_text(found.rate)}; quote {quoted_text(found)}"
    tags = [tag for tag in (Tag.DIRECT, Tag.AMBIGUOUS) if tag in found.by_tag]
    apart = [f"{tag.value} {rate_text(found.by_tag[tag])}" for tag in tags]
    if apart:
        yield f"    {'; '.join(apart)}"
    yield f"    floors (lexical / majority / random): {floors_text(found.floors)}"
    yield f"    between sessions {spread_text(found.between_sessions)}; within {spread_text(found.within_sessions)}"
    yield f"    in a row: {in_a_row_text(found)}"


def _prediction(score: PredictionScore) -> str:
    place = f"{score.page} ({score.variant})" if score.variant else score.page
    head = f"predicted {100 * score.predicted:g} % for {score.tool} on {place}"
    if score.hit is None or score.brier is None or score.brier_least is None:
        return inert(f"{head}: not measured")
    verdict = "hit" if score.hit else "miss"
    return inert(f"{head}: {verdict} (Brier {score.brier:.3f}; the measured rate itself {score.brier_least:.3f})")
