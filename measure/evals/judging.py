"""The verdict on one run of a case, by either matcher."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum

from measure.evals.case import Case
from measure.evals.channel import failed
from measure.evals.compat_verdict import match_compat
from measure.evals.conversation import result_text
from measure.evals.expected import mismatches
from measure.evals.matching import match
from measure.evals.plan import calls_of
from measure.evals.run import Run
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


def verdict_of(
    case: Case, run: Run, tools: Iterable[ManifestTool], matcher: Matcher, *, smoke: bool = False
) -> Verdict:
    """Judge one run; with `smoke`, a call that fails and is not said to have to is one that breaks.

    What the public runner does not see, `compat` does not count: a malformed answer, no end.

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
    if smoke:
        more += _broken_calls(case, run, verdict)
    unchecked = verdict.unchecked
    if case.page is not None and run.page is None:
        unchecked += 1
    elif case.page is not None:
        more += [
            Violation(Constraint.PAGE, f"{each.pointer or 'the page'} is {each.actual}, expected {each.expected}")
            for each in mismatches(case.page, run.page, {})
        ]
    return replace(verdict, violations=(*verdict.violations, *more), unchecked=unchecked)


def _broken_calls(case: Case, run: Run, verdict: Verdict) -> Iterator[Violation]:
    """Calls that failed on the page and are not said to have to."""
    planned = {verdict.aligned[call.place]: call for call in calls_of(case.plan or ()) if call.place in verdict.aligned}
    for number, made in enumerate(run.made, start=1):
        call = planned.get(number)
        if made.fault or not failed(made) or (call is not None and call.fails is not None):
            continue
        said = made.error if made.error is not None else result_text(made.result)
        place = call.place if call is not None else None
        yield Violation(Constraint.FAILURE, f"call {number}, {made.name}, failed: {said[:300]}", place, number)
