"""The capture of one page: open, navigate, let it settle, read both views, close; every wait has a bound."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError

from census.visit import Browser, ScriptEvidence, Visit
from census.vocabulary import Outcome, Pass
from crawler.gate import Gate, Refusal, is_html
from crawler.origin_trials import origin_trials
from crawler.outcomes import BROWSER_GONE, outcome_of_error
from crawler.reading import Views, read_views
from crawler.script_texts import script_evidence
from crawler.sessions import ProtocolError
from crawler.settings import VisitSettings
from crawler.settle import PageState, decide
from crawler.tab import Tab
from crawler.visit_record import Found, Job, visit_record


@dataclass(slots=True)
class Capture:
    """What a capture leaves: the record, and whether the browser closed the context as it should."""

    visit: Visit
    browser_healthy: bool = True


_MAX_RESTLESS = 3
"""Looks at a page that has no idle moment before it is read all the same."""


_MAX_LATE_READS = 2
"""Readings of a page that moves, or gets new frames, while it is read at the hard cap; the last one stands."""
_LATE_LOAD = 1.0
_AFTER_BROWSER = 0.5
"""Seconds that calls get to fail by themselves when their browser has gone away."""


class Ended(Exception):
    """The visit has its outcome, which stands in what was found; there is nothing more to read."""


async def capture(
    playwright_browser: PlaywrightBrowser, browser: Browser, job: Job, settings: VisitSettings, gate: Gate
) -> Capture:
    """Visit the job's target in a context of its own. Never raises for what a page or a browser does."""
    started = datetime.now(UTC)
    found = Found()
    tab: Tab | None = None
    healthy = True
    try:
        async with asyncio.timeout(settings.visit_deadline) as deadline, cut_short(deadline, playwright_browser):
            tab = await Tab.open(playwright_browser, settings, gate, legacy=job.pass_ is Pass.LEGACY)
            await visit(tab, job.target.url, settings, found)
    except TimeoutError:
        if not playwright_browser.is_connected():
            found.end(Outcome.BROWSER_FAILED, BROWSER_GONE)
        elif tab is None:
            found.end(Outcome.BROWSER_FAILED, "no blank page in time")
            healthy = False
    except Ended:
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
    return Capture(visit_record(job, browser, started, tab, found), healthy)


@asynccontextmanager
async def cut_short(deadline: asyncio.Timeout, browser: PlaywrightBrowser) -> AsyncIterator[None]:
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


async def visit(tab: Tab, url: str, settings: VisitSettings, found: Found) -> None:
    """Navigate a blank tab, let the page settle and read it; fills in what it found, the outcome included.

    Raises Ended when the page is not to be read, ProtocolError or Playwright's error when the browser gave up.
    """
    await _navigate(tab, url, settings, found)
    late = 0
    while late < _MAX_LATE_READS:
        await settle(tab, settings, found)
        if tab.elapsed() >= settings.settle.cap:
            late += 1
            if tab.loaded_at is None:
                # A page that moves for ever has perhaps just moved: its document gets the time to load.
                await tab.turn(_LATE_LOAD)
        navigations, frames = tab.navigations, len(tab.tree.frames())
        views, found.trials = await asyncio.gather(read_views(tab), origin_trials(tab))
        found.views = views
        _take_over_status(tab, found)
        _check(tab, found)
        # Hundreds of frames made at once are known one after the other, slowly on a machine that is busy.
        moved = tab.navigations != navigations or (views.stable is False and len(tab.tree.frames()) > frames)
        if not moved or (late and views.stable):
            break
    _check_seen(tab, views, found)
    found.end(Outcome.CAPTURED)


async def _navigate(tab: Tab, url: str, settings: VisitSettings, found: Found) -> None:
    try:
        async with asyncio.timeout(settings.navigation_timeout) as tab.patience:
            await tab.page.goto(url, wait_until="commit", timeout=0)
    except TimeoutError as error:
        _check(tab, found)
        found.end(Outcome.TIMEOUT, "no answer in time")
        raise Ended from error
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
            raise Ended from error
    finally:
        tab.patience = None
    _check(tab, found)


def _take_over_status(tab: Tab, found: Found) -> None:
    """Where the page led to another document before its load event, what that document says of its response."""
    if tab.http_status is not None or found.views is None:
        return
    tab.http_status = found.views.status
    kind = found.views.content_type
    if kind is not None and not is_html(kind):
        found.end(Outcome.NOT_HTML, kind)
        raise Ended


def _check(tab: Tab, found: Found) -> None:
    """Raise Ended when the visit already has its outcome."""
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
    raise Ended


def _check_seen(tab: Tab, views: Views, found: Found) -> None:
    """Raise Ended when what was read is not the target as it is: nobody can say then that it has no tools."""
    if views.documents[0].url == "about:blank":
        found.end(Outcome.CONNECT_ERROR, "the page left for about:blank")
    elif tab.broken is not None and not views.browser_tools:
        outcome, name = outcome_of_error(tab.broken)
        found.end(outcome, f"{name} before the document was whole, and no tool in what came of it")
    else:
        return
    raise Ended


async def settle(tab: Tab, settings: VisitSettings, found: Found, since: float = 0.0) -> None:
    """Wait by the rule in `settle.decide`; fills in what it saw.

    `since`: the moment, by the tab's own clock, from which the rule counts, for a tab that has been open for long.
    Raises Ended when the visit has its outcome.
    """
    evidence_at = -1.0
    evidence: ScriptEvidence | None = None
    network_idle = False
    restless = 0
    while True:
        _check(tab, found)
        if tab.changed_at > evidence_at:
            evidence = None
        loaded_at = tab.loaded_at if tab.loaded_at is not None else tab.broken_at
        state = PageState(
            tab.elapsed() - since,
            loaded_at - since if loaded_at is not None else None,
            tab.changed_at - since,
            len(tab.view),
            network_idle,
            evidence,
        )
        decision = found.decision = decide(state, settings.settle)
        left = decision.look_again_at + since - tab.elapsed()
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
