"""What a page sends, asks and breaks while it is held open: requests that may write, dialogs, exceptions."""

import time
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit, urlunsplit

from playwright.async_api import Dialog, Page, Request, WebSocket
from playwright.async_api import Error as PlaywrightError

from crawler.limits import MAX_TEXT, clean
from measure.live.effects import DialogSeen, NetworkWrite

_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST = 200
"""Entries of each kind that are kept of one call: the first ones."""
_MESSAGE = 500


def without_query(url: str) -> str:
    """A URL without its query, fragment and credentials, which may hold what is somebody's own."""
    parts = urlsplit(url)
    return clean(urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", "")), MAX_TEXT)[0]


_Entry = TypeVar("_Entry")


@dataclass(slots=True)
class _Heard:
    writes: list[NetworkWrite] = field(default_factory=list)
    dialogs: list[DialogSeen] = field(default_factory=list)
    uncaught: list[str] = field(default_factory=list)
    popups: int = 0
    downloads: int = 0


class Traffic:
    """Listens on a page from its first request on; `mark` begins to count anew."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._now = _Heard()
        self._open: set[Request] = set()
        self._moved_at = time.monotonic()
        context = page.context
        context.on("request", self._request)
        # Not `requestfinished`: it does not come for an answer whose body the page never reads (measured).
        context.on("response", lambda response: self._ended(response.request))
        context.on("requestfailed", self._ended)
        page.on("dialog", self._dialog)
        page.on("websocket", self._socket)
        page.on("pageerror", self._uncaught)
        page.on("popup", self._popup)
        page.on("download", self._download)

    def mark(self) -> None:
        """Forget what was heard so far; requests that are still under way are no longer waited for."""
        self._now = _Heard()
        self._open.clear()

    def still_for(self) -> float:
        """Seconds since the last request began or ended; 0 while one that was begun since the mark is under way."""
        return 0.0 if self._open else time.monotonic() - self._moved_at

    @property
    def writes(self) -> tuple[NetworkWrite, ...]:
        """Requests since the mark by which something may have been written."""
        return tuple(self._now.writes)

    @property
    def dialogs(self) -> tuple[DialogSeen, ...]:
        """Dialogs since the mark."""
        return tuple(self._now.dialogs)

    @property
    def uncaught(self) -> tuple[str, ...]:
        """Exceptions since the mark that nothing caught."""
        return tuple(self._now.uncaught)

    @property
    def popups(self) -> int:
        """Windows that opened since the mark."""
        return self._now.popups

    @property
    def downloads(self) -> int:
        """Downloads that began since the mark."""
        return self._now.downloads

    def _request(self, request: Request) -> None:
        self._moved_at = time.monotonic()
        if self._is_ours(request):
            self._open.add(request)
        if request.method not in _READS:
            self._keep(self._now.writes, NetworkWrite(request.method, without_query(request.url)))

    def _is_ours(self, request: Request) -> bool:
        """Whether the page itself waits for it: a window that it opened is closed, with what it asked for."""
        try:
            return request.frame.page is self._page
        except PlaywrightError:
            # A service worker's has no frame.
            return False

    def _ended(self, request: Request) -> None:
        self._moved_at = time.monotonic()
        self._open.discard(request)

    def _dialog(self, dialog: Dialog) -> None:
        self._keep(self._now.dialogs, DialogSeen(dialog.type, clean(dialog.message, _MESSAGE)[0]))

    def _socket(self, socket: WebSocket) -> None:
        write = NetworkWrite("WEBSOCKET", without_query(socket.url))
        socket.on("framesent", lambda _: self._keep(self._now.writes, write))

    def _uncaught(self, error: PlaywrightError) -> None:
        self._keep(self._now.uncaught, clean(str(error), _MESSAGE)[0])

    @staticmethod
    def _keep(kept: list[_Entry], entry: _Entry) -> None:
        if len(kept) < _MOST:
            kept.append(entry)

    def _popup(self, _: Page) -> None:
        self._now.popups += 1

    def _download(self, _: object) -> None:
        self._now.downloads += 1
