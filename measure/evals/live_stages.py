"""Cases on a page: each repeat opens it anew."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from census.optout import OptOut
from census.visit import Browser
from crawler.settings import VisitSettings
from measure.evals.case import Case
from measure.evals.live_stage import LiveStage
from measure.evals.run import Stage
from measure.lint.manifest import ManifestTool
from measure.live.browser import LiveBrowser
from measure.live.conditions import conditions


@dataclass(frozen=True)
class Live:
    """How pages are opened and called."""

    url: str
    path: Path
    browser: Browser
    settings: VisitSettings
    optout: OptOut
    bound_s: float = 30.0
    """Seconds for a tool to answer."""
    writes: bool = False
    """Whether tools are run that do not say that they are read-only."""
    pictures: bool = False


class LiveStages:
    """A page of its own for each repeat, in one browser, which is replaced when it is gone."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._browser: LiveBrowser | None = None
        self._starting = asyncio.Lock()

    @asynccontextmanager
    async def open(self, case: Case, tools: tuple[ManifestTool, ...], clock: datetime | None) -> AsyncIterator[Stage]:
        """Open the page with the case's network and clock."""
        browser = await self._started()
        prepare = conditions(case.network, case.clock or clock)
        page = await browser.open(self._live.url, prepare=prepare)
        try:
            live = self._live
            yield LiveStage(page, case, live.bound_s, writes=live.writes, pictures=live.pictures)
        finally:
            await page.close()

    async def _started(self) -> LiveBrowser:
        async with self._starting:
            if self._browser is not None and not self._browser.connected:
                await self.aclose()
            if self._browser is None:
                live = self._live
                browser = LiveBrowser(live.path, live.browser, live.settings, live.optout)
                self._browser = await browser.__aenter__()
            return self._browser

    async def aclose(self) -> None:
        """Close the browser."""
        if self._browser is not None:
            browser, self._browser = self._browser, None
            await browser.__aexit__(None, None, None)
