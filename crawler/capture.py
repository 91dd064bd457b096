"""The capture of one page: open, navigate, let it settle, read both views, close; every wait has a bound."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError

from census.target import Target
from census.visit import Browser, OriginTrial, ScriptEvidence, Visit
from census.vocabulary import BrowserView, LoadEvent, Outcome, Pass, Settled
from crawler.gate import Gate, Refusal, is_html
from crawler.limits import MAX_TEXT, clean
from crawler.origin_trials import origin_trials
from crawler.outcomes import BROWSER_GONE, outcome_of_error
from crawler.reading import Views, read_views
from crawler.script_texts import script_evidence
from crawler.sessions import ProtocolError
from crawler.settings import VisitSettings
from crawler.settle import Decision, PageState, decide
from crawler.tab import Tab


@dataclass(frozen=True, slots=True)
class Job:
    """A visit to make: the attempt's identity and its target."""

    visit_id: str
    target: Target
    attempt: int
    pass_: Pass = Pass.MAIN


@dataclass(slots=True)
class Capture:
    """What a capture leaves: the record, and whether the browser closed the context as it should."""

    visit: Visit
    browser_healthy: bool = True


@dataclass(slots=True)
class _Found:
    """What is known so far; a visit that is cut short keeps it."""

    outcome: Outcome = Outcome.TIMEOUT
    detail: str | None = "visit_deadline"
    decision: Decision | None = None
    settle_ms: int | None = None
    evidence: ScriptEvidence | None = None
    views: Views | None = None
    trials: tuple[OriginTrial, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)

    def end(self, outcome: Outcome, detail: str | None = None) -> None:
        self.outcome, self.detail = outcome, detail


_MAX_RESTLESS = 3
"""Looks at a page that has no idle moment before it is read all the same."""


_MAX_LATE_READS = 2
"""Readings of a page that moves while it is read at the hard cap; the last one stands."""
_LATE_LOAD = 1.0
_AFTER_BROWSER = 0.5
"""Seconds that calls get to fail by themselves when their browser has gone away."""


class _Ended(Exception):
    """The visit has its outcome; there is nothing more to read."""


async def capture(
    playwright_browser: PlaywrightBrowser, browser: Browser, job: Job, settings: VisitSettings, gate: Gate
) -> Capture:
    """Visit the job's target in a context of its own. Never raises for what a page or a browser does."""
    started = datetime.now(UTC)
    found = _Found()
    tab: Tab | None = None
    healthy = True
    try:
        async with asyncio.timeout(settings.visit_deadline) as deadline, _cut_short(deadline, playwright_browser):
            tab = await Tab.open(playwright_browser, settings, gate, legacy=job.pass_ is Pass.LEGACY)
            await _visit(tab, job.target.url, settings, found)
    except TimeoutError:
        if not playwright_browser.is_connected():
            found.end(Outcome.BROWSER_FAILED, BROWSER_GONE)
        elif tab is None:
            found.end(Outcome.BROWSER_FAILED, "no blank page in time")
            healthy = False
    except _Ended:
        pass
    except (PlaywrightError, ProtocolError) as error:
        found.end(*outcome_of_error(str(error)))
    finally:
        if tab is not None:
            healthy = await tab.close() and healthy
    if tab is not None and tab.crashed:
        found.end(Outcome.PAGE_CRASHED, found.detail if found.outcome is Outcome.PAGE_CRASHED else "renderer crashed")
    if found.outcome is Outcome.BROWSER_FAILED:
        healthy = False
    return Capture(_record(job, browser, started, tab, found), healthy)


@asynccontextmanager
async def _cut_short(deadline: asyncio.Timeout, browser: PlaywrightBrowser) -> AsyncIterator[None]:
    """Bring the deadline forward when the browser goes away.

    Playwright never answers some calls of a browser that is killed under them: `new_page()` hung in 15 of
    120 kills at random moments of the first 1.6 s (measured with 1.65).
    """

    def gone(_: PlaywrightBrowser) -> None:
        deadline.reschedule(asyncio.get_running_loop().time() + _AFTER_BROWSER)

    browser.on("disconnected", gone)
    try:
        yield
    finally:
        browser.remove_listener("disconnected", gone)


async def _visit(tab: Tab, url: str, settings: VisitSettings, found: _Found) -> None:
    await _navigate(tab, url, settings, found)
    late = 0
    while late < _MAX_LATE_READS:
        await _settle(tab, settings, found)
        if tab.elapsed() >= settings.settle.cap:
            late += 1
            if tab.loaded_at is None:
                # A page that moves for ever has perhaps just moved: its document gets the time to load.
                await tab.turn(_LATE_LOAD)
        navigations = tab.navigations
        views, found.trials = await asyncio.gather(read_views(tab), origin_trials(tab))
        found.views = views
        _take_over_status(tab, found)
        _check(tab, found)
        moved = tab.navigations != navigations
        if not moved or (late and views.stable):
            break
    found.end(Outcome.CAPTURED)


async def _navigate(tab: Tab, url: str, settings: VisitSettings, found: _Found) -> None:
    try:
        await tab.page.goto(url, wait_until="commit", timeout=settings.navigation_timeout * 1000)
    except PlaywrightError as error:
        _check(tab, found)
        # A page that sends itself elsewhere at once interrupts the first navigation; the next one counts.
        if "interrupted by another navigation" not in error.message:
            found.end(*outcome_of_error(error.message))
            refusal = tab.gate.why_unreachable() if found.outcome is Outcome.CONNECT_ERROR else None
            if refusal is not None:
                found.end(refusal.outcome, refusal.detail)
            if tab.downloads:
                found.end(Outcome.NOT_HTML, "a download")
            raise _Ended from error
    _check(tab, found)


def _take_over_status(tab: Tab, found: _Found) -> None:
    """Where the page led to another document before its load event, what that document says of its response."""
    if tab.http_status is not None or found.views is None:
        return
    tab.http_status = found.views.status
    kind = found.views.content_type
    if kind is not None and not is_html(kind):
        found.end(Outcome.NOT_HTML, kind)
        raise _Ended


def _check(tab: Tab, found: _Found) -> None:
    """Raise _Ended when the visit already has its outcome."""
    if tab.crashed:
        found.end(Outcome.PAGE_CRASHED, "renderer crashed")
    elif tab.refused is not None:
        found.end(tab.refused.outcome, tab.refused.detail)
    elif tab.unreachable is not None and tab.committed_at is not None:
        refusal = tab.gate.why_unreachable() or Refusal(Outcome.CONNECT_ERROR, "not reached")
        found.end(refusal.outcome, f"the page led to {tab.unreachable}: {refusal.detail}")
    elif tab.http_status is not None and tab.http_status >= 400:
        found.end(Outcome.HTTP_ERROR, f"status {tab.http_status}")
    else:
        return
    raise _Ended


async def _settle(tab: Tab, settings: VisitSettings, found: _Found) -> None:
    """Wait by the rule in `settle.decide`; fills in what it saw."""
    evidence_at = -1.0
    evidence: ScriptEvidence | None = None
    network_idle = False
    restless = 0
    while True:
        _check(tab, found)
        if tab.changed_at > evidence_at:
            evidence = None
        state = PageState(tab.elapsed(), tab.loaded_at, tab.changed_at, len(tab.view), network_idle, evidence)
        decision = found.decision = decide(state, settings.settle)
        left = decision.look_again_at - tab.elapsed()
        if decision.settled is not None:
            found.settle_ms = int(tab.elapsed() * 1000)
            if found.evidence is None:
                found.evidence, _ = await script_evidence(tab)
            return
        if decision.reason == "script_texts":
            evidence_at = tab.elapsed()
            found.evidence, idle = await script_evidence(tab)
            network_idle = await _network_idle(tab, 0.001)
            if not idle:
                restless += 1
                await _draw_frame(tab)
            evidence = found.evidence if idle or restless >= _MAX_RESTLESS else None
        elif decision.reason == "network":
            network_idle = await _network_idle(tab, left)
        else:
            await tab.turn(left)


async def _draw_frame(tab: Tab) -> None:
    """Make the browser draw: the headless shell lets a page with media controls starve for an idle moment.

    Without it 17 of 24 visits to a page that registers tools in an idle callback missed them, with it none
    (measured on 156).
    """
    pixel = {"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1}
    try:
        async with asyncio.timeout(2.0):
            await tab.sessions.page.send("Page.captureScreenshot", {"format": "jpeg", "quality": 1, "clip": pixel})
    except (TimeoutError, ProtocolError):
        return


async def _network_idle(tab: Tab, seconds: float) -> bool:
    """Whether no request was under way for half a second since the load, within so many seconds."""
    try:
        await tab.page.wait_for_load_state("networkidle", timeout=max(seconds, 0.001) * 1000)
    except PlaywrightError:
        return False
    return True


_CHALLENGE = re.compile(
    r"just a moment|attention required|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you a robot|security check|ddos protection|access denied|captcha",
    re.IGNORECASE,
)


def _record(job: Job, browser: Browser, started: datetime, tab: Tab | None, found: _Found) -> Visit:
    fields: dict[str, Any] = {}
    if tab is not None:
        url = tab.tree.top.url if tab.committed_at is not None else None
        fields |= {
            "final_url": clean(url, MAX_TEXT)[0] if url else None,
            "http_status": tab.http_status,
            "headers": tab.headers,
            "navigated_during_read": tab.navigations,
            "dialogs": tab.dialogs,
            "popups": tab.popups,
            "downloads_blocked": tab.downloads,
            "challenge_suspected": "cf-mitigated" in tab.headers,
            "events": tuple(tab.events),
        }
    if tab is not None and found.outcome is Outcome.CAPTURED and found.views is not None:
        fields |= _captured(tab, found, found.views)
    return Visit(
        visit_id=job.visit_id,
        target=job.target,
        attempt=job.attempt,
        pass_=job.pass_,
        visited_at=started,
        browser=browser,
        outcome=found.outcome,
        outcome_detail=clean(found.detail, 500)[0] if found.detail else None,
        **fields,
    )


def _captured(tab: Tab, found: _Found, views: Views) -> dict[str, Any]:
    assert found.decision is not None
    return {
        "final_url": views.documents[0].url,
        "load_event": LoadEvent.FIRED if tab.loaded_at is not None else LoadEvent.NEVER,
        "load_ms": int(tab.loaded_at * 1000) if tab.loaded_at is not None else None,
        "settled": found.decision.settled or Settled.DEADLINE,
        "settle_reason": found.decision.reason,
        "settle_ms": found.settle_ms,
        "views_stable": views.stable,
        "browser_view": BrowserView.UNAVAILABLE if tab.view_error else BrowserView.READ,
        "browser_view_error": tab.view_error,
        "documents": views.documents,
        "browser_tools": () if tab.view_error else views.browser_tools,
        "documents_dropped": views.documents_dropped,
        "tools_dropped": views.tools_dropped,
        "script_evidence": found.evidence,
        "origin_trials": found.trials,
        "challenge_suspected": bool(_CHALLENGE.search(views.title)) or "cf-mitigated" in tab.headers,
        "login_suspected": views.login,
    }
