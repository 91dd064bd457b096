"""A report as JUnit XML: a suite for each page and variant, a case for each tool and each kind of control."""

from collections.abc import Iterator

from junitparser import Error, Failure, TestCase

from census.text import inert, rate_text
from measure.outputs.junit_xml import junit_xml
from measure.rate_report.figures import place_text
from measure.rate_report.report import Breach, Coverage, PageReport, RateReport


def rates_junit(report: RateReport) -> str:
    """Write a report as JUnit XML. A breach is a failure; what has no measurement is an error."""
    suites = ((place_text(page), _cases(report, page)) for page in report.pages)
    return junit_xml(f"webmcp-census rate, {inert(report.judge)}", suites)


def _cases(report: RateReport, page: PageReport) -> Iterator[TestCase]:
    breaches = {
        (each.about, each.name): each
        for each in report.gate.breaches
        if (each.page, each.variant) == (page.page, page.variant)
    }
    for tool in page.tools:
        rate = tool.statistics.rate if tool.statistics else None
        said = f"invoked in {rate_text(rate)}" if rate else ""
        yield _case(page, tool.tool, tool.coverage, breaches.get(("tool", tool.tool)), said, report.complete)
    for control in page.controls:
        positives = control.false_positives
        said = f"answered with a call in {rate_text(positives)}" if positives else ""
        breach = breaches.get(("control", control.kind))
        yield _case(page, f"{control.kind} controls", control.coverage, breach, said, report.complete)


def _case(page: PageReport, name: str, coverage: Coverage, breach: Breach | None, said: str, whole: bool) -> TestCase:
    case = TestCase(inert(name), inert(place_text(page)))
    if not whole:
        causes = [f"{count:,} {cause}" for cause, count in coverage.missing.items()]
        causes += [f"{coverage.not_made:,} not made"] if coverage.not_made else []
        gaps = ", ".join(causes) or "none of its own; other trials of the run are missing"
        case.result = [Error(f"no rate, the run is incomplete: {gaps}", "incomplete")]
    elif breach is not None:
        case.result = [Failure(inert(breach.message), breach.about)]
    if said:
        case.system_out = said
    return case
