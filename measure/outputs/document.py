"""A report as JSON, for programs."""

import json

from pydantic import JsonValue

from measure.outputs.report import Report, Result, Subject


def write_json(report: Report) -> str:
    """Write a report as one JSON object, in ASCII: whatever a page says survives any pipe."""
    return json.dumps(document(report), indent=1) + "\n"


def document(report: Report) -> dict[str, JsonValue]:
    """What the JSON output holds: the command's own details, then what every command has."""
    counts = report.counts()
    return {
        **report.details,
        "command": report.command,
        "subjects": [_subject(subject) for subject in report.subjects],
        "counts": {severity.value: count for severity, count in sorted(counts.items())},
        "accepted": report.accepted(),
        "fail_on": report.fail_on.value if report.fail_on else None,
        "notices": list(report.notices),
        "exit_code": report.exit_code,
    }


def _subject(subject: Subject) -> dict[str, JsonValue]:
    return {
        "source": subject.source,
        "file": subject.file,
        "tools": list(subject.tools),
        "unanswered": subject.unanswered,
        "findings": [_result(result) for result in subject.results],
    }


def _result(result: Result) -> dict[str, JsonValue]:
    return {**result.finding.model_dump(mode="json"), "line": result.line, "accepted": result.accepted}
