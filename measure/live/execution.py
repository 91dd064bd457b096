"""A call of a page's tool, and what came of it."""

from dataclasses import dataclass

from pydantic import JsonValue

from census.vocabulary import Word
from measure.live.effects import NO_EFFECTS, Effects


class ExecutionStatus(Word):
    """How a call ended, by the browser's word or by what became of the page; exactly one, and within its bound."""

    COMPLETED = "completed", "The tool answered. An answer that tells of a failure is one too."
    ERROR = "error", "The tool threw, or the form refused: the browser says `Error`."
    CANCELED = "canceled", "The browser says that the call was cancelled: by the page, not by us."
    NO_ANSWER = "no_answer", "Nothing came within the bound; the call was cancelled."
    WAITS_FOR_PERSON = (
        "waits_for_person",
        "A form without `toolautosubmit` was filled in, and waits for somebody to submit it; the call was cancelled.",
    )
    NAVIGATED = "navigated", "The document of the tool gave way to another one before the tool had answered."
    PAGE_CRASHED = "page_crashed", "The renderer went down during the call."
    PAGE_CLOSED = "page_closed", "The page closed itself during the call."
    NOT_THERE = "not_there", "The browser has no such tool in that frame, or no such frame: nothing ran."
    REFUSED = "refused", "The browser refused the call, because the arguments are no object: nothing ran."
    BROWSER_FAILED = "browser_failed", "Ours: the browser failed, not the page."


NOTHING_RAN = frozenset({ExecutionStatus.NOT_THERE, ExecutionStatus.REFUSED})
"""Statuses after which the tool is known not to have run."""


@dataclass(frozen=True, slots=True)
class Execution:
    """How a call ended."""

    status: ExecutionStatus
    output: JsonValue = None
    """What the tool answered, as the DevTools protocol has it: a text that is JSON arrives as its value (measured).
    Only when `completed`; when `navigated`, the list of structured data that the browser answers instead."""
    error: str | None = None
    """What the browser, or the exception, said of a call that was not answered."""
    ms: int = 0
    """From the call to its end, without the wait for the page to be quiet again."""
    effects: Effects = NO_EFFECTS
    cut: bool = False
    """Whether the output or the error was longer than is kept."""

    @property
    def answered(self) -> bool:
        """Whether the tool itself answered."""
        return self.status is ExecutionStatus.COMPLETED
