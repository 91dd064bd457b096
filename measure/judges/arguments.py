"""Arguments as a model writes them: a text that should be JSON."""

from typing import NamedTuple

from pydantic_core import from_json

from measure.judges.judge import Call


class ReadCall(NamedTuple):
    """A call as it was read, and what was wrong with its arguments."""

    call: Call
    problem: str | None


def read_call(name: str, arguments: str, call_id: str) -> ReadCall:
    """Read a call's arguments; the empty text means none (`{}`), as several servers write it.

    What is no JSON stays the text, with the problem said. NaN and Infinity are no JSON (RFC 8259, section 6).
    """
    if not arguments.strip():
        return ReadCall(Call(name, {}, call_id), None)
    try:
        return ReadCall(Call(name, from_json(arguments, allow_inf_nan=False), call_id), None)
    except ValueError as error:
        return ReadCall(Call(name, arguments, call_id), f"the arguments of {name[:128]} are no JSON: {error}")
