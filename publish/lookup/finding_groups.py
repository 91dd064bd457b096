"""Findings as a reader wants them: one group a rule, the worst first."""

from collections.abc import Sequence
from typing import NamedTuple

from census.finding import Severity
from publish.lookup.entry import EntryFinding

_ORDER = list(Severity)


class FindingGroup(NamedTuple):
    """The findings of one rule: the first of them, and the other tools that it fires on."""

    first: EntryFinding
    likewise: tuple[str, ...]
    """Names of the other tools, each once."""
    size: int


def finding_groups(findings: Sequence[EntryFinding]) -> list[FindingGroup]:
    """Group findings by rule; errors before warnings before notes, then the rules that fire on more tools."""
    by_rule: dict[tuple[Severity, str], list[EntryFinding]] = {}
    for finding in findings:
        by_rule.setdefault((finding.severity, finding.rule), []).append(finding)
    groups = [_group(members) for members in by_rule.values()]
    return sorted(groups, key=lambda group: (_ORDER.index(group.first.severity), -group.size, group.first.rule))


def _group(members: list[EntryFinding]) -> FindingGroup:
    others = dict.fromkeys(each.tool for each in members[1:] if each.tool is not None and each.tool != members[0].tool)
    return FindingGroup(members[0], tuple(others), len(members))
