"""The crawler's own page: it registers nothing, so both views of it must read zero."""

import asyncio
from typing import NamedTuple

from census.visit import Visit
from census.vocabulary import BrowserView, Outcome, PageView

NO_API = "the control page has no document.modelContext"
HOST = "control.webmcp-census.localhost"
RULE = f"MAP {HOST} 127.0.0.1"
"""Goes before a crawl's own host rules, so that the control page is reached whatever they say."""

_BODY = b"<!doctype html><html lang=en><title>webmcp-census control page</title><p>Nothing is registered here."
_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\nCache-Control: no-store\r\n"
    b"Content-Length: %d\r\n\r\n"
)


class ControlPage:
    """Serves the control page on loopback, in this process; `doctor` serves a page with one tool instead."""

    def __init__(self, body: bytes = _BODY) -> None:
        self._body = body
        self._server: asyncio.Server | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.port}/"

    async def start(self) -> None:
        """Begin to serve on a free port of 127.0.0.1."""
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            writer.write(_HEAD % len(self._body) + self._body)
            await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        finally:
            writer.close()


class ControlVerdict(NamedTuple):
    """What a visit of the control page says: whether anything, whether it is good, and what was read."""

    read: bool
    good: bool
    detail: str


def control_verdict(visit: Visit) -> ControlVerdict:
    """Whether a visit of the control page read zero tools in both views, and what it read instead.

    One tool in one view is a leak, whatever became of the other view.
    """
    names = sorted(
        {tool.name for tool in visit.browser_tools} | {t.name for document in visit.documents for t in document.tools}
    )
    if names:
        shown = ", ".join(ascii(name)[1:-1] for name in names[:5])
        return ControlVerdict(True, False, f"{len(names)} tools on a page that registers none: {shown}")
    if visit.outcome is not Outcome.CAPTURED:
        return ControlVerdict(False, False, f"{visit.outcome}: {visit.outcome_detail}")
    if visit.browser_view is not BrowserView.READ:
        return ControlVerdict(False, False, f"browser view unavailable: {visit.browser_view_error}")
    if any(document.page_view is PageView.NO_API for document in visit.documents):
        return ControlVerdict(False, False, NO_API)
    unread = [document.error for document in visit.documents if document.page_view is not PageView.READ]
    if unread:
        return ControlVerdict(False, False, f"page view not read: {unread[0]}")
    return ControlVerdict(True, True, "zero tools in both views")
