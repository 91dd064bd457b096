"""A browser of its own for measuring: one process, one cold profile, the conditions and guards of a crawl."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, async_playwright
from playwright.async_api import Error as PlaywrightError

from census.errors import CensusError
from census.optout import OptOut
from census.target import Target
from census.visit import Browser
from census.vocabulary import Outcome
from crawler.address_proxy import AddressProxy
from crawler.addresses import refuse_private
from crawler.browser_context import CLOSE_TIMEOUT
from crawler.capture import Ended, cut_short, visit
from crawler.gate import AskUrl, Gate, Refusal
from crawler.names import HostResolverRules
from crawler.outcomes import BROWSER_GONE, outcome_of_error
from crawler.scrapy_settings import launch_options
from crawler.sessions import ProtocolError
from crawler.settings import VisitSettings
from crawler.tab import Tab
from crawler.visit_record import Found, Job
from measure.live.errors import PageNotOpenedError
from measure.live.page import LivePage
from measure.live.traffic import Traffic

Prepare = Callable[[BrowserContext], Awaitable[None]]
"""What is done to a page's context before there is a page in it: routes, a clock."""


class LiveBrowser:
    """One browser process with a cold profile, while the `async with` block lasts; each page has a fresh context."""

    def __init__(self, path: Path, browser: Browser, settings: VisitSettings, optout: OptOut | None = None) -> None:
        self._path, self.identity, self.settings = path, browser, settings
        self._optout = optout or OptOut()
        self._stack = AsyncExitStack()
        self._proxy: AddressProxy | None = None
        self._browser: PlaywrightBrowser | None = None

    async def __aenter__(self) -> Self:
        """Start the browser. Raises CensusError when it does not start."""
        async with AsyncExitStack() as stack:
            rules = self.settings.host_resolver_rules
            if not self.settings.allow_private:
                self._proxy = AddressProxy(HostResolverRules(rules))
                await self._proxy.start()
                stack.push_async_callback(self._proxy.stop)
            playwright = await stack.enter_async_context(async_playwright())
            options = launch_options(self._path, rules, self._proxy.url if self._proxy else None)
            try:
                self._browser = await playwright.chromium.launch(**options)
            except PlaywrightError as error:
                said = error.message.splitlines()[0]
                raise CensusError(f"{self._path} does not start: {said}; `webmcp-census doctor` says more") from error
            stack.push_async_callback(_close, self._browser)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the browser and everything in it."""
        await self._stack.aclose()

    @property
    def connected(self) -> bool:
        """Whether the browser is still there."""
        return self._browser is not None and self._browser.is_connected()

    async def open(self, url: str, *, prepare: Prepare | None = None) -> LivePage:
        """Open a page in a fresh context and let it settle by the crawler's rule.

        Raises PageNotOpenedError when it could not be read, CensusError when `url` is no http(s) URL.
        """
        assert self._browser is not None, "inside the `async with` block"
        job = Job(uuid.uuid4().hex, Target(url=url), 1)
        found = Found()
        tab: Tab | None = None
        try:
            async with asyncio.timeout(self.settings.visit_deadline) as deadline, cut_short(deadline, self._browser):
                tab = await Tab.open(self._browser, self.settings, self._gate(), prepare=prepare)
                traffic = Traffic(tab.page)
                await visit(tab, job, self.settings, found)
                page = LivePage(tab, traffic, job, self.identity, found)
                await page.hold()
        except TimeoutError:
            if not self.connected:
                found.end(Outcome.BROWSER_FAILED, BROWSER_GONE)
            elif tab is None:
                found.end(Outcome.BROWSER_FAILED, "no blank page in time")
            else:
                found.end(Outcome.TIMEOUT, "visit_deadline")
        except Ended:
            pass
        except (PlaywrightError, ProtocolError) as error:
            found.end(*outcome_of_error(str(error)))
        except BaseException:
            if tab is not None:
                await tab.close()
            raise
        if found.outcome is Outcome.CAPTURED:
            return page
        if tab is not None:
            await tab.close()
        raise PageNotOpenedError(url, found.outcome, found.detail)

    def _gate(self) -> Gate:
        guards: list[AskUrl] = [] if self.settings.allow_private else [refuse_private]
        guards.append(self._refuse_opted_out)
        proxy = self._proxy
        return Gate(*guards, explain=proxy.failure if proxy is not None else lambda host: None)

    async def _refuse_opted_out(self, url: str) -> Refusal | None:
        return Refusal(Outcome.OPTED_OUT, "on the opt-out list") if self._optout.covers(url) else None


async def _close(browser: PlaywrightBrowser) -> None:
    try:
        await asyncio.wait_for(browser.close(), CLOSE_TIMEOUT)
    except (TimeoutError, PlaywrightError):
        # A browser that was killed, or hangs: its driver ends it when it ends itself.
        return
