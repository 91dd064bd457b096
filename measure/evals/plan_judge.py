"""A judge that makes the expected calls of a case on a page: what it fails at, no model can be blamed for."""

from collections.abc import Sequence

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.examples import NoExampleError, example
from measure.evals.expected import sources
from measure.evals.plan import first_to_last
from measure.evals.without_driven import DRIVEN
from measure.judges.judge import Answer, Call, Message, ToolOffer
from measure.judges.turns import answers_since_user

_DONE = Answer((), "Done.", None)


class PlanJudge:
    """One expected call in each answer, in the order in which they are written, without the optional ones.

    Arguments that are expected by operators are examples of them; values out of earlier results are taken from what
    the page answered. Where such a result did not come, the judge stops: nobody could go on. Raises NoExampleError
    where no example is found.
    """

    name = "oracle"

    def __init__(self, case: Case) -> None:
        self._calls = list(first_to_last(case.plan or ()))
        self._ids = {index: each.id for index, each in enumerate(case.drive) if each.id is not None}
        self._before = len(case.drive) + answers_since_user(case.messages)

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Make the next expected call; none after the last."""
        turn = answers_since_user(messages) - self._before
        if turn >= len(self._calls):
            return _DONE
        planned = self._calls[turn]
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

    def _results(self, messages: Sequence[Message]) -> dict[str, JsonValue]:
        """What came of the driven calls and of the expected ones so far, by their ids."""
        ids: dict[str | None, str] = {f"{DRIVEN}{index}": name for index, name in self._ids.items()}
        ids |= {
            f"step-{number}-0": planned.id
            for number, planned in enumerate(self._calls, start=1)
            if planned.id is not None
        }
        return {
            ids[message.call_id]: message.content
            for message in messages
            if message.role == "tool" and message.call_id in ids and not message.content.startswith("Error: ")
        }
