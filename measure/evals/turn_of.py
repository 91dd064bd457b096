"""In which turn of its case a conversation is."""

from collections.abc import Sequence

from measure.evals.case import Case
from measure.judges.judge import Message
from measure.judges.turns import answers_since_user


class TurnOf:
    """Finds in a conversation which of a judge's answers is asked for: in which turn, and the how manieth of it.

    What a user says may be said twice in a case, so turns are told by their number and not by their text.
    """

    def __init__(self, case: Case) -> None:
        said = 0
        self._ends = [said := said + _users(messages) for messages in (case.messages, *case.turns)]
        self._before = len(case.drive) + answers_since_user(case.messages)

    def at(self, messages: Sequence[Message]) -> tuple[int, int]:
        """The turn, from 1, and the answers that the judge has given in it."""
        said = _users(messages)
        turn = sum(end < said for end in self._ends) + 1
        return turn, answers_since_user(messages) - (self._before if turn == 1 else 0)


def _users(messages: Sequence[Message]) -> int:
    return sum(message.role == "user" for message in messages)
