"""A call that was made in a run, with what came of it."""

from dataclasses import dataclass

from pydantic import JsonValue

from measure.live.effects import Effects
from measure.live.execution import ExecutionStatus


@dataclass(frozen=True)
class MadeCall:
    """A call of a judge, and its result."""

    step: int
    """Which answer of the judge it was in, from 1; calls of one answer were made without each other's results."""
    name: str
    arguments: JsonValue
    result: JsonValue = None
    result_known: bool = False
    """Whether the result is that of a tool or was written for this call; otherwise nothing is held against it."""
    error: str | None = None
    """What the caller was told when the call failed."""
    offered: frozenset[str] = frozenset()
    """Names of the tools that the judge was offered at this step."""
    misfit: str | None = None
    """How the arguments break the tool's input schema; None when they fit or nothing is known of it."""
    status: ExecutionStatus | None = None
    """How the page's tool ended; None when no page was asked."""
    effects: Effects | None = None
    """What the call did to the page; None when no page was asked."""
    ms: int | None = None
    fault: bool = False
    """Whether a mock gave a failure in the tool's place, whatever that looks like."""

    turn: int = 1
    """In which of the user's turns it was made, from 1."""

    @property
    def known(self) -> bool:
        """Whether there was a tool of that name."""
        return self.name in self.offered
