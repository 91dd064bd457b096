"""What an endpoint asks of a conversation and a test's author need not write: ids that pair calls with results."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import count, takewhile

from census.errors import CensusError
from measure.judges.judge import Message


def with_ids(messages: Sequence[Message]) -> list[Message]:
    """Give every call an id (`call_0`, `call_1`, …) and every result the id of its call; ids that are there stay.

    A result without an id belongs to the earliest call that has none yet. Raises CensusError for a result that no
    call asked for, and for a call that an earlier one's id names again.
    """
    paired: list[Message] = []
    waiting: deque[str] = deque()
    given = {call.id for message in messages for call in message.calls if call.id}
    fresh = (f"call_{number}" for number in count() if f"call_{number}" not in given)
    seen: set[str] = set()
    for position, message in enumerate(messages):
        if message.role == "tool":
            wanted = message.call_id or (waiting[0] if waiting else None)
            if wanted is None or wanted not in waiting:
                raise CensusError(
                    f"message {position} is the result of a call {message.call_id or 'without an id'}, and no call "
                    "before it waits for one: put the assistant's call before its result"
                )
            waiting.remove(wanted)
            paired.append(replace(message, call_id=wanted))
            continue
        calls = []
        for call in message.calls:
            named = call if call.id else replace(call, id=next(fresh))
            if named.id in seen:
                raise CensusError(
                    f"message {position} uses the call id {named.id!r} again: give each call one of its own"
                )
            seen.add(named.id)
            waiting.append(named.id)
            calls.append(named)
        paired.append(replace(message, calls=tuple(calls)))
    return paired


def last_user_text(messages: Sequence[Message]) -> str:
    """Give the text of the last user turn; empty when there is none."""
    return next((message.content for message in reversed(messages) if message.role == "user"), "")


def answers_since_user(messages: Sequence[Message]) -> int:
    """Count the assistant's turns after the last user turn: which answer to the user is being asked for."""
    since = takewhile(lambda message: message.role != "user", reversed(messages))
    return sum(message.role == "assistant" for message in since)
