"""Whether the calls that were made are those that were expected, and which constraint broke when they are not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from census.vocabulary import Word


class Constraint(Word):
    """What can break."""

    MISSING = "missing", "An expected call was not made."
    ARGUMENTS = "arguments", "A call was made with other arguments than the expected ones."
    ORDER = "order", "A call was made, but before one that it has to come after."
    DATAFLOW = "dataflow", "A call did not take the value that an earlier call gave."
    RESULT = "result", "A call did not give the expected result."
    EFFECTS = "effects", "A call did not do to the page what it has to do."
    FAILURE = "failure", "A call that has to fail did not say so, or a call failed where none may."
    PAGE = "page", "The page was not in the expected state at the end."
    TOOLS = "tools", "The list of tools at a call was not the expected one."
    EXTRA = "extra", "A call was made for which nothing is planned, and which is not harmless."
    UNKNOWN_TOOL = "unknown_tool", "A call named a tool that there is not."
    UNWANTED = "unwanted", "A call was made where none may be."
    FORBIDDEN = "forbidden", "A forbidden call was made."
    LIMIT = "limit", "A tool was called too often, or not often enough."
    MALFORMED = "malformed", "The answer held something that is no valid call."
    ENDLESS = "endless", "The judge still made calls at the last step that it was given."
    POSITION = "position", "In `compat`: the call at this position is not the expected one."


@dataclass(frozen=True)
class Violation:
    """One constraint that broke."""

    constraint: Constraint
    message: str
    planned: str | None = None
    """The expected call's place in the file."""
    made: int | None = None
    """The call that was made, from 1."""


@dataclass(frozen=True)
class Verdict:
    """What is to be said of the calls of one run of a case."""

    violations: tuple[Violation, ...] = ()
    aligned: Mapping[str, int] = field(default_factory=dict)
    """The made call, from 1, for each expected call that has one, by its place."""
    harmless: tuple[int, ...] = ()
    """Extra calls, from 1, that do not count against the case: read-only, or named as harmless."""
    unchecked: int = 0
    """Expected results and values to be taken from one that nothing is known of, so that they were not held."""

    @property
    def passed(self) -> bool:
        """Whether no constraint broke."""
        return not self.violations
