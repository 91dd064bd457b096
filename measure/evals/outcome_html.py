"""The outcome of `eval` as one HTML file: it asks nobody for anything, and runs nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from census.text import rate_text
from measure.evals.case import Case
from measure.evals.channel import channel
from measure.evals.effects_json import effects_json
from measure.evals.json_values import shown
from measure.evals.made import MadeCall
from measure.evals.outcome import Ending, Outcome
from measure.evals.outcome_text import rate_lines
from measure.evals.plan import ABSENT, Group, Node, PlannedCall
from measure.evals.run import Run
from measure.judges.judge import Message
from measure.live.effects import NO_EFFECTS, Effects

_LIMIT = 2_000


class _Line(NamedTuple):
    depth: int
    place: str
    text: str


class _Row(NamedTuple):
    """A line of what happened: somebody said something, or a call was made."""

    role: str = ""
    text: str = ""
    number: int = 0
    made: MadeCall | None = None


def outcome_html(outcome: Outcome) -> str:
    """Write the outcome: each case with what was expected beside what was made, and what the page showed.

    What pages, suites and judges say is escaped; a policy in the file lets no script run and nothing be loaded.
    """
    environment = Environment(
        loader=PackageLoader("measure.evals", ""), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    endings = [each.ending for each in outcome.cases]
    missing = f", {endings.count(Ending.MISSING)} missing" if Ending.MISSING in endings else ""
    page = environment.get_template("report.html.jinja").render(
        outcome=outcome,
        headline=f"{endings.count(Ending.PASSED)} of {len(endings)} cases passed{missing}",
        lines=list(rate_lines(outcome)),
        expected=lambda case: list(_expected(case)),
        rows=lambda case, run: list(_rows(case, run)),
        shown=lambda value: shown(value, _LIMIT),
        seen=_seen,
        channel=channel,
        rate_text=rate_text,
    )
    return page.encode("utf-8", "replace").decode("utf-8") + "\n"


def _expected(case: Case) -> Iterator[_Line]:
    for turn in range(1, len(case.turns) + 2):
        if case.turns:
            yield _Line(0, "", f"turn {turn}")
        if turn in case.silent:
            yield _Line(0, "", "no call")
        yield from _nodes([node for node in case.plan or () if _turn(node) == turn], 0)
    for pattern in case.forbidden:
        arguments = "…" if pattern.arguments is None else shown(pattern.arguments, _LIMIT)
        yield _Line(0, "", f"forbidden: {pattern.name}({arguments})")
    for name, limit in case.limits.items():
        most = "" if limit.most is None else f", at most {limit.most}"
        yield _Line(0, "", f"calls of {name}: at least {limit.least}{most}")
    if case.page is not None:
        yield _Line(0, "", f"the page at the end: {shown(case.page, _LIMIT)}")


def _turn(node: Node) -> int:
    return _turn(node.members[0]) if isinstance(node, Group) else node.turn


def _nodes(nodes: Sequence[Node], depth: int) -> Iterator[_Line]:
    for node in nodes:
        optional = " (optional)" if node.optional else ""
        if isinstance(node, Group):
            yield _Line(depth, node.place, f"{node.order.value}{optional}")
            yield from _nodes(node.members, depth + 1)
            continue
        arguments = "…" if node.arguments is None else shown(node.arguments, _LIMIT)
        yield _Line(depth, node.place, f"{node.name}({arguments}){optional}")
        yield from (_Line(depth + 1, "", text) for text in _besides(node))


def _besides(call: PlannedCall) -> Iterator[str]:
    """What is expected of a call besides its name and arguments."""
    if call.fails is not None:
        yield f"fails: {call.fails.value}"
    for name, value in (("gives", call.result), ("does", call.effects)):
        if value is not ABSENT:
            yield f"{name}: {shown(value, _LIMIT)}"
    if call.offered is not None:
        named = {"has": call.offered.has, "lacks": call.offered.lacks, "only": call.offered.only}
        yield "the list of tools: " + "; ".join(
            f"{key} {', '.join(sorted(names))}" for key, names in named.items() if names
        )


def _rows(case: Case, run: Run) -> Iterator[_Row]:
    """What was said and called, in its order."""
    yield from _said(case.messages)
    yield from (_Row("driven", f"{each.name}({shown(dict(each.arguments), _LIMIT)})") for each in case.drive)
    last = (*run.said, run.text)
    for turn, text in enumerate(last, start=1):
        if turn > 1:
            yield from _said(case.turns[turn - 2])
        for number, made in enumerate(run.made, start=1):
            if made.turn == turn:
                yield _Row(number=number, made=made)
        yield _Row("assistant", text)


def _said(messages: Sequence[Message]) -> Iterator[_Row]:
    for message in messages:
        calls = "; ".join(f"{call.name}({shown(call.arguments, _LIMIT)})" for call in message.calls)
        yield _Row(message.role, " ".join(filter(None, [message.content, calls])))


def _seen(effects: Effects) -> str:
    nothing = effects_json(NO_EFFECTS)
    found = {key: value for key, value in effects_json(effects).items() if value != nothing[key]}
    return shown(found, _LIMIT) if found else "no effect was seen"
