"""`eval lint`: what is wrong with a suite, before any judge is asked."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from measure.evals.case import CallPattern, Case, Suite
from measure.evals.expected import sources
from measure.evals.json_values import shown
from measure.evals.lint_arguments import argument_findings
from measure.evals.lint_rule import SuiteHit, SuiteRule
from measure.evals.plan import ABSENT, Group, Node, PlannedCall, calls_of, first_to_last
from measure.judges.judge import Message
from measure.lint.manifest import ManifestTool
from measure.lint.text import listed
from measure.outputs.report import RANK

_RELATIVE = re.compile(
    r"(?i)\b(today|tonight|tomorrow|yesterday|this (morning|afternoon|evening|week|weekend|month|year)"
    r"|(next|this coming|coming|last|previous|on) (mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(next|last|previous) (week|weekend|month|year)|in \w+ (days?|weeks?|months?)|\w+ (days?|weeks?|months?) ago)\b"
)
"""Words that mean another date on another day. English only; other languages are not judged."""
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def lint_suite(suite: Suite, tools: Sequence[ManifestTool] | None) -> tuple[SuiteHit, ...]:
    """The findings of a suite, the worst first. Without tools, what needs them is not judged."""
    found: list[SuiteHit] = []
    for case in suite.cases:
        if tools is not None:
            found += _about_tools(case, {tool.name: tool for tool in tools})
        found += [*_relative_dates(case), *_impossible(case), *_nothing_to_take(case)]
    found += [*_same_prompts(suite.cases), *_about_the_suite(suite.cases)]
    return tuple(sorted(found, key=lambda each: RANK[each.severity]))


def _about_tools(case: Case, tools: dict[str, ManifestTool]) -> Iterator[SuiteHit]:
    for place, pattern in _named(case):
        if pattern.name not in tools:
            yield SuiteHit(
                SuiteRule.UNKNOWN_TOOL,
                case.name,
                place,
                f"there is no tool {pattern.name!r}; there are {listed(list(tools), 8)}",
                "Write the name as the list of tools has it.",
            )
        else:
            yield from argument_findings(case, f"{place}.arguments", pattern.arguments, tools[pattern.name])
    for name in sorted((case.limits.keys() - {"*"}) | case.harmless):
        if name not in tools:
            yield SuiteHit(
                SuiteRule.UNKNOWN_TOOL,
                case.name,
                case.place,
                f"limits or harmless names {name!r}, and there is no such tool",
                "Write the name as the list of tools has it.",
            )


def _named(case: Case) -> Iterator[tuple[str, CallPattern]]:
    """Every tool that a case names with arguments, and where."""
    for call in calls_of(case.plan or ()):
        yield call.place, CallPattern(call.name, call.arguments)
    for index, pattern in enumerate(case.forbidden):
        yield f"{case.place}.forbidden[{index}]", pattern
    for index, driven in enumerate(case.drive):
        # What is driven is written as it is: a key that begins with `$` is no operator there.
        yield f"{case.place}.drive[{index}]", CallPattern(driven.name, {"$eq": dict(driven.arguments)})
    for mock in case.mocks:
        yield f"{case.place}, its mocks", mock.pattern


def _relative_dates(case: Case) -> Iterator[SuiteHit]:
    said = "\n".join(message.content for message in _said(case))
    word = _RELATIVE.search("\n".join(message.content for message in _said(case) if message.role == "user"))
    if word is None or case.clock is not None:
        return
    known = set(_DATE.findall(said)) | set(_DATE.findall(_text_of_calls(_said(case))))
    for call in calls_of(case.plan or ()):
        fixed = sorted(set(_DATE.findall(json.dumps(call.arguments))) - known)
        if fixed:
            yield SuiteHit(
                SuiteRule.RELATIVE_DATE,
                case.name,
                call.place,
                f"{word[0]!r} is another day tomorrow, and {fixed[0]} is expected",
                "Give the case a `clock`, and the judge is told that day; or expect a date by an operator.",
            )


def _said(case: Case) -> tuple[Message, ...]:
    """What is said in all turns."""
    return (*case.messages, *(message for turn in case.turns for message in turn))


def _text_of_calls(messages: Sequence[Message]) -> str:
    return json.dumps([call.arguments for message in messages for call in message.calls])


def _impossible(case: Case) -> Iterator[SuiteHit]:
    required = list(first_to_last(case.plan or ()))
    for call in required:
        for pattern in case.forbidden:
            if pattern.name == call.name and _always(pattern, call):
                yield SuiteHit(
                    SuiteRule.CANNOT_PASS,
                    case.name,
                    call.place,
                    f"{call.name!r} is expected, and a call like it is forbidden",
                    "Narrow the forbidden call by its arguments, or take it out.",
                )
    counts = Counter(call.name for call in required)
    for name, limit in case.limits.items():
        count = len(required) if name == "*" else counts[name]
        if limit.most is not None and count > limit.most:
            yield SuiteHit(
                SuiteRule.CANNOT_PASS,
                case.name,
                case.place,
                f"{count} calls of {name!r} are expected, and at most {limit.most} are allowed",
                "Raise the limit, or expect fewer calls.",
            )


def _always(pattern: CallPattern, call: PlannedCall) -> bool:
    """Whether the pattern fits every call that the plan would take: it has no arguments, or the same ones."""
    return pattern.arguments is None or pattern.arguments == call.arguments


def _nothing_to_take(case: Case) -> Iterator[SuiteHit]:
    mocked = {mock.pattern.name for mock in case.mocks}
    givers = {call.id: call.name in mocked or call.mock_output is not ABSENT for call in calls_of(case.plan or ())}
    givers |= {driven.id: driven.name in mocked for driven in case.drive}
    for call in calls_of(case.plan or ()):
        for name in sorted({source.call for source in sources(call.arguments)}):
            if not givers[name]:
                yield SuiteHit(
                    SuiteRule.NOTHING_TO_TAKE,
                    case.name,
                    call.place,
                    f"the value is to come from {name!r}, and without a page nothing says what that gives",
                    "Give its tool a mock, or the call a `mockOutput`.",
                )


def _same_prompts(cases: Sequence[Case]) -> Iterator[SuiteHit]:
    seen: dict[str, Case] = {}
    for case in cases:
        asked = json.dumps([[m.role, " ".join(m.content.split()).casefold(), _calls(m)] for m in _said(case)])
        asked += json.dumps([[driven.name, dict(driven.arguments)] for driven in case.drive], sort_keys=True)
        first = seen.setdefault(asked, case)
        if first is case:
            continue
        same = _bare(case.plan) == _bare(first.plan)
        yield SuiteHit(
            SuiteRule.SAME_PROMPT if same else SuiteRule.CONTRADICTION,
            case.name,
            case.place,
            f"asks the same as {first.name!r}, {first.place}" + ("" if same else ", and expects something else"),
            "Take one out, or word it differently." if same else "Say which one is right.",
        )


def _calls(message: Message) -> JsonValue:
    return [[call.name, call.arguments] for call in message.calls]


def _bare(plan: Sequence[Node] | None) -> JsonValue:
    """A plan without its places in the file."""
    if plan is None:
        return None
    return [
        [node.order.value, node.optional, _bare(node.members)]
        if isinstance(node, Group)
        else [node.turn, node.name, node.optional, shown(node.arguments, 100_000)]
        for node in plan
    ]


def _about_the_suite(cases: Sequence[Case]) -> Iterator[SuiteHit]:
    if all(case.plan is not None for case in cases):
        yield SuiteHit(
            SuiteRule.NO_NEGATIVE,
            None,
            "",
            f"none of the {len(cases)} cases expects that no tool is called",
            "Add a request that no tool can serve, with `expectedCall: null`.",
        )
    untagged = sum(case.request is None for case in cases)
    if untagged:
        yield SuiteHit(
            SuiteRule.UNTAGGED,
            None,
            "",
            f"{untagged} of {len(cases)} cases do not say whether the request is direct or ambiguous",
            'Give each case "request": "direct" or "ambiguous".',
        )
