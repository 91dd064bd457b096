"""The messages of a case as a judge is shown them."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from measure.evals import suite_file as file
from measure.evals.json_values import shown
from measure.judges.judge import Call, Message, Role

_ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "assistant": "assistant", "system": "system"}
MADE = "step-"
"""With this begin the ids of calls that a judge made in a run."""
_ALL = 100_000
"""Characters of a result that a judge is shown."""


def messages_of(messages: Sequence[file.Said]) -> tuple[Message, ...]:
    """A case's messages in a judge's words; a response belongs to the earliest open call of its name.

    Raises ValueError when a response belongs to no call, or a call has none: no endpoint takes such a conversation.
    """
    read: list[Message] = []
    open_calls: list[Call] = []
    for index, message in enumerate(messages):
        if isinstance(message, file.ContentMessage):
            read.append(Message(_ROLES[message.role], message.content))
        elif isinstance(message, file.FunctionCallMessage):
            call = Call(message.name, message.arguments, f"earlier-{index}")
            open_calls.append(call)
            read.append(Message("assistant", "", (call,)))
        else:
            call = _answered(open_calls, message.name)
            open_calls.remove(call)
            read.append(Message("tool", result_text(_inner(message.response)), call_id=call.id))
    if open_calls:
        raise ValueError(f"the call of {open_calls[0].name!r} has no functionresponse; add what it gave")
    return tuple(read)


def _answered(open_calls: Sequence[Call], name: str) -> Call:
    for call in open_calls:
        if call.name == name:
            return call
    raise ValueError(f"the functionresponse of {name!r} answers no functioncall before it; add the call")


def _inner(response: JsonValue) -> JsonValue:
    """The public suites wrap a result as `{"result": …}`."""
    if isinstance(response, dict) and response.keys() == {"result"}:
        return response["result"]
    return response


def result_text(result: JsonValue) -> str:
    """What a judge is shown of a result: a text as it is, anything else as JSON."""
    return result if isinstance(result, str) else shown(result, _ALL)


def error_text(error: str) -> str:
    """What a judge is shown of a call that failed."""
    return f"Error: {error}"


def instructions(clock: datetime | None) -> str:
    """What a judge is told before the messages of a case; the time only where it is pinned."""
    text = (
        "You help somebody who is looking at a web page. The page offers you tools. Call the tools that the request"
        " needs, with arguments that follow from the conversation, and no other ones. When no tool fits, or something"
        " that a tool needs is not known, answer in words instead of calling one."
    )
    if clock is None:
        return text
    time = "" if (clock.hour, clock.minute) == (0, 0) else f", {clock:%H:%M}"
    return f"{text} It is {clock:%A}, {clock.day} {clock:%B %Y}{time}."
