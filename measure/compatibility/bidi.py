"""A connection that speaks WebDriver BiDi: commands, their answers, and the events in between.

Source: the W3C's "WebDriver BiDi", sections "Transport" and "Protocol".
"""

import asyncio
import json
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

_MAX_MESSAGE = 64 * 1024 * 1024


class BidiError(Exception):
    """The browser refused a command, or has gone."""


class Bidi:
    """One session. `closed` is called when the browser goes away by itself."""

    def __init__(self, address: str, closed: Callable[[], None]) -> None:
        self._address = address
        self._closed = closed
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._listeners: dict[str, list[Callable[[dict[str, Any]], None]]] = {}

    async def __aenter__(self) -> Self:
        self._socket: ClientConnection = await connect(
            f"{self._address}/session", max_size=_MAX_MESSAGE, ping_interval=None, proxy=None
        )
        self._reader = asyncio.create_task(self._read())
        await self.send("session.new", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = lambda: None
        await self._socket.close()
        await self._reader

    async def send(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call a command and wait for its result. Raises BidiError when it is refused or the browser has gone."""
        number = next(self._ids)
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            await self._socket.send(json.dumps({"id": number, "method": method, "params": parameters or {}}))
            return await future
        except ConnectionClosed as error:
            raise BidiError("the browser has gone") from error
        finally:
            del self._waiting[number]

    async def listen(self, event: str, listener: Callable[[dict[str, Any]], None]) -> None:
        """Call the listener with the parameters of each event of this name from now on."""
        if event not in self._listeners:
            self._listeners[event] = []
            await self.send("session.subscribe", {"events": [event]})
        self._listeners[event].append(listener)

    async def _read(self) -> None:
        try:
            async for text in self._socket:
                self._take(json.loads(text))
        except ConnectionClosed:
            pass  # the same end as an orderly one, told below
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(BidiError("the browser has gone"))
        self._closed()

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "event":
            for listener in self._listeners.get(message["method"], ()):
                listener(message["params"])
            return
        future = self._waiting.get(message.get("id") or 0)
        if future is None or future.done():
            return
        if message["type"] == "success":
            future.set_result(message["result"])
        else:
            future.set_exception(BidiError(f"{message['error']}: {message['message']}"))
