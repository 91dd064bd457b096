"""How a crawl asks its frontier: in the event loop, or beside it when the frontier is at the other end of a network."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

T = TypeVar("T")


class Calls(Protocol):
    """Runs calls one after the other, in the order in which they were asked for."""

    async def ask(self, work: Callable[[], T]) -> T:
        """Run work and return its result."""

    def tell(self, work: Callable[[], object], failed: Callable[[BaseException], None]) -> None:
        """Run work that nobody waits for; `failed` gets its error, in the event loop."""

    def close(self) -> None:
        """Wait for what was asked for."""


class InLoop:
    """For a frontier that answers at once, a file."""

    async def ask(self, work: Callable[[], T]) -> T:
        """Run it now; nothing else runs meanwhile."""
        return work()

    def tell(self, work: Callable[[], object], failed: Callable[[BaseException], None]) -> None:
        """Run it now."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 -- the asker decides what a failure means
            failed(error)

    def close(self) -> None:
        """Nothing is under way."""


class BesideLoop:
    """For a frontier behind a network: while it is slow or away, visits under way go on and keep their deadlines."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="frontier")

    async def ask(self, work: Callable[[], T]) -> T:
        """Run it in the frontier's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def tell(self, work: Callable[[], object], failed: Callable[[BaseException], None]) -> None:
        """Run it in the frontier's thread."""

        def ended(future: asyncio.Future[object]) -> None:
            error = None if future.cancelled() else future.exception()
            if error is not None:
                failed(error)

        asyncio.get_running_loop().run_in_executor(self._thread, work).add_done_callback(ended)

    def close(self) -> None:
        """Wait for what was asked for."""
        self._thread.shutdown(wait=True)
