"""A report as JUnit XML: a suite for each subject, a case for each of its tools and one for the whole."""

from collections.abc import Iterable

from junitparser import Error, Failure, TestCase

from census.text import inert
from measure.outputs.junit_xml import junit_xml
from measure.outputs.report import Report, Result, Subject, ordered


def write_junit(report: Report) -> str:
    """Write a report as JUnit XML.

    A case fails when one of its findings is at or above the gate; the other findings are in its output. What
    could not be measured is an error, not a failure.
    """
    suites = ((subject.source, _cases(report, subject)) for subject in report.subjects)
    return junit_xml(f"webmcp-census {report.command}", suites)


def _cases(report: Report, subject: Subject) -> Iterable[TestCase]:
    if subject.unanswered:
        case = TestCase(subject.whole, inert(subject.source))
        case.result = [Error(inert(subject.unanswered), "could-not-measure")]
        yield case
        return
    by_tool: dict[str | None, list[Result]] = {None: [], **{tool: [] for tool in subject.tools}}
    for result in subject.results:
        by_tool.setdefault(result.finding.tool, []).append(result)
    for tool, results in by_tool.items():
        yield _case(report, subject, subject.whole if tool is None else inert(tool), ordered(tuple(results)))


def _case(report: Report, subject: Subject, name: str, results: list[Result]) -> TestCase:
    case = TestCase(name, inert(subject.source))
    failing = [result for result in results if report.fails(result)]
    if failing:
        first = failing[0].finding
        failure = Failure(inert(first.message), first.rule)
        failure.text = "\n".join(_line(subject, result) for result in failing)
        case.result = [failure]
    others = [result for result in results if not report.fails(result)]
    if others:
        case.system_out = "\n".join(_line(subject, result) for result in others)
    return case


def _line(subject: Subject, result: Result) -> str:
    finding = result.finding
    place = f"{subject.file}:{result.line}: " if subject.file and result.line else ""
    accepted = f" (accepted: {result.accepted})" if result.accepted is not None else ""
    return inert(f"{place}{finding.severity.value} {finding.rule}: {finding.message} {finding.remedy}{accepted}")
