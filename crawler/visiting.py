"""What all visits of one crawl share: its settings, its browser's identity, its guards, its control page."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from census.optout import OptOut
from census.target import Target, target_key
from census.visit import Browser, ControlVisit
from census.vocabulary import Outcome
from crawler.address_proxy import AddressProxy
from crawler.addresses import refuse_private
from crawler.control_page import ControlPage, ControlVerdict
from crawler.gate import AskUrl, Gate, Refusal
from crawler.settings import CrawlSettings, VisitSettings
from crawler.visit_record import Job


@dataclass
class Visiting:
    """Shared by the spider, which hands out jobs, and the download handler, which makes the visits."""

    crawl: CrawlSettings
    browser: Browser
    control: ControlPage
    optout: OptOut
    on_control: Callable[[ControlVisit, list[str]], None]
    """Called with each control visit and the ids of the visits it vouches for, or, when bad, does not."""
    stopping: asyncio.Event
    """Set when the crawl is to end: no new visit, and a short grace for those under way."""
    proxy: AddressProxy | None = None
    """What the browser's connections go through, unless private addresses are allowed."""
    audit: "tuple[Path, Browser] | None" = None
    """The browser of the audit pass, where a share of the pages is audited."""
    ask_robots: AskUrl | None = None
    handler: Any = None

    @property
    def settings(self) -> VisitSettings:
        """The conditions of each visit."""
        return self.crawl.visit

    def gate(self, url: str) -> Gate:
        """The guards of a visit to a URL. Its own robots.txt was asked before, only redirects are asked here."""
        guards: list[AskUrl] = [] if self.settings.allow_private else [refuse_private]
        guards.append(self._refuse_opted_out)
        if self.ask_robots is not None:
            guards.append(_except(target_key(url), self.ask_robots))
        return Gate(*guards, explain=self.proxy.failure if self.proxy is not None else lambda host: None)

    async def _refuse_opted_out(self, url: str) -> Refusal | None:
        return Refusal(Outcome.OPTED_OUT, "on the opt-out list") if self.optout.covers(url) else None

    @property
    def control_settings(self) -> VisitSettings:
        """A control page loads nothing and waits for nothing; a leak shows at once."""
        return replace(self.settings, settle=replace(self.settings.settle, brief=1.0, quiet=1.0), visit_deadline=20.0)

    def control_job(self) -> Job:
        """A visit to the control page."""
        return Job("control", Target(url=self.control.url), 1)

    def control_done(self, browser: Browser, verdict: ControlVerdict, vouched: list[str]) -> None:
        """Report a control visit."""
        record = ControlVisit(
            visited_at=datetime.now(UTC), browser=browser, **verdict._asdict(), vouches_for=len(vouched)
        )
        self.on_control(record, vouched)


def _except(key: str, ask: AskUrl) -> AskUrl:
    async def guard(url: str) -> Refusal | None:
        return None if target_key(url) == key else await ask(url)

    return guard
