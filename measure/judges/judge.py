"""The one protocol that every judge speaks, in plain values; each judge translates it to its own endpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import JsonValue

from census.errors import CensusError
from census.vocabulary import Word

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Call:
    """A tool that the judge chose, with its arguments as parsed JSON (an object, when the judge behaves)."""

    name: str
    arguments: JsonValue
    id: str = ""
    """What a result refers to; the endpoint's own, or empty when it gave none."""


@dataclass(frozen=True)
class Message:
    """One turn of the conversation that a judge is shown."""

    role: Role
    content: str
    calls: tuple[Call, ...] = ()
    """The calls of an assistant's turn."""
    call_id: str | None = None
    """In a tool's turn: the id of the call that `content` is the result of."""


@dataclass(frozen=True)
class ToolOffer:
    """A tool as an agent is shown it."""

    name: str
    description: str
    input_schema: JsonValue


@dataclass(frozen=True)
class Usage:
    """What one answer took, as the endpoint counted it."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Answer:
    """What a judge said: the calls it chose, in its order, and its text.

    An answer that came whole and is no valid call is an outcome of the trial, not a fault: then `malformed` says what
    was wrong with it, and `calls` has what could be read. Arguments that are no JSON stay the text they were.
    """

    calls: tuple[Call, ...]
    text: str
    usage: Usage | None
    malformed: str | None = None


class Cause(Word):
    """Why a measurement is missing."""

    UNAVAILABLE = "unavailable", "The judge did not answer, or answered with an error of its own, to the last attempt."
    TRUNCATED = "truncated", "The answer was cut off at a limit on its length, so what was meant is not known."
    RATE_LIMITED = "rate_limited", "The endpoint refused for too many requests, to the last attempt."
    BAD_KEY = "bad_key", "The endpoint refused the key, or there is none."
    BUDGET = "budget", "The next request could go over what the run may spend."
    MALFORMED_TRANSPORT = "malformed_transport", "The endpoint's answer is none of its protocol."
    REFUSED_REQUEST = "refused_request", "The endpoint refused the request as wrong: a model, a tool, a length."
    NOT_RECORDED = "not_recorded", "A replay has no answer to this request."


class JudgeFault(CensusError):
    """The judge or the harness failed: no outcome of a trial, but a missing measurement with its cause."""

    def __init__(self, cause: Cause, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.cause = cause
        self.usage = usage
        """What it took all the same, where that is known: a cut answer is paid for."""


class Judge(Protocol):
    """Chooses tools. `answer` raises JudgeFault when there is no measurement; it keeps nothing between calls."""

    name: str
    """What the records say of it: kind, model and every setting that changes its answers; never a key."""

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Answer the conversation's last turn, with the tools in the order in which they are shown."""
        ...
