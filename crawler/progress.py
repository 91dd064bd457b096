"""Progress on stderr: a bar on a terminal, a line every few seconds elsewhere."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from crawler.frontier import Counts

_EVERY = 5.0


class Progress:
    """Shows how far a crawl is until it is stopped."""

    def __init__(
        self,
        counts: Callable[[], Awaitable[Counts]],
        *,
        enabled: bool,
        every: float = _EVERY,
        doing: str = "visiting",
    ) -> None:
        self._counts = counts
        self._enabled = enabled
        self._every = every
        """Seconds between two lines; a terminal's bar moves ten times as often."""
        self._doing = doing
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to show."""
        if self._enabled:
            self._task = asyncio.ensure_future(self._bar() if sys.stderr.isatty() else self._lines())

    async def stop(self) -> None:
        """Stop showing."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _bar(self) -> None:
        columns = (
            TextColumn(self._doing), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[found]}"),
            TimeElapsedColumn(), TimeRemainingColumn(),
        )  # fmt: skip
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None, found="")
            while True:
                counts = await self._counts()
                bar.update(task, total=counts.targets, completed=counts.finished, found=_outcomes(counts))
                await asyncio.sleep(self._every / 10)

    async def _lines(self) -> None:
        started = time.monotonic()
        while True:
            await asyncio.sleep(self._every)
            counts = await self._counts()
            seconds = time.monotonic() - started
            print(  # noqa: T201 -- progress goes to stderr by design
                f"{seconds:5.0f} s  {counts.finished} of {counts.targets} targets  {_outcomes(counts)}",
                file=sys.stderr,
                flush=True,
            )


def _outcomes(counts: Counts) -> str:
    observed = [f"{counts.observations_finished} of {counts.observations} observations"] if counts.observations else []
    return ", ".join(
        [f"{n} {outcome}" for outcome, n in sorted(counts.outcomes.items(), key=lambda item: -item[1])] + observed
    )
