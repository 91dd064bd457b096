"""Lint's findings of one manifest, as a subject of a report: with lines, and with what was accepted."""

from collections import Counter
from collections.abc import Iterable

from census.finding import Finding
from measure.lint.linting import lint
from measure.lint.manifest import Manifest
from measure.lint.registry import RULES
from measure.lint.rules_page import explain
from measure.lint.text import well_formed
from measure.outputs.place import relative
from measure.outputs.report import Result, RuleText, Subject
from measure.suppressions import Suppressions
from measure.tool_lines import ToolLines


def rule_texts() -> tuple[RuleText, ...]:
    """What the outputs say of each rule."""
    return tuple(RuleText(rule.id, rule.severity, rule.reason, explain(rule.id)) for rule in RULES)


def subject_of(
    manifest: Manifest,
    suppressions: Suppressions,
    *,
    file: str | None = None,
    lines: ToolLines | None = None,
    arm: str | None = None,
    names: Iterable[str] = (),
    unanswered: str | None = None,
) -> Subject:
    """Lint a manifest. `names`: what the suppressions' `page` may match besides the manifest's source."""
    known = (manifest.source, *([file, relative(file)] if file else []), *names)
    nths = _nths(manifest)
    results = tuple(
        Result(
            finding,
            line=_line(finding, nths, lines, arm) if lines else None,
            accepted=suppressions.reason(finding, known),
        )
        for finding in lint(manifest)
    )
    tools = tuple(well_formed(tool.name) for tool in manifest.tools)
    return Subject(manifest.source, file, tools, results, unanswered)


def _nths(manifest: Manifest) -> list[int]:
    """For each tool, how many before it have its name."""
    seen: Counter[str] = Counter()
    found = []
    for tool in manifest.tools:
        found.append(seen[tool.name])
        seen[tool.name] += 1
    return found


def _line(finding: Finding, nths: list[int], lines: ToolLines, arm: str | None) -> int | None:
    if finding.tool is None:
        return None
    step = finding.pointer.split("/")[1] if finding.pointer else ""
    nth = nths[int(step)] if step.isdigit() and int(step) < len(nths) else 0
    return lines.line(finding.tool, finding.pointer, nth=nth, arm=arm)
