"""One page in a browser context of its own, followed from before its first navigation until it is closed."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from importlib.resources import files
from typing import Any

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, Dialog, Page, Request
from playwright.async_api import Error as PlaywrightError

from census.visit import Event
from crawler.browser_context import close_context, open_context
from crawler.browser_view import BrowserView
from crawler.client_hints import client_hints
from crawler.document_requests import DOCUMENTS, DocumentRequests
from crawler.frame_tree import FrameTree
from crawler.gate import Gate, Refusal
from crawler.limits import MAX_EVENTS, MAX_FRAMES
from crawler.sessions import Params, ProtocolError, Session, Sessions
from crawler.settings import VisitSettings

_LEGACY = files("crawler").joinpath("legacy.js").read_text()


class Tab:
    """The state of one visit's page. Every field is changed by browser events only."""

    def __init__(
        self, context: BrowserContext, page: Page, settings: VisitSettings, gate: Gate, *, legacy: bool
    ) -> None:
        self.context = context
        self.page = page
        self.settings = settings
        self.gate = gate
        self.legacy = legacy
        """Names of the API that are gone stand for the native object in this tab: it is not as the page made it."""
        self.view = BrowserView()
        self.view_error: str | None = None
        self.patience: asyncio.Timeout | None = None
        """How long the first document is waited for."""
        self.committed_at: float | None = None
        self.loaded_at: float | None = None
        self.changed_at = 0.0
        self.navigations = 0
        self.tree_revision = 0
        self.crashed = False
        self.refused: Refusal | None = None
        self.unreachable: str | None = None
        """Where the page sent itself, when the browser could not go there and shows its own error page."""
        self.broken: str | None = None
        """Why the top document did not arrive whole, by the browser's word."""
        self.broken_at: float | None = None
        self.http_status: int | None = None
        """Of the top document's last response; None for a document whose response was not seen passing."""
        self.headers: dict[str, str] = {}
        self.dialogs = 0
        self.popups = 0
        self.downloads = 0
        self.events: list[Event] = []
        self._framed: set[str] = set()
        self._requests = DocumentRequests(self)
        self._turned = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tree: FrameTree | None = None
        self._sessions: Sessions | None = None

    @classmethod
    async def open(
        cls,
        browser: PlaywrightBrowser,
        settings: VisitSettings,
        gate: Gate,
        *,
        legacy: bool = False,
        prepare: Callable[[BrowserContext], Awaitable[None]] | None = None,
    ) -> "Tab":
        """A blank page in a fresh context, its views followed from here on. `prepare` is done to the context first."""
        context = await open_context(browser, settings)
        try:
            if prepare is not None:
                await prepare(context)
            page = await context.new_page()
            tab = cls(context, page, settings, gate, legacy=legacy)
            await tab._follow()
        except BaseException:
            await close_context(context)
            raise
        return tab

    @property
    def tree(self) -> FrameTree:
        """The frames of the page."""
        assert self._tree is not None
        return self._tree

    @property
    def sessions(self) -> Sessions:
        """The DevTools sessions of the page."""
        assert self._sessions is not None
        return self._sessions

    @property
    def revision(self) -> tuple[int, int]:
        """Grows with whatever could change what the views show."""
        return self.view.revision, self.tree_revision

    def is_top(self, frame_id: str | None) -> bool:
        """Whether this is the page's own frame; before the first document there is no other."""
        return self._tree is None or frame_id == self._tree.top.frame_id

    def refuse(self, refusal: Refusal) -> None:
        """End the visit with a refusal."""
        self.refused = refusal
        self._turned.set()

    def redirected(self) -> None:
        """A host answered, with another address: the next one gets the same time."""
        if self.patience is not None and not self.patience.expired():
            self.patience.reschedule(asyncio.get_running_loop().time() + self.settings.navigation_timeout)

    def elapsed(self) -> float:
        """Seconds since the first document was committed; 0 before."""
        return time.monotonic() - self.committed_at if self.committed_at is not None else 0.0

    async def turn(self, seconds: float) -> None:
        """Wait until the load event, a navigation, a refusal or a crash, at most so many seconds."""
        self._turned.clear()
        try:
            await asyncio.wait_for(self._turned.wait(), max(seconds, 0.01))
        except TimeoutError:
            return

    async def close(self) -> bool:
        """Close the context and everything in it. False when the browser did not answer in time."""
        for task in self._tasks:
            task.cancel()
        if self._sessions is not None:
            self._sessions.close()
        return await close_context(self.context)

    async def _follow(self) -> None:
        cdp = await self.context.new_cdp_session(self.page)
        self._sessions = Sessions(cdp, self._prepare, self._event)
        self.page.on("dialog", self._dialog)
        self.page.on("download", self._download)
        self.page.on("requestfailed", self._request_failed)
        self.context.on("page", self._popup)
        tree, _ = await asyncio.gather(self.sessions.page.send("Page.getFrameTree"), self.sessions.open())
        top_id = tree["frameTree"]["frame"]["id"]
        self.sessions.page.frame = top_id
        self._tree = FrameTree(top_id, self.sessions.page)

    async def _prepare(self, session: Session) -> None:
        await asyncio.gather(
            session.send("Page.enable"),
            self._enable_browser_view(session),
            session.send("Emulation.setUserAgentOverride", client_hints(self.settings, self._build())),
            *([session.send("Fetch.enable", {"patterns": DOCUMENTS})] if session.root else []),
            *([session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _LEGACY})] if self.legacy else []),
        )

    def _build(self) -> str:
        browser = self.context.browser
        return browser.version if browser is not None else ""

    async def _enable_browser_view(self, session: Session) -> None:
        try:
            await session.send("WebMCP.enable")
        except ProtocolError as error:
            if session.root:
                self.view_error = str(error)

    def _event(self, session: Session, event: str, params: Params) -> None:
        match event:
            case "WebMCP.toolsAdded":
                if self.view.added(params["tools"], int(self.elapsed() * 1000)):
                    self.changed_at = self.elapsed()
            case "WebMCP.toolsRemoved":
                if self.view.removed(params["tools"]):
                    self.changed_at = self.elapsed()
            case "Fetch.requestPaused":
                self._spawn(self._requests.decide(session, params))
            case "Inspector.targetCrashed":
                self._crash(session)
            case "Page.loadEventFired" if session.root:
                self.loaded_at = self.elapsed()
                self._turned.set()
                self._spawn(session.send("Fetch.enable", {"patterns": DOCUMENTS}))
            case _ if not event.startswith("WebMCP."):  # a call, the page's own too, changes nothing of what is offered
                self._frame_event(session, event, params)

    def _frame_event(self, session: Session, event: str, params: Params) -> None:
        if self._tree is None:
            return
        self.tree_revision += 1
        tree = self.tree
        match event:
            case "Page.frameAttached":
                tree.attach(params["frameId"], params["parentFrameId"], session)
            case "Page.frameNavigated":
                frame = params["frame"]
                self._drop_documents(frame["id"])
                tree.navigate(frame["id"], frame["url"] + frame.get("urlFragment", ""), session)
                if frame["id"] == tree.top.frame_id:
                    self._top_navigated(frame)
                elif (
                    frame["url"].startswith("http")
                    and len(self._framed) < MAX_FRAMES
                    and frame["id"] not in self._framed
                ):
                    # Its first document only: an advertisement that reloads for ever must not hold the page.
                    self._framed.add(frame["id"])
                    self.changed_at = self.elapsed()
            case "Page.frameDetached":
                known = tree.get(params["frameId"])
                if known is not None and known.session is session:
                    self._drop_documents(params["frameId"])
                    if params.get("reason") != "swap":
                        tree.detach(params["frameId"])
            case "Target.attachedToTarget" if session.frame is not None:
                self._drop_documents(session.frame)
                tree.move(session.frame, session)
            case "Target.detachedFromTarget" if session.frame is not None:
                known = tree.get(session.frame)
                if known is not None and known.session is session:
                    self._drop_documents(session.frame)
                    tree.detach(session.frame)

    def _drop_documents(self, frame_id: str) -> None:
        frame = self.tree.get(frame_id)
        for each in frame.walk() if frame is not None else ():
            self.view.document_gone(each.frame_id)

    def _top_navigated(self, frame: Params) -> None:
        if "unreachableUrl" in frame:
            self.unreachable = frame["unreachableUrl"]
        elif self.committed_at is None:
            self.committed_at = time.monotonic()
        else:
            self.navigations += 1
            self.note("navigated", frame["url"])
        if not self._requests.judged and frame["url"].startswith("http"):
            self.http_status, self.headers = None, {}
            self._spawn(self._requests.ask_afterwards(frame["url"]))
        self._requests.judged = False
        self.loaded_at = self.broken = self.broken_at = None
        self.changed_at = self.elapsed()
        self._turned.set()

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs += 1
        self.note("dialog", dialog.type)
        self._spawn(dialog.dismiss())

    def _download(self, _: Any) -> None:
        self.downloads += 1
        self.note("download")

    def _crash(self, session: Session) -> None:
        if session.root:
            self.crashed = True
            self.note("crash")
            self._turned.set()
        elif self._tree is not None and session.frame is not None:
            # A frame in a process of its own: what it offered went with it, the page around it did not.
            self.note("crash", "a frame")
            self.tree_revision += 1
            self._drop_documents(session.frame)
            self._tree.move(session.frame, session)

    def _request_failed(self, request: Request) -> None:
        """The rest of a document that was already shown in part does not come: no load event follows."""
        if request.failure == _CANCELLED or not request.is_navigation_request() or self.loaded_at is not None:
            return
        if self._tree is not None and request.url == self.tree.top.url.partition("#")[0]:
            self.broken, self.broken_at = request.failure or "unknown", self.elapsed()
            self.note("broken", self.broken)
            self._turned.set()

    def _popup(self, page: Page) -> None:
        if page is not self.page:
            self.popups += 1
            self.note("popup")
            self._spawn(page.close())

    def note(self, what: str, detail: str = "") -> None:
        """Keep an event for the record, up to a number."""
        if len(self.events) < MAX_EVENTS:
            self.events.append(Event(at_ms=int(self.elapsed() * 1000), what=what, detail=detail[:500]))

    def _spawn(self, work: Coroutine[Any, Any, Any] | Awaitable[Any]) -> None:
        async def guarded() -> None:
            try:
                await work
            except (PlaywrightError, ProtocolError):
                # What was to be answered (a dialog, a popup, a request) is already gone.
                return

        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_CANCELLED = "net::ERR_ABORTED"
"""What a page's own stop() says, and a navigation that becomes a download."""
