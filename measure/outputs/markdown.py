"""A report as Markdown: for a pull request's comment or a run's summary."""

from census.text import escape_markdown, markdown_table
from measure.outputs.report import Report, Result, Subject, counts_text, ordered

_LIMIT = 600
"""Characters of a cell; the other outputs have all of it."""


def write_markdown(report: Report) -> str:
    """Write a report as Markdown, in which nothing that a page says is markup, link or HTML."""
    parts = [f"# webmcp-census {report.command}: {counts_text(report)}"]
    for subject in report.subjects:
        parts += [f"## {_cell(subject.source)}", *_subject(subject)]
    if report.notices:
        parts.append("\n".join(f"- {_cell(notice)}" for notice in report.notices))
    return "\n\n".join(parts) + "\n"


def _subject(subject: Subject) -> list[str]:
    if subject.unanswered:
        return [f"**Could not measure.** {_cell(subject.unanswered)}"]
    tools = f"{len(subject.tools):,} {subject.part}" + ("" if len(subject.tools) == 1 else "s")
    if not subject.results:
        return [f"{tools}, no findings."]
    rows = (_row(subject, result) for result in ordered(subject.results))
    return [f"{tools}.", markdown_table(("", subject.part.capitalize(), "What is wrong", "What to do", "Rule"), rows)]


def _row(subject: Subject, result: Result) -> tuple[str, ...]:
    finding = result.finding
    severity = finding.severity.value if result.accepted is None else "accepted"
    reason = f" Accepted: {_cell(result.accepted)}" if result.accepted is not None else ""
    line = f" (line {result.line})" if result.line else ""
    tool = f"the {subject.whole}" if finding.tool is None else _cell(finding.tool)
    return severity, f"{tool}{line}", _cell(finding.message), f"{_cell(finding.remedy)}{reason}", f"`{finding.rule}`"


def _cell(text: str) -> str:
    return escape_markdown(text, _LIMIT)
