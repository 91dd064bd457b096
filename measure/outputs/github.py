"""A report as GitHub workflow commands: annotations beside the code, or in the log of the run."""

from census.finding import Severity
from census.text import inert
from measure.outputs.place import relative
from measure.outputs.report import Report, Result, Subject, counts_text, ordered

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def write_github(report: Report) -> str:
    """Write a report as workflow commands, what could not be measured first, then the worst findings.

    Accepted findings make no annotation. GitHub shows the first ten of a kind for each step.
    """
    lines = [
        command("error", f"{subject.source}: {subject.unanswered}", title="webmcp-census could not measure")
        for subject in report.subjects
        if subject.unanswered
    ]
    found = {id(result): subject for subject, result in report.results()}
    results = ordered(tuple(result for _, result in report.results() if result.accepted is None))
    lines += [_annotation(report, found[id(result)], result) for result in results]
    lines += [command("notice", notice, title="webmcp-census") for notice in report.notices]
    lines.append(f"webmcp-census {report.command}: {counts_text(report)}")
    return "".join(f"{line}\n" for line in lines)


def command(name: str, message: str, **properties: str | int | None) -> str:
    """Make one workflow command. Neither its message nor a property can end it or begin another."""
    pairs = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    return f"::{name} {pairs}::{_data(inert(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(inert(text)).replace(":", "%3A").replace(",", "%2C")


def _annotation(report: Report, subject: Subject, result: Result) -> str:
    finding = result.finding
    file = subject.file or report.anchor
    said = finding.message if subject.file else f"{subject.source}: {finding.message}"
    return command(
        _COMMAND[finding.severity],
        f"{said} {finding.remedy}",
        file=relative(file) if file else None,
        line=result.line,
        title=finding.rule if finding.tool is None else f"{finding.tool}: {finding.rule}",
    )
