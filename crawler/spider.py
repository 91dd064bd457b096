"""The census spider: claims a target when a visit is free, has it visited, acknowledges the visit."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from twisted.python.failure import Failure

from census.errors import CensusError
from census.optout import OptOut
from census.visit import Browser, ControlVisit, Visit
from census.vocabulary import Outcome, Screen
from crawler.address_proxy import AddressProxy
from crawler.control_page import NO_API, ControlPage
from crawler.evidence import Evidence
from crawler.frontier import Fault, Frontier, Lease, Report, StaleLease
from crawler.frontier_calls import Calls, InLoop
from crawler.handler import Interrupted
from crawler.inner_pages import inner_pages
from crawler.lease_watch import LeaseWatch
from crawler.network import answers
from crawler.outcomes import fault, site_rest
from crawler.passes import further_passes
from crawler.robots import RobotsMiddleware
from crawler.settings import CrawlSettings
from crawler.visit_record import Job
from crawler.visiting import Visiting

logger = logging.getLogger(__name__)

_IDLE = 0.25
"""Seconds between two looks at the frontier while every site that has work is resting or leased."""
_MAX_CRAWL_DELAY = 60.0
_MOST_OURS = 12
"""Attempts that ended by our fault: a page whose visits no control visit ever vouches for must end too."""
_NO_SIGN = "no sign of WebMCP in what the screen read of it"
_NEEDS_NETWORK = frozenset({Outcome.DNS_ERROR, Outcome.CONNECT_ERROR, Outcome.TIMEOUT})


@dataclass
class CrawlSetup:
    """What a crawl works with, and what it ends with."""

    run_id: str
    settings: CrawlSettings
    frontier: Frontier
    evidence: Evidence
    browser: Browser
    audit: tuple[Path, Browser] | None
    optout: OptOut
    control: ControlPage
    proxy: AddressProxy | None = None
    calls: Calls = field(default_factory=InLoop)
    """How the frontier is asked."""
    saving: Calls = field(default_factory=InLoop)
    """How evidence is saved."""
    watch: LeaseWatch | None = None
    """What keeps leases from running out, where they can."""
    on_stop: Callable[[], None] = lambda: None
    """Called when the crawl is to end."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to end the crawl: no new visit, and a short grace for those under way."""
    failure: BaseException | None = None
    """What kept a visit from being recorded, a full disk say; it ends the crawl."""


class CensusSpider(Spider):
    """Visits every target of a frontier. Decides nothing about a page; see `crawler.capture`."""

    name = "census"

    def __init__(self, *, setup: CrawlSetup, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._setup = setup
        self._crawl = setup.settings
        self._frontier = setup.frontier
        self._ask = setup.calls.ask
        self.optout = setup.optout
        self._free = asyncio.Semaphore(setup.settings.concurrency)
        self._in_flight = 0
        self._none_in_flight = asyncio.Event()
        self._none_in_flight.set()
        self.visiting = Visiting(
            setup.settings, setup.browser, setup.control, setup.optout, self._control_done, setup.stopping,
            setup.proxy, setup.audit,
        )  # fmt: skip

    async def start(self) -> AsyncIterator[Request]:
        """Requests for targets, each claimed only when a visit is free."""
        if self._setup.watch is not None:
            self._setup.watch.start(self._fail)
        try:
            async for request in self._requests():
                yield request
        except Exception as error:  # noqa: BLE001 -- a frontier that is gone ends the crawl
            self._fail(error)

    async def _requests(self) -> AsyncIterator[Request]:
        robots = self.crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is not None:
            self.visiting.ask_robots = robots.refuse_disallowed
        await self._give_up_lost()
        while not self.visiting.stopping.is_set():
            await self._free.acquire()
            lease = None if self.visiting.stopping.is_set() else await self._ask(self._frontier.claim)
            if lease is None:
                self._free.release()
                if await self._finished():
                    return
                continue
            request = await self._request(lease)
            if request is None:
                self._free.release()
                continue
            # Visited alone, a page that takes its crawler down is told from those that were under way beside it.
            self._watch(lease, request.meta["job"])
            alone = lease.lost > 0
            if alone:
                await self._none_in_flight.wait()
            self._in_flight += 1
            self._none_in_flight.clear()
            yield request
            if alone:
                await self._none_in_flight.wait()

    async def _finished(self) -> bool:
        """Whether nothing is left to claim, now or later, and the last visits are vouched for."""
        if self._in_flight or await self._ask(self._frontier.next_due) is not None:
            await asyncio.sleep(_IDLE)
            return False
        if self.visiting.handler is not None:
            await self.visiting.handler.vouch()
        return await self._ask(self._frontier.next_due) is None

    async def _request(self, lease: Lease) -> Request | None:
        """The request for a lease, or None when the lease is over without one."""
        if lease.ours >= _MOST_OURS:
            detail = f"{_MOST_OURS} attempts ended by the crawler's fault"
            await self._end(lease, self._unvisited(lease, Outcome.BROWSER_FAILED, detail), final=True)
            return None
        if lease.lost >= self._crawl.max_lost:
            await self._end(lease, self._unvisited(lease, Outcome.GAVE_UP, self._lost_detail))
            return None
        if lease.target.screen is Screen.NONE_NOT_VISITED:
            await self._end(lease, self._unvisited(lease, Outcome.SCREENED_OUT, _NO_SIGN), asked=False)
            return None
        meta = {"lease": lease, "job": self._job(lease), "playwright": True}
        meta["download_slot"] = f"visit {lease.target_id}"
        try:
            return Request(
                lease.target.url, callback=self.visited, errback=self.not_visited, dont_filter=True, meta=meta
            )
        except ValueError as error:
            await self._end(lease, self._unvisited(lease, Outcome.CONNECT_ERROR, f"no usable URL: {error}"))
            return None

    async def visited(self, response: Response) -> None:
        """A visit is over; the handler left its record."""
        await self._record_visit(response.meta["lease"], response.meta["captured"].visit, response.meta["live_browser"])

    async def not_visited(self, failure: Failure) -> None:
        """Robots.txt, an opt-out, an interruption, or a fault of ours kept the visit from being made."""
        request: Request = failure.request  # type: ignore[attr-defined]
        lease: Lease = request.meta["lease"]
        error = failure.value
        if isinstance(error, Interrupted):
            await self._give_back(lease)
            return
        refusal = getattr(error, "refusal", None)
        if refusal is not None:
            outcome, detail = refusal.outcome, refusal.detail
        elif isinstance(error, IgnoreRequest):
            outcome, detail = Outcome.ROBOTS_DISALLOWED, "robots.txt"
        else:
            logger.error("visit of %s failed in the crawler", lease.target.url, exc_info=failure.value)
            outcome, detail = Outcome.BROWSER_FAILED, f"{type(error).__name__}: {error}"[:300]
        await self._record_visit(lease, self._unvisited(lease, outcome, detail), None)

    def crawl_delay(self, site: str, delay: float) -> None:
        """Robots.txt of a site asks for a delay, in seconds; obeyed up to a minute."""
        self._setup.calls.tell(lambda: self._frontier.set_delay(site, min(delay, _MAX_CRAWL_DELAY)), self._fail)

    async def _give_back(self, lease: Lease) -> None:
        try:
            # A lease that ran out is not given back: its attempt counts as lost when it is taken over.
            if self._forget(lease):
                await self._ask(lambda: self._frontier.release(lease))
        except Exception as error:  # noqa: BLE001 -- as for a visit
            self._fail(error)
        finally:
            self._slot_free()

    async def _record_visit(self, lease: Lease, visit: Visit, live: Any) -> None:
        try:
            visit = await self._blame_network(visit)
            again = live is not None and live.tainted
            await self._acknowledge(lease, visit, again=again)
            if live is not None and live.tainted and not again:
                # Found to leak while the visit was being recorded.
                await self._ask(lambda: self._frontier.reopen([visit.visit_id]))
        except StaleLease as stale:
            logger.warning("visit %s came too late and is not recorded", stale)
        except Exception as error:  # noqa: BLE001 -- a full disk, say: what cannot be recorded ends the crawl
            self._fail(error)
        finally:
            self._forget(lease)
            self._slot_free()

    def _fail(self, error: BaseException) -> None:
        """End the crawl: what was found cannot be recorded any more."""
        self._setup.failure = error
        self.visiting.stopping.set()

    def _watch(self, lease: Lease, job: Job) -> None:
        if self._setup.watch is not None:
            self._setup.watch.add(lease, job.abandoned.set)

    def _forget(self, lease: Lease) -> bool:
        """Watch a lease no longer; returns whether it was held until now."""
        return self._setup.watch is None or self._setup.watch.remove(lease)

    async def _blame_network(self, visit: Visit) -> Visit:
        """The visit, as `network_down` when the control host does not answer either."""
        host = self._crawl.control_host
        if visit.outcome not in _NEEDS_NETWORK or host is None or await answers(host):
            return visit
        detail = f"control host {host} did not answer either ({visit.outcome}: {visit.outcome_detail})"
        return visit.model_copy(update={"outcome": Outcome.NETWORK_DOWN, "outcome_detail": detail})

    async def _acknowledge(
        self, lease: Lease, visit: Visit, *, again: bool = False, final: bool = False, asked: bool = True
    ) -> None:
        """Save the record, then report it. `again`: its browser was found to leak, so the visit does not count.

        `asked`: whether the site was asked for anything; it rests only then.
        """
        retry_after = 0.0 if again else None if final else self._crawl.retry.after(visit, lease)
        why = None if retry_after is None else Fault.OURS if again else fault(visit)
        then = further_passes(visit, self._crawl, self._setup.run_id)
        digest = await self._setup.saving.ask(lambda: self._setup.evidence.save(visit))
        inner = inner_pages(visit, self._crawl) if retry_after is None else ()
        report = Report(
            visit.visit_id, visit.outcome, digest, retry_after, then, inner, self._crawl.per_site, site_rest(visit),
            asked, why,
        )  # fmt: skip
        await self._ask(lambda: self._frontier.acknowledge(lease, report, self._crawl.delay))

    async def _give_up_lost(self) -> None:
        while (lease := await self._ask(lambda: self._frontier.next_lost(self._crawl.max_lost))) is not None:
            visit = self._unvisited(lease, Outcome.GAVE_UP, self._lost_detail, job=self._job(lease, "lost"))
            await self._end(lease, visit)

    async def _end(self, lease: Lease, visit: Visit, *, final: bool = False, asked: bool = True) -> None:
        """Acknowledge what needed no visit; somebody else's by now is somebody else's business."""
        try:
            await self._acknowledge(lease, visit, final=final, asked=asked)
        except StaleLease as stale:
            logger.warning("%s came too late and is not recorded", stale)

    @property
    def _lost_detail(self) -> str:
        return f"{self._crawl.max_lost} attempts took their crawler down"

    def _unvisited(self, lease: Lease, outcome: Outcome, detail: str, job: Job | None = None) -> Visit:
        job = job or self._job(lease)
        return Visit(
            visit_id=job.visit_id, target=lease.target, attempt=lease.attempt, pass_=lease.pass_,
            visited_at=datetime.now(UTC),
            browser=None, outcome=outcome, outcome_detail=detail,
        )  # fmt: skip

    def _job(self, lease: Lease, suffix: str = "") -> Job:
        visit_id = f"{self._setup.run_id}-{lease.target_id}-{lease.attempt}{suffix}"
        return Job(visit_id, lease.target, lease.attempt, lease.pass_)

    def _slot_free(self) -> None:
        self._in_flight -= 1
        if not self._in_flight:
            self._none_in_flight.set()
        self._free.release()

    def _control_done(self, record: ControlVisit, vouched: list[str]) -> None:
        def keep() -> None:
            # Reopened first: a crawler that dies between the two has visits made again for nothing, not the contrary.
            if not record.good:
                self._frontier.reopen(vouched)
            self._frontier.record_control(record.model_dump_json(), vouched if record.good else ())
            if record.detail == NO_API:
                raise CensusError(
                    f"{record.browser.name} {record.browser.build} has no WebMCP: {NO_API};"
                    " name another browser with --browser, or see `webmcp-census doctor`"
                )

        self._setup.calls.tell(keep, self._fail)
