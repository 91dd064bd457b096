"""The download handler: scrapy-playwright's browser, our visits.

Scrapy-playwright keeps a context for many pages, waits for pages that never answer, and closes no context
(measured); so a visit here has a context of its own, a deadline over all of it, and is closed whatever happens.
One private method of the pinned version is overridden for that.
"""

import asyncio
import logging
import os
import signal
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self
from weakref import WeakKeyDictionary

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from census.visit import Browser
from census.vocabulary import Outcome, Pass
from crawler.browser_context import CLOSE_TIMEOUT
from crawler.capture import Capture, capture
from crawler.control_page import ControlVerdict, control_verdict
from crawler.gate import Gate
from crawler.visit_record import Job
from crawler.visiting import Visiting

logger = logging.getLogger(__name__)

_LAUNCH_TIMEOUT = 60.0
_OVERTIME = 20.0
"""Seconds after a visit's deadline that closing its page may take."""
_VOUCH_TIMEOUT = 8.0
"""Seconds that the last control visits of an interrupted crawl may take."""
_STOP_GRACE = 3.0
"""Seconds that visits under way get to end by themselves when the crawl is interrupted."""


class HungVisitError(Exception):
    """A visit did not even end at its deadline."""


class Interrupted(Exception):
    """The crawl was interrupted before the visit was over; its target is to be given back."""


@dataclass(eq=False)
class LiveBrowser:
    """One browser process, and which of its visits no good control has followed yet."""

    playwright: PlaywrightBrowser
    identity: Browser
    pid: int | None = None
    in_flight: int = 0
    visits: int = 0
    retired: bool = False
    shut: bool = False
    tainted: bool = False
    """A control visit read something: what this browser saw since the last good one is done again."""
    unvouched: list[str] = field(default_factory=list)


class CensusDownloadHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """Answers a request that carries a job with the capture of its page; other requests go over plain HTTP."""

    lazy = False
    _of_crawler: ClassVar[WeakKeyDictionary[Crawler, Self]] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """One handler, hence one browser, for both schemes of a crawl."""
        if crawler not in cls._of_crawler:
            cls._of_crawler[crawler] = cls(crawler)
        return cls._of_crawler[crawler]

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._visiting: Visiting = crawler.spider.visiting  # type: ignore[union-attr]
        self._visiting.handler = self
        self._live: LiveBrowser | None = None
        self._audit: LiveBrowser | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._closed = False

    async def _download_request(self, request: Request, spider: Spider | None = None) -> Response:
        audit = request.meta["job"].pass_ is Pass.AUDIT
        live = await asyncio.wait_for(self._audit_browser() if audit else self._browser(), _LAUNCH_TIMEOUT)
        live.in_flight += 1
        try:
            captured = await self._interruptible(live, request.meta["job"])
        finally:
            live.in_flight -= 1
        if captured.visit.outcome is Outcome.CAPTURED:
            live.unvouched.append(captured.visit.visit_id)
        if not captured.browser_healthy:
            self._retire(live)
        self._after_visit(live)
        request.meta["captured"] = captured
        request.meta["live_browser"] = live
        return Response(request.url, request=request, flags=["playwright"])

    async def vouch(self) -> None:
        """Make the control visits that are still owed: none of the visits made so far stays without one."""
        for live in (self._live, self._audit):
            if self._visiting.crawl.control_every and live is not None and live.unvouched:
                await self._control(live)
        while self._background:
            await asyncio.wait(set(self._background))

    async def close(self) -> None:
        """Close the browsers; called once for each scheme."""
        if self._closed:
            return
        if self._visiting.stopping.is_set():
            await self._vouch_in_time()
        self._closed = True
        for task in list(self._background):
            task.cancel()
        for live in (self._live, self._audit):
            if live is not None:
                self._forget(live)
                await self._shut(live)
        await super().close()

    async def _vouch_in_time(self) -> None:
        """Leave no visit of an interrupted crawl without its control visit, unless the browser takes too long."""
        try:
            await asyncio.wait_for(self.vouch(), _VOUCH_TIMEOUT)
        except TimeoutError:
            logger.warning("the last control visit did not end in time; the release says which visits have none")

    async def _interruptible(self, live: LiveBrowser, job: Job) -> Capture:
        visiting = self._visiting
        visit = asyncio.ensure_future(
            capture(live.playwright, live.identity, job, visiting.settings, visiting.gate(job.target.url))
        )
        stop = asyncio.ensure_future(visiting.stopping.wait())
        await asyncio.wait(
            {visit, stop}, timeout=visiting.settings.visit_deadline + _OVERTIME, return_when=asyncio.FIRST_COMPLETED
        )
        stop.cancel()
        if not visit.done() and not visiting.stopping.is_set():
            # The driver can lose the answer of a browser that is killed just then, and nothing in it gives up.
            visit.cancel()
            self._retire(live)
            raise HungVisitError(f"no end {_OVERTIME:.0f} s after the visit's deadline")
        if not visit.done():
            await asyncio.wait({visit}, timeout=_STOP_GRACE)
        if not visit.done():
            visit.cancel()
            await asyncio.wait({visit}, timeout=CLOSE_TIMEOUT + 1)
            raise Interrupted
        return visit.result()

    async def _browser(self) -> LiveBrowser:
        await self._maybe_launch_browser()
        if self._live is None or self._live.playwright is not self.browser:
            if self._live is not None:
                self._retire(self._live)
            # Known to the other visits that wait for it before anything is awaited: one record for one browser.
            self._live = live = LiveBrowser(self.browser, self._visiting.browser)
            live.pid = await _pid(live.playwright)
            return live
        return self._live

    async def _audit_browser(self) -> LiveBrowser:
        """The browser of the audit pass, started beside scrapy-playwright's own, which knows one kind only."""
        assert self._visiting.audit is not None
        path, identity = self._visiting.audit
        async with self.browser_launch_lock:
            if self._audit is not None and not self._audit.playwright.is_connected():
                self._retire(self._audit)
            if self._audit is None:
                options = self.config.launch_options | {"executable_path": str(path)}
                playwright = await self.browser_provider.browser_type.launch(**options)
                self._audit = LiveBrowser(playwright, identity, await _pid(playwright))
        return self._audit

    def _after_visit(self, live: LiveBrowser) -> None:
        live.visits += 1
        limits = self._visiting.crawl
        if limits.control_every and not live.retired and live.visits % limits.control_every == 0:
            self._spawn(self._control_and_retire(live, retire=live.visits >= limits.browser_visits))
        elif live.retired and live.in_flight == 0:
            self._spawn(self._shut(live))

    async def _control_and_retire(self, live: LiveBrowser, *, retire: bool) -> None:
        if await self._control(live) and retire:
            self._retire(live)
        if live.retired and live.in_flight == 0:
            await self._shut(live)

    async def _control(self, live: LiveBrowser) -> bool:
        """Visit the control page; when it does not read zero, what it vouches for is done again elsewhere."""
        vouched, live.unvouched = live.unvouched, []
        # Counted like a visit: nobody closes the browser under it.
        live.in_flight += 1
        try:
            verdict = await self._control_verdict(live)
        finally:
            live.in_flight -= 1
        if not verdict.good:
            # A visit that ended while the control was made is no better than those before it.
            vouched, live.unvouched = vouched + live.unvouched, []
        self._visiting.control_done(live.identity, verdict, vouched)
        if not verdict.good:
            logger.warning(
                "control visit: %s; %d visits are done again in another browser", verdict.detail, len(vouched)
            )
            live.tainted = True
            self._retire(live)
        return verdict.good

    async def _control_verdict(self, live: LiveBrowser) -> ControlVerdict:
        """What the control page reads; a control visit that could not be made is made once more."""
        visiting = self._visiting
        for _ in range(2):
            captured = await capture(
                live.playwright, live.identity, visiting.control_job(), visiting.control_settings, Gate()
            )
            verdict = control_verdict(captured.visit)
            if verdict.read:
                break
        return verdict

    def _retire(self, live: LiveBrowser) -> None:
        """Use the browser for no further visit; it is closed when the visits under way are over."""
        if live.retired:
            return
        self._forget(live)
        if live.in_flight == 0:
            self._spawn(self._shut(live))

    def _forget(self, live: LiveBrowser) -> None:
        """Make scrapy-playwright start another browser next time, and never close this one behind our back."""
        live.retired = True
        if getattr(self, "browser", None) is live.playwright:
            live.playwright.remove_listener("disconnected", self._browser_disconnected_callback)
            del self.browser
        if self._live is live:
            self._live = None
        if self._audit is live:
            self._audit = None

    async def _shut(self, live: LiveBrowser) -> None:
        if live.shut:
            return
        live.shut = True
        if live.unvouched and not live.tainted and not self._closed:
            await self._control(live)
        try:
            await asyncio.wait_for(live.playwright.close(), CLOSE_TIMEOUT)
        except (TimeoutError, PlaywrightError):
            if live.pid is not None:
                _kill(live.pid)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


async def _pid(browser: PlaywrightBrowser) -> int | None:
    """The process id of a browser, needed only to end one that no longer answers."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT):
            session = await browser.new_browser_cdp_session()
            processes = await session.send("SystemInfo.getProcessInfo")
            await session.detach()
    except (TimeoutError, PlaywrightError):
        return None
    return next((int(each["id"]) for each in processes["processInfo"] if each["type"] == "browser"), None)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
