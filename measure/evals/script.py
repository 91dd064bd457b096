"""What an oracle says to a case without a page: the calls that are expected, in the order in which they are written."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.examples import example
from measure.evals.expected import Results
from measure.evals.mocks import Mocks
from measure.evals.plan import first_to_last
from measure.evals.static_run import opening
from measure.evals.turn_of import TurnOf
from measure.judges.judge import Answer, Call, Message, ToolOffer
from measure.judges.scripted import NOTHING_MORE
from measure.lint.manifest import ManifestTool

Turns = Mapping[int, Sequence[Call]]
"""By the number of a turn, from 1: its calls, one for each answer."""


class ScriptJudge:
    """Makes one call after the other in each turn, then says that it is done."""

    name = "oracle"

    def __init__(self, case: Case, turns: Turns) -> None:
        self._turn_of, self._turns = TurnOf(case), turns

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Make the next call of the turn; none after the last."""
        turn, given = self._turn_of.at(messages)
        calls = self._turns.get(turn, ())
        return Answer((calls[given],), "", None) if given < len(calls) else NOTHING_MORE


def oracle_script(case: Case, tools: Sequence[ManifestTool], clock: datetime | None = None) -> Turns:
    """The calls of each turn of a case, without the optional ones.

    Arguments that are expected by operators are examples of them, values out of earlier results those that the suite's
    mocks give. Raises NoExampleError where no example is found, DriveError when a driven call fails.
    """
    mocks = Mocks(case)
    _, results = opening(case, mocks, clock)
    schemas = {tool.name: tool.input_schema for tool in tools}
    turns: dict[int, list[Call]] = {}
    # Each turn before has its calls, and one answer more that ends it.
    for number, planned in enumerate(first_to_last(case.plan or ()), start=1):
        arguments = _arguments(planned.arguments, schemas.get(planned.name), results)
        turns.setdefault(planned.turn, []).append(Call(planned.name, arguments))
        reply = mocks.reply(planned.name, arguments, number + planned.turn - 1)
        if planned.id is not None and reply.known and reply.error is None:
            results[planned.id] = reply.result
    return turns


def _arguments(expected: JsonValue, schema: JsonValue, results: Results) -> JsonValue:
    return {} if expected is None else example(expected, schema, results)
