"""How far a run is, on stderr, with an estimate of the rest: a bar on a terminal, a line now and then elsewhere."""

import asyncio
import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

_EVERY = 5.0


class Progress:
    """Counts the trials of a run while one of its sessions measures."""

    def __init__(self, label: str, total: int, before: int, *, shown: bool = True, every: float = _EVERY) -> None:
        """`total` and `before` are of the whole run: all its trials, and those that had ended before."""
        self._label, self._total, self._done, self._shown, self._every = label, total, before, shown, every
        self._made = self._missing = 0
        self._began = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    def ended(self, *, missing: bool) -> None:
        """Count a trial."""
        self._made += 1
        self._done += 1
        self._missing += missing

    async def __aenter__(self) -> Self:
        """Begin to show."""
        if self._shown:
            self._task = asyncio.ensure_future(self._bar() if sys.stderr.isatty() else self._lines())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop showing."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def text(self, elapsed_s: float) -> str:
        """How far the run is, after so many seconds of this session."""
        missing = f", {self._missing} missing" if self._missing else ""
        return f"{self._label}: {self._done} of {self._total} trials{missing}, {self._left(elapsed_s)}"

    def _left(self, elapsed_s: float) -> str:
        """The rest at the pace so far; pauses between sessions are not in it."""
        if not self._made:
            return "no estimate yet"
        return f"about {duration((self._total - self._done) * elapsed_s / self._made)} of measuring left"

    async def _bar(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=self._total)
            while True:
                text = self.text(time.monotonic() - self._began)
                bar.update(task, description=text, completed=self._done)
                await asyncio.sleep(self._every / 10)

    async def _lines(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            print(  # noqa: T201 -- progress goes to stderr by design
                self.text(time.monotonic() - self._began), file=sys.stderr, flush=True
            )


def duration(seconds: float) -> str:
    """Write a length of time as a person says it: 40 s, 12 min, 3 h 5 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
