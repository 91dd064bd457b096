"""A report as SARIF 2.1.0 (OASIS, errata 01), as code scanning services read it."""

import hashlib
import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from pydantic import JsonValue

from census.finding import Finding
from census.text import inert
from measure.outputs.place import relative
from measure.outputs.report import Report, Result, RuleText, Subject

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "webmcpCensusFinding/v1"
LINE_HASH = "primaryLocationLineHash"
"""The one fingerprint that GitHub reads; its uploader makes it from the file's line where there is one."""

_Json = dict[str, JsonValue]


def write_sarif(report: Report) -> str:
    """Write a report as SARIF.

    A finding of a page is at the report's anchor where it has one, because GitHub refuses a whole upload in which
    one location is no file of the repository; the page is then in the message and in the logical location.
    """
    rules = _rules(report)
    index = {str(rule["id"]): number for number, rule in enumerate(rules)}
    accepted = report.accepted() > 0
    run: _Json = {
        "tool": {
            "driver": {
                "name": "webmcp-census",
                "version": version("webmcp-census"),
                "rules": [*rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": [
            _result(report, subject, result, fingerprint, index[result.finding.rule], accepted=accepted)
            for subject, result, fingerprint in _fingerprinted(report)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rules(report: Report) -> list[_Json]:
    known = [_rule(rule) for rule in report.rules]
    ids = {rule.id for rule in report.rules}
    others = sorted({result.finding.rule for _, result in report.results()} - ids)
    return known + [{"id": rule} for rule in others]


def _rule(rule: RuleText) -> _Json:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {"tags": ["webmcp", rule.id.partition("/")[0]]},
    }


def _invocation(report: Report) -> _Json:
    unanswered = [subject for subject in report.subjects if subject.unanswered]
    invocation: _Json = {"executionSuccessful": not unanswered, "exitCode": report.exit_code}
    if unanswered:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": _message(f"{subject.source}: {subject.unanswered}")} for subject in unanswered
        ]
    return invocation


def _fingerprinted(report: Report) -> list[tuple[Subject, Result, str]]:
    """Results with fingerprints that neither the order of the tools nor a number in a message changes."""
    found = sorted(report.results(), key=lambda pair: pair[1].finding.message)
    seen: Counter[str] = Counter()
    fingerprints: dict[int, str] = {}
    for subject, result in found:
        digest = _digest(subject, result.finding)
        seen[digest] += 1
        fingerprints[id(result)] = f"{digest}:{seen[digest]}"
    return [(subject, result, fingerprints[id(result)]) for subject, result in report.results()]


def _digest(subject: Subject, finding: Finding) -> str:
    parts = (subject.source, finding.rule, finding.tool, finding.frame, _within_tool(finding.pointer))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _within_tool(pointer: str) -> str:
    """The pointer without its first step, the tool's number in the list."""
    return "/".join(pointer.split("/")[2:])


def _result(
    report: Report, subject: Subject, result: Result, fingerprint: str, rule_index: int, *, accepted: bool
) -> _Json:
    finding = result.finding
    said = finding.message if subject.file else f"{subject.source}: {finding.message}"
    fingerprints: _Json = {FINGERPRINT: fingerprint}
    if result.line is None:
        fingerprints[LINE_HASH] = fingerprint
    written: _Json = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": finding.severity.value,
        "message": _message(f"{said} {finding.remedy}"),
        "locations": [_location(report, subject, result)],
        "partialFingerprints": fingerprints,
        "properties": {"remedy": inert(finding.remedy), "pointer": inert(finding.pointer)},
    }
    if accepted:
        # When one result says whether it is suppressed, all must (SARIF 3.27.23).
        reason = result.accepted
        written["suppressions"] = (
            [{"kind": "external", "status": "accepted", "justification": inert(reason)}] if reason is not None else []
        )
    return written


def _message(text: str) -> _Json:
    shown = inert(text)
    # `[a](b)` would be a link (SARIF 3.11.6), and the words may be a page's.
    return {"text": shown.replace("[", "\\[").replace("]", "\\]") if "](" in shown else shown}


def _location(report: Report, subject: Subject, result: Result) -> _Json:
    file = subject.file or report.anchor
    place: _Json = {"artifactLocation": {"uri": uri_of(file) if file else quote(inert(subject.source), safe=_URL_SAFE)}}
    if result.line is not None:
        place["region"] = {"startLine": result.line}
    location: _Json = {"physicalLocation": place}
    if result.finding.tool is not None:
        name = inert(result.finding.tool)
        where = f"{inert(subject.source)}#{result.finding.frame}" if result.finding.frame else inert(subject.source)
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": f"{where}/{name}", "kind": "function"}]
    return location


_URL_SAFE = ":/?#[]@!$&'()*+,;=%~"


def uri_of(file: str) -> str:
    """A file's URI: relative to the working directory where it is under it, else absolute."""
    path = Path(relative(file))
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
