"""Calling a tool through the browser's own protocol, and waiting for whichever end comes first.

The `WebMCP` DevTools domain reaches every frame, says what a thrown error said, and sees calls that no script of the
page can forge; the browser itself has no timeout (measured). This is the only place from which a tool is run.
"""

import asyncio
import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from crawler.frame_tree import Frame
from crawler.limits import MAX_SCHEMA, MAX_TEXT, clean, clean_schema
from crawler.sessions import CRASHED, Params, ProtocolError, Session
from crawler.tab import Tab
from measure.live.execution import ExecutionStatus
from measure.live.live_tool import LiveTool

_CANCEL = 2.0
"""Seconds for the browser to take a cancellation."""
_AFTER_NAVIGATION = 3.0
"""Seconds that the browser gets to answer for a tool whose document has gone: it gives data of the new page."""
_NOT_THERE = re.compile(r"Tool not found|No frame for given id", re.IGNORECASE)
_REFUSED = re.compile(r"Invalid parameters", re.IGNORECASE)
_STACK = re.compile(r"\n\s+at .*", re.DOTALL)
_LEFT = frozenset({"Page.frameNavigated", "Page.frameDetached", "Target.attachedToTarget", "Target.detachedFromTarget"})


@dataclass(frozen=True, slots=True)
class End:
    """How a call ended, before its page was looked at."""

    status: ExecutionStatus
    output: JsonValue = None
    error: str | None = None
    cut: bool = False


@dataclass(slots=True)
class _Pending:
    """The call that is under way."""

    frames: frozenset[str]
    """The tool's frame and those around it: when one of them moves, the tool's document has gone."""
    responses: dict[str, Params]
    left_at: float | None = None
    crashed: bool = False


class Calls:
    """The calls of one tab's tools, one at a time."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._pending: _Pending | None = None
        self._news = asyncio.Event()
        self._closed = False
        tab.sessions.listen(self._heard)
        tab.page.on("close", self._page_closed)
        browser = tab.context.browser
        if browser is not None:
            browser.on("disconnected", lambda _: self._news.set())

    @property
    def gone(self) -> ExecutionStatus | None:
        """Why nothing more can be asked of the page; None while it is there."""
        browser = self._tab.context.browser
        if browser is not None and not browser.is_connected():
            return ExecutionStatus.BROWSER_FAILED
        if self._tab.crashed:
            return ExecutionStatus.PAGE_CRASHED
        return ExecutionStatus.PAGE_CLOSED if self._closed else None

    async def call(self, tool: LiveTool, arguments: Mapping[str, JsonValue], bound_s: float) -> End:
        """Call a tool and wait for the end, at most `bound_s` seconds (and two for a cancellation)."""
        frame = self._tab.tree.get(tool.frame_id)
        if self.gone is not None:
            return End(self.gone)
        if frame is None:
            return End(ExecutionStatus.NOT_THERE, error="the tool's frame is no longer there")
        pending = self._pending = _Pending(_around(frame), {})
        try:
            return await self._called(pending, frame, tool, arguments, time.monotonic() + bound_s)
        finally:
            self._pending = None

    async def _called(
        self, pending: _Pending, frame: Frame, tool: LiveTool, arguments: Mapping[str, JsonValue], until: float
    ) -> End:
        session: Session = frame.session  # type: ignore[assignment]
        asked = {"frameId": tool.frame_id, "toolName": tool.name, "input": arguments}
        sent = asyncio.ensure_future(session.send("WebMCP.invokeTool", asked))
        invocation: str | None = None
        try:
            while True:
                self._news.clear()
                if sent.done() and invocation is None:
                    try:
                        invocation = str(sent.result()["invocationId"])
                    except ProtocolError as error:
                        return self._refusal(pending, str(error))
                end = self._end(pending, invocation)
                if end is not None:
                    return end
                left = self._next_look(pending, until) - time.monotonic()
                if left <= 0:
                    return await self._given_up(pending, session, invocation, tool)
                news = asyncio.ensure_future(self._news.wait())
                await asyncio.wait(
                    {news} if invocation is not None else {news, sent},
                    timeout=left,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                news.cancel()
        finally:
            sent.cancel()
            with suppress(asyncio.CancelledError, ProtocolError):
                await sent

    @staticmethod
    def _next_look(pending: _Pending, until: float) -> float:
        return until if pending.left_at is None else min(until, pending.left_at + _AFTER_NAVIGATION)

    def _end(self, pending: _Pending, invocation: str | None) -> End | None:
        response = pending.responses.get(invocation) if invocation is not None else None
        if response is not None:
            return _said(response, left=pending.left_at is not None)
        if pending.crashed:
            return End(ExecutionStatus.PAGE_CRASHED)
        return End(self.gone) if self.gone is not None else None

    def _refusal(self, pending: _Pending, message: str) -> End:
        error = clean(message, MAX_TEXT)[0]
        if pending.crashed or CRASHED in message:
            return End(ExecutionStatus.PAGE_CRASHED)
        if self.gone is not None:
            return End(self.gone)
        if _REFUSED.search(message):
            return End(ExecutionStatus.REFUSED, error=error)
        if _NOT_THERE.search(message) or pending.left_at is not None:
            return End(ExecutionStatus.NOT_THERE, error=error)
        return End(ExecutionStatus.BROWSER_FAILED, error=error)

    async def _given_up(self, pending: _Pending, session: Session, invocation: str | None, tool: LiveTool) -> End:
        if pending.left_at is not None:
            return End(ExecutionStatus.NAVIGATED)
        if invocation is not None:
            # It may just have ended by itself, or its renderer is too busy to hear of it: it is given up all the same.
            with suppress(TimeoutError, ProtocolError):
                await asyncio.wait_for(session.send("WebMCP.cancelInvocation", {"invocationId": invocation}), _CANCEL)
        waits = not tool.submits_itself and invocation is not None
        return End(ExecutionStatus.WAITS_FOR_PERSON if waits else ExecutionStatus.NO_ANSWER)

    def _heard(self, session: Session, event: str, params: Params) -> None:
        pending = self._pending
        if pending is None:
            return
        if event == "WebMCP.toolResponded":
            pending.responses[str(params.get("invocationId"))] = params
        elif event == "Inspector.targetCrashed":
            pending.crashed = pending.crashed or session.frame in pending.frames
        elif event in _LEFT and _frame_of(session, event, params) in pending.frames:
            pending.left_at = pending.left_at or time.monotonic()
        else:
            return
        self._news.set()

    def _page_closed(self, _: object) -> None:
        self._closed = True
        self._news.set()


def _around(frame: Frame) -> frozenset[str]:
    ids = set()
    at: Frame | None = frame
    while at is not None:
        ids.add(at.frame_id)
        at = at.parent
    return frozenset(ids)


def _frame_of(session: Session, event: str, params: Params) -> str | None:
    if event == "Page.frameNavigated":
        return str(params["frame"]["id"])
    if event == "Page.frameDetached":
        return str(params["frameId"])
    return session.frame


def _said(response: Mapping[str, Any], *, left: bool) -> End:
    output, cut = _kept(response.get("output"))
    match response.get("status"):
        case "Completed":
            return End(ExecutionStatus.NAVIGATED if left else ExecutionStatus.COMPLETED, output, cut=cut)
        case "Canceled":
            return End(ExecutionStatus.NAVIGATED if left else ExecutionStatus.CANCELED)
    error, cut = clean(error_said(response), MAX_TEXT)
    return End(ExecutionStatus.ERROR, error=error, cut=cut)


def error_said(response: Mapping[str, Any]) -> str:
    """What the browser's `Error` says: its own text, else what was thrown, without the stack."""
    text = response.get("errorText")
    thrown = response.get("exception") or {}
    if "description" in thrown:
        said = _STACK.sub("", str(thrown["description"]))
    elif "value" in thrown:
        said = thrown["value"] if isinstance(thrown["value"], str) else json.dumps(thrown["value"])
    else:
        said = str(thrown.get("unserializableValue") or thrown.get("type") or "")
    return said or str(text or "")


def _kept(output: Any) -> tuple[JsonValue, bool]:
    """The output, or as much of its text as is kept."""
    if isinstance(output, str):
        return clean(output, MAX_SCHEMA)
    value, cut = clean_schema(output)
    if not cut:
        return value, False
    try:
        text = json.dumps(output)
    except RecursionError:
        text = ""
    return clean(text, MAX_SCHEMA)[0], True
