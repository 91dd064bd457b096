"""Keeps a crawler's leases alive, and ends a visit whose lease is gone: its site may be somebody else's by now."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from crawler.frontier import Lease

logger = logging.getLogger(__name__)

_LOOK = 1.0
"""Seconds between two looks at which leases have run out by our own clock, whatever the frontier does."""


class Prolongs(Protocol):
    """The side of a frontier that keeps leases alive."""

    def prolong(self, leases: Iterable[tuple[str, int]]) -> dict[tuple[str, int], float]:
        """Prolong leases (site and fence); until when each is ours by the monotonic clock. The others are lost."""


@dataclass(slots=True)
class _Held:
    abandon: Callable[[], None]
    until: float


class LeaseWatch:
    """A sign of life every few seconds from a thread of its own, for which the event loop need not be free."""

    def __init__(self, frontier: Prolongs, ttl: float, beat: float) -> None:
        self._frontier = frontier
        self._beat = beat
        self._first = ttl / 2
        """The claim's answer may have been slow; the first sign of life says how long the lease lasts."""
        self._held: dict[tuple[str, int], _Held] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, failed: Callable[[BaseException], None]) -> None:
        """Begin; `failed` gets, in the event loop, the error that keeps the frontier from being told."""
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(loop, failed), name="lease-watch", daemon=True)
        self._thread.start()
        self._task = asyncio.ensure_future(self._look())

    def stop(self) -> None:
        """End; what is still held runs out."""
        self._ended.set()
        if self._task is not None:
            self._task.cancel()
        if self._thread is not None:
            self._thread.join(2 * self._beat)

    def add(self, lease: Lease, abandon: Callable[[], None]) -> None:
        """Keep a lease alive; `abandon` is called, in the event loop, when it is lost."""
        with self._lock:
            self._held[_key(lease)] = _Held(abandon, time.monotonic() + self._first)

    def remove(self, lease: Lease) -> bool:
        """Let go of a lease; returns whether it was held until now."""
        with self._lock:
            return self._held.pop(_key(lease), None) is not None

    def _run(self, loop: asyncio.AbstractEventLoop, failed: Callable[[BaseException], None]) -> None:
        while not self._ended.wait(self._beat):
            with self._lock:
                asked = list(self._held)
            try:
                kept = self._frontier.prolong(asked)
            except Exception as error:  # noqa: BLE001 -- told to the crawl, which ends
                self._tell(loop, failed, error)
                return
            self._tell(loop, self._heard, asked, kept)

    def _tell(self, loop: asyncio.AbstractEventLoop, what: Callable[..., None], *arguments: object) -> None:
        try:
            loop.call_soon_threadsafe(what, *arguments)
        except RuntimeError:
            # The crawl, and its loop, ended while the frontier was asked.
            if not self._ended.is_set():
                raise

    def _heard(self, asked: list[tuple[str, int]], kept: dict[tuple[str, int], float]) -> None:
        for key in asked:
            if key in kept:
                with self._lock:
                    if key in self._held:
                        self._held[key].until = kept[key]
            else:
                self._lose(key)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK)
            now = time.monotonic()
            with self._lock:
                over = [key for key, held in self._held.items() if held.until < now]
            for key in over:
                self._lose(key)

    def _lose(self, key: tuple[str, int]) -> None:
        with self._lock:
            held = self._held.pop(key, None)
        if held is not None:
            logger.warning("the lease of %s ran out; its visit is ended and left to others", key[0])
            held.abandon()


def _key(lease: Lease) -> tuple[str, int]:
    return lease.target.site, lease.fence
