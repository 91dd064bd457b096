"""A judge that makes the expected calls of a case on a page: what it fails at, no model can be blamed for."""

from collections.abc import Sequence

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.conversation import MADE
from measure.evals.examples import NoExampleError, example
from measure.evals.expected import sources
from measure.evals.plan import PlannedCall, first_to_last
from measure.evals.turn_of import TurnOf
from measure.evals.without_driven import DRIVEN
from measure.judges.judge import Answer, Call, Message, ToolOffer

_DONE = Answer((), "Done.", None)


class PlanJudge:
    """In each turn one expected call an answer, in the order in which they are written, without the optional ones.

    Arguments that are expected by operators are examples of them; values out of earlier results are taken from what
    the page answered. Where such a result did not come, the judge stops: nobody could go on. Raises NoExampleError
    where no example is found.
    """

    name = "oracle"

    def __init__(self, case: Case) -> None:
        self._calls: dict[int, list[PlannedCall]] = {}
        for planned in first_to_last(case.plan or ()):
            self._calls.setdefault(planned.turn, []).append(planned)
        self._driven: dict[str | None, str] = {
            f"{DRIVEN}{index}": each.id for index, each in enumerate(case.drive) if each.id is not None
        }
        self._turn_of = TurnOf(case)

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Make the next expected call; none after the last."""
        planned = self._next(messages)
        if planned is None:
            return _DONE
        results = self._results(messages)
        wanted = {source.call for source in sources(planned.arguments)}
        if not wanted <= results.keys():
            missing = ", ".join(sorted(wanted - results.keys()))
            return Answer((), f"The result of {missing} did not come, which {planned.name} needs.", None)
        schema = next((tool.input_schema for tool in tools if tool.name == planned.name), None)
        try:
            arguments: JsonValue = {} if planned.arguments is None else example(planned.arguments, schema, results)
        except NoExampleError as error:
            if not wanted:
                raise
            return Answer((), f"Of the result that {planned.name} needs: {error}.", None)
        return Answer((Call(planned.name, arguments),), "", None)

    def _next(self, messages: Sequence[Message]) -> PlannedCall | None:
        """The call that is expected in the next answer to a conversation."""
        turn, given = self._turn_of.at(messages)
        calls = self._calls.get(turn, [])
        return calls[given] if 0 <= given < len(calls) else None

    def _results(self, messages: Sequence[Message]) -> dict[str, JsonValue]:
        """What came of the driven calls and of the expected ones so far, by their ids."""
        ids = dict(self._driven)
        for index, message in enumerate(messages):
            made = bool(message.calls) and message.calls[0].id.startswith(MADE)
            planned = self._next(messages[:index]) if made else None
            if planned is not None and planned.id is not None and message.calls[0].name == planned.name:
                ids[message.calls[0].id] = planned.id
        return {
            ids[message.call_id]: message.content
            for message in messages
            if message.role == "tool" and message.call_id in ids and not message.content.startswith("Error: ")
        }
