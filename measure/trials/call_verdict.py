"""How far the calls of a judge's answer got, before any is executed. Nothing here asks a page or a judge."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from measure.evals.argument_check import ArgumentCheck
from measure.evals.expected import mismatches
from measure.evals.json_values import json_equal
from measure.judges.judge import Answer, Call
from measure.lint.schema_walk import MAX_DEPTH, depth
from measure.live.live_tool import LiveTool
from measure.rates.trial_outcome import TrialOutcome
from measure.utterances.utterance_set import Control, Utterance

Said = Utterance | Control
REACH = tuple(TrialOutcome)


class CallVerdict(NamedTuple):
    """One call: OK when nothing is wrong with it."""

    call: Call
    outcome: TrialOutcome
    detail: str = ""
    schema_misfit: str | None = None
    expectation_misfit: str | None = None


class AnswerVerdict(NamedTuple):
    """A whole answer: the outcome of the call that got least far."""

    outcome: TrialOutcome
    detail: str
    calls: tuple[CallVerdict, ...]


def right_tools(said: Said) -> frozenset[str]:
    """The tools that should answer: the expected and the acceptable ones; of a control none."""
    return frozenset() if isinstance(said, Control) else frozenset({said.tool, *said.acceptable})


def unasked(
    said: Said, *, supported: bool, registered: AbstractSet[str], offered: AbstractSet[str]
) -> tuple[TrialOutcome, str] | None:
    """The outcome where no judge need be asked, with what it is about; None where one has to be.

    `registered` are the names of all tools that any of the page's documents knows of, `offered` those that the browser
    offers an agent.
    """
    right = right_tools(said)
    if not offered and not supported:
        return TrialOutcome.NOT_SUPPORTED, "the page has no WebMCP object that answers"
    if isinstance(said, Control):
        return None if offered else (TrialOutcome.NOT_REGISTERED, "the page offers no tool")
    if right & offered:
        return None
    wanted = _listed(right)
    if right & registered:
        return TrialOutcome.NOT_DISCOVERED, f"{wanted}: registered, and not offered by the browser"
    return TrialOutcome.NOT_REGISTERED, f"{wanted}: not registered; the page has {_listed(offered) or 'no tool'}"


def verdict(said: Said, answer: Answer, offered: Sequence[LiveTool]) -> AnswerVerdict:
    """Judge an answer's calls one by one; of a control every call is wrong."""
    tools = {tool.name: tool for tool in offered}
    check = ArgumentCheck(tuple(tool.manifest_tool() for tool in offered))
    calls: list[CallVerdict] = []
    for call in answer.calls:
        judged = _judged(said, call, tools, check)
        twin = judged.outcome is TrialOutcome.OK and any(_same(call, earlier.call) for earlier in calls)
        if twin and not tools[call.name].read_only:
            judged = judged._replace(
                outcome=TrialOutcome.BAD_ARGS, detail=f"{call.name} was called twice with the same arguments"
            )
        calls.append(judged)
    if not calls:
        nothing = TrialOutcome.OK if isinstance(said, Control) else TrialOutcome.NOT_SELECTED
        return AnswerVerdict(nothing, answer.malformed or "", ())
    least = min(calls, key=lambda each: REACH.index(each.outcome))
    if least.outcome is TrialOutcome.OK and answer.malformed is not None:
        return AnswerVerdict(TrialOutcome.BAD_ARGS, answer.malformed, tuple(calls))
    return AnswerVerdict(least.outcome, least.detail, tuple(calls))


def _judged(said: Said, call: Call, tools: dict[str, LiveTool], check: ArgumentCheck) -> CallVerdict:
    if call.name not in tools:
        return CallVerdict(call, TrialOutcome.HALLUCINATED_TOOL, f"{call.name} was never offered")
    if isinstance(said, Control) or call.name not in right_tools(said):
        return CallVerdict(call, TrialOutcome.WRONG_TOOL, f"{call.name} was called")
    misfit = _misfit(call, check)
    if misfit is not None:
        return CallVerdict(call, TrialOutcome.BAD_ARGS, f"{call.name}{_at(misfit)}", schema_misfit=misfit)
    unlike = _unlike(said, call)
    if unlike is not None:
        return CallVerdict(call, TrialOutcome.BAD_ARGS, f"{call.name}{_at(unlike)}", expectation_misfit=unlike)
    return CallVerdict(call, TrialOutcome.OK)


def _misfit(call: Call, check: ArgumentCheck) -> str | None:
    if isinstance(call.arguments, dict) and depth(call.arguments, MAX_DEPTH) >= MAX_DEPTH:
        return f"nested {MAX_DEPTH} levels deep or more"
    return check.misfit(call.name, call.arguments)


def _unlike(said: Utterance, call: Call) -> str | None:
    """How arguments are not the expected ones: they are expected of the expected tool only."""
    if call.name != said.tool or said.arguments is None:
        return None
    found = next(mismatches(dict(said.arguments), call.arguments, {}), None)
    return None if found is None else f"{found.pointer or 'the whole'}: expected {found.expected}, was {found.actual}"


def _same(one: Call, other: Call) -> bool:
    return one.name == other.name and json_equal(one.arguments, other.arguments)


def _at(misfit: str) -> str:
    return misfit if misfit.startswith("/") else f" {misfit}"


def _listed(names: AbstractSet[str]) -> str:
    return ", ".join(sorted(names)[:10])
