"""The turns of a case as its file has them: what the user says, and the calls that are expected then."""

from collections.abc import Sequence
from dataclasses import dataclass

from measure.evals import suite_file as file

Said = file.Said


@dataclass(frozen=True)
class Turn:
    """What is said, and what is expected of the judge before anything else is."""

    messages: tuple[Said, ...]
    expected: Sequence[file.Node] | None
    place: str
    """Of what is expected, within the case: `messages[1].expectedCall`."""


def turns_of(case: file.Case) -> tuple[Turn, ...]:
    """Cut a case's messages at each `expectedCall` among them; the last turn is the case's own.

    Raises ValueError, which begins with the place within the messages, where nobody asks for what is expected.
    """
    turns: list[Turn] = []
    said: list[Said] = []
    begun = 0
    for index, message in enumerate(case.messages):
        if isinstance(message, file.ExpectedTurn):
            _check(said, begun, later=bool(turns))
            turns.append(Turn(tuple(said), message.expected_call, f"messages[{index}].expectedCall"))
            said, begun = [], index + 1
        else:
            said.append(message)
    if turns:
        _check(said, begun, later=True)
    return (*turns, Turn(tuple(said), case.expected_call, "expectedCall"))


def _check(said: Sequence[Said], begun: int, *, later: bool) -> None:
    for index, message in enumerate(said, start=begun):
        if later and not (isinstance(message, file.ContentMessage) and message.role in ("user", "system")):
            raise ValueError(f"[{index}]: after an expectedCall the judge speaks for itself; only the user goes on")
    if not any(isinstance(message, file.ContentMessage) and message.role == "user" for message in said):
        raise ValueError(f"[{begun}]: nobody asks for what is expected next; put what the user says here")
