"""Reading a suite: the file as its author wrote it becomes plain values, or an error that names the place."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import JsonValue, ValidationError

from census.errors import CensusError
from measure.evals import suite_file as file
from measure.evals.case import CallPattern, Case, DrivenCall, Limit, Mock, MockAnswer, Suite
from measure.evals.conversation import messages_of
from measure.evals.expected import faults, sources
from measure.evals.file_turns import Said, Turn, turns_of
from measure.evals.plan import ABSENT, Failing, Group, Node, Offered, Order, PlannedCall, calls_of
from measure.evals.references import BadReferenceError, resolved
from measure.judges.judge import Message
from measure.lint.manifest_file import read_manifests
from measure.lint.schema_walk import depth
from measure.lint.strict_json import read_json
from measure.live.network_mock import NetworkMock

_MAX_DEPTH = 200


def read_suite(text: str, source: str) -> Suite:
    """The suite of a JSON text.

    Raises CensusError that names the source and the place for what is no suite: an unknown key, an unknown operator,
    a reference that leads nowhere, an id that is used twice or not at all.
    """
    value = read_json(text, source)
    if depth(value, _MAX_DEPTH) >= _MAX_DEPTH:
        raise CensusError(f"{source} is nested over {_MAX_DEPTH} levels deep; flatten it")
    try:
        root = file.SuiteFile.model_validate(value).root
    except ValidationError as error:
        first = error.errors()[0]
        place = _place(first["loc"], "cases" if isinstance(value, list) else "")
        raise CensusError(f"{source}: {place or 'the suite'}: {_said(first)}") from None
    if isinstance(root, file.SuiteObject):
        reader = _Reader(source, root)
        return Suite(source, reader.cases(root.cases, "cases"), _tools(root.tools, source))
    reader = _Reader(source, file.SuiteObject.model_construct(cases=root))
    return Suite(source, reader.cases(root, "cases"))


def _said(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "there is no such key; take it out, or see docs/eval.schema.json for the right one"
    if error["type"] == "missing":
        return "is missing; write null when no call may be made" if error["loc"][-1] == "expectedCall" else "is missing"
    return str(error["msg"]).removeprefix("Value error, ").replace("tuple", "list").replace("dictionary", "object")


def _place(location: Iterable[str | int], root: str) -> str:
    """A place as a person writes it, `cases[3].expectedCall[0]`: without the names of alternatives in between."""
    text = root
    for step in location:
        if isinstance(step, int):
            text += f"[{step}]"
        elif not (step.startswith("<") and step.endswith(">")):
            text += f".{step}" if text else step
    return text


def _tools(value: JsonValue, source: str) -> Any:
    if value is None:
        return None
    return read_manifests(json.dumps(value), f"{source}: tools")[0].tools


class _Reader:
    """Makes plain values of the parts of one file."""

    def __init__(self, source: str, shared: file.SuiteObject) -> None:
        self._source, self._shared = source, shared
        for name, value in shared.definitions.items():
            self._expected(value, f"definitions.{name}")

    def cases(self, cases: Sequence[file.Case], root: str) -> tuple[Case, ...]:
        return tuple(self._case(case, f"{root}[{index}]", index) for index, case in enumerate(cases))

    def _case(self, case: file.Case, place: str, index: int) -> Case:
        turns = self._turns(case, place)
        # The public format's empty list and its null mean the same: no call may be made.
        plan = tuple(
            node
            for number, turn in enumerate(turns, start=1)
            for node in self._nodes(turn.expected or (), f"{place}.{turn.place}", number)
        )
        first, *later = [self._messages(turn.messages, place) for turn in turns]
        mocks = [*self._mocks(case.mocks, f"{place}.mocks"), *self._mocks(self._shared.mocks, "mocks")]
        read = Case(
            name=_name(case, index),
            place=place,
            messages=first,
            plan=plan or None,
            turns=tuple(later),
            silent=frozenset(number for number, turn in enumerate(turns, start=1) if not turn.expected),
            request=case.request,
            tags=case.tags,
            forbidden=tuple(
                self._pattern(each, f"{place}.forbidden[{number}]") for number, each in enumerate(case.forbidden)
            ),
            harmless=frozenset([*case.harmless, *self._shared.harmless]),
            limits={name: Limit(limit.min, limit.max) for name, limit in case.limits.items()},
            mocks=tuple(mocks),
            drive=tuple(DrivenCall(each.function_name, each.arguments, each.id) for each in case.drive),
            network=tuple(_network_mock(each) for each in (*case.network, *self._shared.network)),
            page=self._page(case.page, f"{place}.page"),
            clock=case.clock or self._shared.clock,
        )
        self._check_ids(read)
        return read

    def _turns(self, case: file.Case, place: str) -> tuple[Turn, ...]:
        try:
            return turns_of(case)
        except ValueError as error:
            raise CensusError(f"{self._source}: {place}.messages{error}") from None

    def _messages(self, messages: Sequence[Said], place: str) -> tuple[Message, ...]:
        try:
            return messages_of(messages)
        except ValueError as error:
            raise CensusError(f"{self._source}: {place}.messages: {error}") from None

    def _nodes(self, nodes: Sequence[file.Node], place: str, turn: int) -> Iterable[Node]:
        for index, node in enumerate(nodes):
            at = f"{place}[{index}]"
            if isinstance(node, file.Ordered):
                yield Group(at, Order.ORDERED, tuple(self._nodes(node.ordered, f"{at}.ordered", turn)), node.optional)
            elif isinstance(node, file.Unordered):
                yield Group(
                    at, Order.UNORDERED, tuple(self._nodes(node.unordered, f"{at}.unordered", turn)), node.optional
                )
            else:
                yield self._call(node, at, turn)

    def _call(self, call: file.Call, place: str, turn: int) -> PlannedCall:
        given = call.model_fields_set
        return PlannedCall(
            place=place,
            name=call.function_name,
            arguments=self._expected(call.arguments, f"{place}.arguments"),
            result=self._expected_alone(call.result, f"{place}.result") if "result" in given else ABSENT,
            mock_output=call.mock_output if "mock_output" in given else ABSENT,
            optional=call.optional,
            id=call.id,
            offered=_offered(call.tools),
            effects=self._expected_alone(call.effects, f"{place}.effects") if call.effects is not None else ABSENT,
            turn=turn,
            fails=None if call.fails is None else Failing("seen" if call.fails is True else call.fails),
        )

    def _page(self, page: file.PageState | None, place: str) -> JsonValue:
        if page is None:
            return None
        given: dict[str, JsonValue] = {name: getattr(page, name) for name in sorted(page.model_fields_set)}
        return self._expected_alone(given, place)

    def _mocks(self, mocks: Sequence[file.Mock], place: str) -> Iterable[Mock]:
        for index, mock in enumerate(mocks):
            pattern = self._pattern(mock, f"{place}[{index}]")
            [answer] = mock.model_fields_set & {each.value for each in MockAnswer}
            yield Mock(pattern, mock.result, mock.error, mock.times, MockAnswer(answer), mock.fails, mock.step)

    def _pattern(self, pattern: file.Pattern, place: str) -> CallPattern:
        return CallPattern(pattern.function_name, self._expected_alone(pattern.arguments, f"{place}.arguments"))

    def _expected(self, value: JsonValue, place: str) -> JsonValue:
        try:
            read = resolved(value, self._shared.definitions)
        except BadReferenceError as error:
            raise CensusError(f"{self._source}: {_place(error.path, place)}: {error}") from None
        for fault in faults(read):
            raise CensusError(f"{self._source}: {_place(fault.path, place)}: {fault.message}")
        return read

    def _expected_alone(self, value: JsonValue, place: str) -> JsonValue:
        """An expected value that is held against one call, without knowing of others."""
        read = self._expected(value, place)
        if sources(read):
            raise CensusError(f"{self._source}: {place}: $from has a place only in the arguments of an expected call")
        return read

    def _check_ids(self, case: Case) -> None:
        known: set[str] = set()
        for name in [*(each.id for each in case.drive), *(call.id for call in calls_of(case.plan or ()))]:
            if name in known:
                raise CensusError(f"{self._source}: {case.place}: the id {name!r} is used twice; rename one")
            known.update([name] if name is not None else [])
        for call in calls_of(case.plan or ()):
            for source in sorted({source.call for source in sources(call.arguments)} - (known - {call.id})):
                raise CensusError(
                    f"{self._source}: {call.place}: $from names {source!r}, which is the id of no other call of the"
                    f" case; there are: {', '.join(sorted(known - {call.id})) or 'none'}"
                )


def _name(case: file.Case, index: int) -> str:
    if case.name and case.name.strip():
        return case.name.strip()
    said = (each.content.strip() for each in case.messages if isinstance(each, file.ContentMessage))
    return next((text for text in said if text), f"case {index}")


def _network_mock(mock: file.NetworkMock) -> NetworkMock:
    method = mock.method.upper() if mock.method else None
    return NetworkMock(mock.url, method, mock.status, mock.headers, mock.json_, mock.body, bool(mock.abort), mock.times)


def _offered(tools: file.Tools | None) -> Offered | None:
    if tools is None:
        return None
    only = None if tools.only is None else frozenset(tools.only)
    return Offered(frozenset(tools.has), frozenset(tools.lacks), only)
