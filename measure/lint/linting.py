"""`lint`: every rule over one manifest."""

from jsonpointer import JsonPointer

from census.finding import Finding, Severity
from measure.lint.analysis import Analysis
from measure.lint.manifest import Manifest
from measure.lint.registry import RULES
from measure.lint.rule import Hit, Rule
from measure.lint.text import well_formed

_ORDER = {severity: position for position, severity in enumerate(Severity)}


def lint(manifest: Manifest) -> tuple[Finding, ...]:
    """What is wrong with a manifest: errors first, then the page before its tools, then in the order of the tools.

    Never raises for what a page says: any names, texts and schemas are fit to be judged.
    """
    analysis = Analysis(manifest)
    found = [
        (_ORDER[rule.severity], -1 if hit.tool is None else hit.tool, number, hit)
        for number, rule in enumerate(RULES)
        for hit in rule.check(analysis)
    ]
    found.sort(key=lambda each: each[:3])
    return tuple(_finding(RULES[number], hit, manifest) for _, _, number, hit in found)


def _finding(rule: Rule, hit: Hit, manifest: Manifest) -> Finding:
    tool = None if hit.tool is None else manifest.tools[hit.tool]
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        tool=None if tool is None else well_formed(tool.name),
        frame=None if tool is None else tool.frame,
        pointer="" if hit.tool is None else well_formed(JsonPointer.from_parts([hit.tool, *hit.path]).path),
        message=well_formed(hit.message),
        remedy=well_formed(hit.remedy),
    )
