"""What tools answer in a run without a page: what the suite says, by tool and arguments."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from measure.evals.case import Case, Mock
from measure.evals.expected import holds
from measure.evals.plan import ABSENT, PlannedCall, calls_of


@dataclass(frozen=True)
class Reply:
    """What a call gave."""

    result: JsonValue = None
    known: bool = False
    """Whether the suite says so; otherwise it is the empty object that stands for an unknown result."""
    error: str | None = None


UNKNOWN = Reply({})


class Mocks:
    """The mocks of one run of a case; each planned call's own answer is given once."""

    def __init__(self, case: Case) -> None:
        self._mocks: Sequence[Mock] = case.mocks
        self._used: Counter[int] = Counter()
        self._planned: list[PlannedCall] = [
            call for call in calls_of(case.plan or ()) if call.mock_output is not ABSENT
        ]

    def reply(self, name: str, arguments: JsonValue) -> Reply:
        """What a call gives: the first mock that fits it and is not used up, then a planned call's `mockOutput`.

        The public runner gives a `mockOutput` to the next call of that tool whatever its arguments; here they have to
        be the expected ones, or a call with a wrong id would be told what only the right one is worth.
        """
        for index, mock in enumerate(self._mocks):
            if self._fits(mock, name, arguments) and (mock.times is None or self._used[index] < mock.times):
                self._used[index] += 1
                return Reply(mock.result, True) if mock.error is None else Reply(None, True, mock.error)
        for call in self._planned:
            if call.name == name and (call.arguments is None or holds(call.arguments, arguments, {})):
                self._planned.remove(call)
                assert call.mock_output is not ABSENT
                return Reply(call.mock_output, True)
        return UNKNOWN

    @staticmethod
    def _fits(mock: Mock, name: str, arguments: JsonValue) -> bool:
        pattern = mock.pattern
        return pattern.name == name and (pattern.arguments is None or holds(pattern.arguments, arguments, {}))
