"""The verdict on one run of a case, by either matcher."""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from measure.evals.case import Case
from measure.evals.compat_verdict import match_compat
from measure.evals.matching import match
from measure.evals.static_run import Run
from measure.evals.verdict import Constraint, Verdict, Violation
from measure.lint.manifest import ManifestTool


class Matcher(Enum):
    """How calls are held against what is expected."""

    DEFAULT = "default"
    COMPAT = "compat"


def read_only(tools: Iterable[ManifestTool]) -> frozenset[str]:
    """Tools that say that they change nothing. A browser takes any truthy value for yes."""
    return frozenset(tool.name for tool in tools if _says_read_only(tool))


def _says_read_only(tool: ManifestTool) -> bool:
    hints = tool.annotations or {}
    return bool(hints.get("readOnlyHint") or hints.get("readOnly"))


def verdict_of(case: Case, run: Run, tools: Iterable[ManifestTool], matcher: Matcher) -> Verdict:
    """Judge one run. What the public runner does not see, `compat` does not count: a malformed answer, no end.

    Raises GaveUpError (`compat` only), and CensusError when no alignment is found in time.
    """
    if matcher is Matcher.COMPAT:
        return match_compat(case, run.made)
    verdict = match(case, run.made, read_only=read_only(tools), driven=run.driven)
    more: list[Violation] = []
    if run.malformed is not None:
        more.append(Violation(Constraint.MALFORMED, f"answer {run.steps} is no valid call: {run.malformed}"))
    if not run.stopped:
        more.append(Violation(Constraint.ENDLESS, f"calls were still made in answer {run.steps}, the last one allowed"))
    return replace(verdict, violations=(*verdict.violations, *more))
