"""A suite of evals and its cases, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from pydantic import JsonValue

from measure.evals.plan import Node
from measure.judges.judge import Message
from measure.lint.manifest import ManifestTool
from measure.live.network_mock import NetworkMock


@dataclass(frozen=True)
class CallPattern:
    """Calls of one tool, or those of them whose arguments are the expected ones."""

    name: str
    arguments: JsonValue = None
    """An expected value; None for any arguments."""


@dataclass(frozen=True)
class Limit:
    """How often a tool may be called in a case."""

    least: int = 0
    most: int | None = None


class MockAnswer(Enum):
    """In which way a mock answers."""

    RESULT = "result"
    ERROR = "error"
    HANG = "hang"
    """Not at all: the caller is told that nothing came."""
    NOTHING = "nothing"
    """With what a tool gives that returns nothing."""


@dataclass(frozen=True)
class Mock:
    """What a tool answers instead of being run."""

    pattern: CallPattern
    result: JsonValue = None
    error: str | None = None
    """The failure that the caller is told; `result` counts when it is None."""
    times: int | None = None
    """How many calls it answers; None for all of them."""
    answer: MockAnswer = MockAnswer.RESULT
    fails: bool = False
    """Whether a `result` is a failure for all that it looks like a success."""
    step: int | None = None
    """In which answer of the judge a call has to be, from 1; 0 for driven calls, None for any."""


@dataclass(frozen=True)
class DrivenCall:
    """A call that is made before the judge is asked, to bring about the state that a case begins in."""

    name: str
    arguments: Mapping[str, JsonValue]
    id: str | None = None


@dataclass(frozen=True)
class Case:
    """One eval: what is asked, what is expected, and what the tools answer."""

    name: str
    place: str
    messages: tuple[Message, ...]
    plan: tuple[Node, ...] | None
    """Of all turns; None when no call may be made in any of them."""
    turns: tuple[tuple[Message, ...], ...] = ()
    """What the user says next, each time that the judge has come to an end; `messages` is the first turn."""
    silent: frozenset[int] = frozenset()
    """Turns, from 1, in which no call may be made."""
    request: str | None = None
    """`direct` or `ambiguous`: whether the words of the request name what is to be called."""
    tags: tuple[str, ...] = ()
    forbidden: tuple[CallPattern, ...] = ()
    harmless: frozenset[str] = frozenset()
    """Tools whose extra calls are reported and do not fail the case, besides the read-only ones."""
    limits: Mapping[str, Limit] = field(default_factory=dict)
    """By tool; `*` for all calls together."""
    mocks: tuple[Mock, ...] = ()
    drive: tuple[DrivenCall, ...] = ()
    network: tuple[NetworkMock, ...] = ()
    """Answers to requests of the page; they count only where there is a page."""
    page: JsonValue = None
    """An expected value of the page's state at the end (`measure.live.page_state`); None for any."""
    clock: datetime | None = None
    """What the judge is told that the time is; None: nothing."""


@dataclass(frozen=True)
class Suite:
    """The cases of a file."""

    source: str
    cases: tuple[Case, ...]
    tools: tuple[ManifestTool, ...] | None = None
    """The file's own list of tools; None when it has none."""
