"""What tools answer in the place of a page's own: what the suite says, by tool, arguments and step."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from measure.evals.case import Case, Mock, MockAnswer
from measure.evals.expected import holds
from measure.evals.plan import ABSENT, PlannedCall, calls_of
from measure.live.effects import Effects
from measure.live.execution import ExecutionStatus


@dataclass(frozen=True)
class Reply:
    """What a call gave."""

    result: JsonValue = None
    known: bool = False
    """Whether the suite says so; otherwise it is the empty object that stands for an unknown result."""
    error: str | None = None
    status: ExecutionStatus | None = None
    """How the page's tool ended; None when no page was asked."""
    effects: Effects | None = None
    ms: int | None = None
    fault: bool = False
    """Whether it is a failure that the suite put in the tool's place."""


NO_ANSWER = "the tool did not answer in time"
"""What a caller is told when nothing comes."""
NOTHING = "undefined"
"""What arrives of a tool that returns nothing (measured on 156)."""
UNKNOWN = Reply({})


class Mocks:
    """The mocks of one run of a case; each planned call's own answer is given once."""

    def __init__(self, case: Case) -> None:
        self._mocks: Sequence[Mock] = case.mocks
        self._used: Counter[int] = Counter()
        self._planned: list[PlannedCall] = [
            call for call in calls_of(case.plan or ()) if call.mock_output is not ABSENT
        ]

    def written(self, name: str, arguments: JsonValue, step: int) -> Reply | None:
        """What the first mock says that fits a call and is not used up; None when no mock does.

        `step`: of the judge's answers, from 1; 0 for driven calls.
        """
        for index, mock in enumerate(self._mocks):
            if self._fits(mock, name, arguments, step) and (mock.times is None or self._used[index] < mock.times):
                self._used[index] += 1
                return _said(mock)
        return None

    def reply(self, name: str, arguments: JsonValue, step: int = 0) -> Reply:
        """What a call gives without a page: what a mock says, then a planned call's `mockOutput`.

        The public runner gives a `mockOutput` to the next call of that tool whatever its arguments; here they have to
        be the expected ones, or a call with a wrong id would be told what only the right one is worth.
        """
        written = self.written(name, arguments, step)
        if written is not None:
            return written
        for call in self._planned:
            if call.name == name and (call.arguments is None or holds(call.arguments, arguments, {})):
                self._planned.remove(call)
                assert call.mock_output is not ABSENT
                return Reply(call.mock_output, True)
        return UNKNOWN

    @staticmethod
    def _fits(mock: Mock, name: str, arguments: JsonValue, step: int) -> bool:
        pattern = mock.pattern
        if pattern.name != name or mock.step not in (None, step):
            return False
        return pattern.arguments is None or holds(pattern.arguments, arguments, {})


def _said(mock: Mock) -> Reply:
    if mock.answer is MockAnswer.RESULT:
        return Reply(mock.result, True, fault=mock.fails)
    if mock.answer is MockAnswer.NOTHING:
        return Reply(NOTHING, True, fault=True)
    return Reply(None, True, mock.error if mock.error is not None else NO_ANSWER, fault=True)
