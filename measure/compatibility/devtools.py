"""A DevTools session over Playwright's, with its events kept."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from measure.compatibility.probing import NoAnswer, Threw

_MAX_KEPT = 50_000


class Session:
    """Keeps every event from the moment it is opened."""

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp
        self._events: list[tuple[str, dict[str, Any]]] = []
        self._news = asyncio.Event()
        cdp.on("event", self._keep)

    def _keep(self, event: Mapping[str, Any]) -> None:
        if len(self._events) < _MAX_KEPT:
            self._events.append((str(event["method"]), event.get("params") or {}))
        self._news.set()

    async def send(self, method: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a method. Raises Threw("ProtocolError", …) when the browser refuses."""
        try:
            return dict(await self._cdp.send(method, dict(parameters or {})) or {})
        except PlaywrightError as error:
            raise Threw("ProtocolError", error.message) from error

    def seen(self, event: str) -> list[dict[str, Any]]:
        """The parameters of the events of this name so far."""
        return [parameters for name, parameters in self._events if name == event]

    async def event(
        self, event: str, where: Callable[[dict[str, Any]], bool] = lambda _: True, within: float = 5.0
    ) -> dict[str, Any]:
        """The first event that passes, seen or to come. Raises NoAnswer when none comes in time."""
        try:
            async with asyncio.timeout(within):
                while True:
                    self._news.clear()
                    found = next((parameters for parameters in self.seen(event) if where(parameters)), None)
                    if found is not None:
                        return found
                    await self._news.wait()
        except TimeoutError as error:
            raise NoAnswer(f"no {event} within {within:g} s") from error
