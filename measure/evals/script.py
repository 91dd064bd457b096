"""What an oracle says to a case: the calls that are expected, in the order in which they are written."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.examples import example
from measure.evals.expected import Results
from measure.evals.mocks import Mocks
from measure.evals.plan import first_to_last
from measure.evals.static_run import opening
from measure.judges.judge import Call
from measure.judges.turns import answers_since_user, last_user_text
from measure.lint.manifest import ManifestTool

Turns = Sequence[Sequence[Call]]


def oracle_script(case: Case, tools: Sequence[ManifestTool], clock: datetime | None = None) -> dict[str, Turns]:
    """For the last user text of a case the calls of each answer: one for each call that is not optional, then none.

    Arguments that are expected by operators are examples of them, values out of earlier results those that the suite's
    mocks give. Raises NoExampleError where no example is found, DriveError when a driven call fails.
    """
    mocks = Mocks(case)
    conversation, results = opening(case, mocks, clock)
    schemas = {tool.name: tool.input_schema for tool in tools}
    turns: list[list[Call]] = [[] for _ in range(answers_since_user(conversation))]
    for planned in first_to_last(case.plan or ()):
        arguments = _arguments(planned.arguments, schemas.get(planned.name), results)
        turns.append([Call(planned.name, arguments)])
        reply = mocks.reply(planned.name, arguments)
        if planned.id is not None and reply.known and reply.error is None:
            results[planned.id] = reply.result
    return {last_user_text(conversation): turns}


def _arguments(expected: JsonValue, schema: JsonValue, results: Results) -> JsonValue:
    return {} if expected is None else example(expected, schema, results)
