"""The screen's spider: claims a target when it may, has it screened by plain HTTP, acknowledges what was found."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response, TextResponse
from scrapy.http.request import NO_CALLBACK

from census.optout import OptOut
from census.vocabulary import Outcome
from crawler.frontier import Frontier, Lease, Report
from crawler.screen.record import Screening
from crawler.screen.screening import Got, screen
from crawler.screen.settings import ScreenSettings

logger = logging.getLogger(__name__)

_IDLE = 0.05
"""Seconds between two looks at the frontier while every site that has work is resting or leased."""
_MAX_CRAWL_DELAY = 60.0
_LONGEST_RETRY_AFTER = 600.0
_MAX_LOST = 3
"""Attempts that went down with the screen: the page is then left to a visit, which bounds more."""
_HOSTS = 5_000
_GRACE = 3.0


@dataclass
class ScreenSetup:
    """What the screen works with, and what it ends with."""

    run_id: str
    settings: ScreenSettings
    concurrency: int
    frontier: Frontier
    optout: OptOut
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to end the screen: nothing new, and a short grace for what is under way."""
    done: Callable[[], None] = lambda: None
    """Called when a target is screened."""
    failure: BaseException | None = None
    """What kept a screening from being recorded; it ends the screen."""


class ScreenSpider(Spider):
    """Screens every target of a frontier."""

    name = "screen"

    def __init__(self, *, setup: ScreenSetup, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._setup = setup
        self._frontier = setup.frontier
        self.optout = setup.optout
        self._site_files: OrderedDict[tuple[str, str], asyncio.Future[Got]] = OrderedDict()

    async def start(self) -> AsyncIterator[Request]:
        """Screen all there is. No request goes through Scrapy's scheduler: its frontier is ours."""
        workers = [asyncio.ensure_future(self._work()) for _ in range(self._setup.concurrency)]
        stop = asyncio.ensure_future(self._setup.stopping.wait())
        waiting: set[asyncio.Future[Any]] = {stop, *workers}
        # All workers end by themselves when nothing is left; one that fails ends the screen.
        while not stop.done() and len(waiting) > 1:
            ended, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if any(each is not stop and each.exception() for each in ended):
                break
        if waiting - {stop}:
            await asyncio.wait(waiting - {stop}, timeout=_GRACE)
        for each in (stop, *workers):
            each.cancel()
        for result in await asyncio.gather(*workers, return_exceptions=True):
            if isinstance(result, Exception):
                self._fail(result)
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request

    def crawl_delay(self, site: str, delay: float) -> None:
        """Robots.txt of a site asks for a delay, in seconds; obeyed up to a minute."""
        self._frontier.set_delay(site, min(delay, _MAX_CRAWL_DELAY))

    async def _work(self) -> None:
        while not self._setup.stopping.is_set():
            lease = self._frontier.claim()
            if lease is None:
                if self._frontier.next_due() is None:
                    # Whoever holds a site goes on with its other pages; nothing is added meanwhile.
                    return
                await asyncio.sleep(_IDLE)
                continue
            await self._screen(lease)

    async def _screen(self, lease: Lease) -> None:
        try:
            if lease.lost >= _MAX_LOST:
                found = Screening(unread=1, why=f"{_MAX_LOST} attempts took their crawler down")
            else:
                async with asyncio.timeout(self._setup.settings.deadline):
                    found = await screen(lease.target.url, self._fetch, lambda path: self._site_file(lease, path))
        except TimeoutError:
            found = Screening(unread=1, why=f"not read in {self._setup.settings.deadline:.0f} s")
        except asyncio.CancelledError:
            self._frontier.release(lease)
            raise
        except ValueError as error:
            found = Screening(unread=1, why=f"no usable URL: {error}"[:200])
        self._acknowledge(lease, found)

    def _acknowledge(self, lease: Lease, found: Screening) -> None:
        visit_id = f"{self._setup.run_id}-{lease.target_id}-{lease.attempt}"
        busy = found.status in (429, 503) and found.retry_after.isascii() and found.retry_after.isdigit()
        rest = min(float(found.retry_after), _LONGEST_RETRY_AFTER) if busy else 0.0
        outcome = Outcome.CAPTURED if not found.unread or found.signs else Outcome.HTTP_ERROR
        report = Report(visit_id, outcome, found.model_dump_json(exclude_defaults=True), None, site_rest=rest)
        try:
            self._frontier.acknowledge(lease, report, self._setup.settings.delay)
        except Exception as error:  # noqa: BLE001 -- a full disk, say: what cannot be recorded ends the screen
            self._fail(error)
            return
        self._setup.done()

    def _fail(self, error: BaseException) -> None:
        self._setup.failure = error
        self._setup.stopping.set()

    async def _site_file(self, lease: Lease, path: str) -> Got:
        """A file of a host, asked once for all of its pages."""
        parts = urlsplit(lease.target.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        known = self._site_files.get((origin, path))
        if known is None:
            known = asyncio.ensure_future(self._fetch(origin + path))
            self._site_files[origin, path] = known
            while len(self._site_files) > _HOSTS:
                self._site_files.popitem(last=False)
        return await asyncio.shield(known)

    async def _fetch(self, url: str) -> Got:
        try:
            response: Response = await self.crawler.engine.download_async(
                Request(url, callback=NO_CALLBACK, dont_filter=True)
            )
        except IgnoreRequest as error:
            return Got(url, 0, "", "", problem=f"not asked: {error}"[:200] if str(error) else "robots.txt")
        except Exception as error:  # noqa: BLE001 -- whatever a server or its name does
            return Got(url, 0, "", "", problem=f"{type(error).__name__}: {error}"[:200])
        headers = response.headers
        return Got(
            response.url,
            response.status,
            _header(headers.get("Content-Type")),
            _text(response),
            b", ".join(headers.getlist("Origin-Trial")).decode("latin-1"),
            _header(headers.get("Retry-After")),
        )


def _header(value: bytes | None) -> str:
    return (value or b"").decode("latin-1")


def _text(response: Response) -> str:
    """The body as text; in an encoding that nobody named, the signs, which are ASCII, stay what they are."""
    if response.body[:2] in (b"\xff\xfe", b"\xfe\xff") and isinstance(response, TextResponse):
        return response.text
    return response.body.decode("utf-8", "replace")
