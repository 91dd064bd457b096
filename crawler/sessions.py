"""DevTools sessions of one tab: the page's own and one for each out-of-process frame, attached without a race.

A frame's session that is opened after the frame loaded misses what is nested inside it (measured), so each
child target is held until its session listens: `Target.setAutoAttach` with `waitForDebuggerOnStart`.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from playwright.async_api import CDPSession

Params = dict[str, Any]
Listener = Callable[["Session", str, Params], None]

EVENTS = (
    "Fetch.requestPaused",
    "Inspector.targetCrashed",
    "Inspector.targetReloadedAfterCrash",
    "Page.domContentEventFired",
    "Page.frameAttached",
    "Page.frameDetached",
    "Page.frameNavigated",
    "Page.loadEventFired",
    "Target.attachedToTarget",
    "Target.detachedFromTarget",
    "Target.receivedMessageFromTarget",
    "WebMCP.toolsAdded",
    "WebMCP.toolsRemoved",
    "WebMCP.toolResponded",
)

_IFRAMES_ONLY = [{"type": "iframe", "exclude": False}, {"exclude": True}]


CRASHED = "renderer crashed"
"""What a frame says whose renderer is gone, while the page around it lives on."""


class ProtocolError(Exception):
    """The browser refused a DevTools command, or its target is gone."""


class Session(Protocol):
    """A DevTools session; `frame` is the root frame of its target."""

    frame: str | None
    root: bool

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command. Raises ProtocolError when it is refused or the target is gone."""


class RootSession:
    """The page's own session, over Playwright's."""

    root = True

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp
        self.frame: str | None = None

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the page's target."""
        try:
            return dict(await self._cdp.send(method, params or {}) or {})
        except Exception as error:
            raise ProtocolError(str(error)) from error

    def listen(self, listener: Callable[[str, Params], None]) -> None:
        """Call the listener for each event of `EVENTS`, in the browser's order."""
        for event in EVENTS:
            self._cdp.on(event, lambda params, event=event: listener(event, params or {}))


class ChildSession:
    """An out-of-process frame's session, spoken to through its parent's."""

    root = False

    def __init__(self, parent: Session, session_id: str, frame: str) -> None:
        self.frame: str | None = frame
        self.parent = parent
        self.session_id = session_id
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Params]] = {}
        self._gone: str | None = None

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the frame's target."""
        if self._gone is not None:
            raise ProtocolError(self._gone)
        self._last_id += 1
        message_id = self._last_id
        answer: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        self._waiting[message_id] = answer
        message = json.dumps({"id": message_id, "method": method, "params": params or {}})
        try:
            await self.parent.send("Target.sendMessageToTarget", {"sessionId": self.session_id, "message": message})
            return await answer
        finally:
            self._waiting.pop(message_id, None)

    def answered(self, message: Params) -> None:
        """Hand an answer to whoever waits for it."""
        answer = self._waiting.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(ProtocolError(str(message["error"].get("message"))))
        else:
            answer.set_result(message.get("result") or {})

    def close(self, why: str = "the frame's target is gone") -> None:
        """Nothing answers any more: whoever waits for an answer gets an error, and whoever asks."""
        self._gone = why
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ProtocolError(why))

    def reopen(self) -> None:
        """The frame has another renderer in the place of the one that crashed."""
        self._gone = None


class Sessions:
    """All sessions of a tab. `prepare` is awaited on each before its target may run."""

    def __init__(self, cdp: CDPSession, prepare: Callable[[Session], Awaitable[None]], listener: Listener) -> None:
        self.page = RootSession(cdp)
        self._prepare = prepare
        self._listeners = [listener]
        self._children: dict[str, ChildSession] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen on the page's session and have every child target attached as it is made."""
        self.page.listen(lambda event, params: self._event(self.page, event, params))
        await self._start(self.page)

    def listen(self, listener: Listener) -> None:
        """Call another listener for each event from here on, after those that there are."""
        self._listeners.append(listener)

    def all(self) -> list[Session]:
        """The page's session and those of the out-of-process frames that are alive."""
        return [self.page, *self._children.values()]

    def close(self) -> None:
        """Stop what is under way."""
        for child in self._children.values():
            child.close()
        for task in self._tasks:
            task.cancel()

    async def _start(self, session: Session) -> None:
        await asyncio.gather(
            self._prepare(session),
            session.send(
                "Target.setAutoAttach",
                {
                    "autoAttach": True,
                    "waitForDebuggerOnStart": True,
                    "flatten": False,
                    "filter": _IFRAMES_ONLY,
                },
            ),
        )

    def _event(self, session: Session, event: str, params: Params) -> None:
        match event:
            case "Target.receivedMessageFromTarget":
                child = self._children.get(params["sessionId"])
                if child is None:
                    return
                message = json.loads(params["message"])
                if "id" in message:
                    child.answered(message)
                else:
                    self._event(child, message["method"], message.get("params") or {})
            case "Target.attachedToTarget":
                child = ChildSession(session, params["sessionId"], params["targetInfo"]["targetId"])
                self._children[child.session_id] = child
                self._tell(child, event, params)
                task = asyncio.ensure_future(self._start_child(child))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case "Target.detachedFromTarget":
                gone = self._children.pop(params["sessionId"], None)
                if gone is not None:
                    gone.close()
                    self._tell(gone, event, params)
            case "Inspector.targetCrashed" if isinstance(session, ChildSession):
                session.close(CRASHED)
                self._tell(session, event, params)
            case "Inspector.targetReloadedAfterCrash" if isinstance(session, ChildSession):
                session.reopen()
            case _:
                self._tell(session, event, params)

    def _tell(self, session: Session, event: str, params: Params) -> None:
        for listener in self._listeners:
            listener(session, event, params)

    async def _start_child(self, child: ChildSession) -> None:
        try:
            await self._start(child)
            await child.send("Runtime.runIfWaitingForDebugger")
        except ProtocolError:
            # The frame went away while its session was being made; `detachedFromTarget` cleans up.
            return
