"""One crawl: opens or resumes RUN, runs the spider until every target has its outcome, says how far it came."""

import gc
import logging
from dataclasses import dataclass
from pathlib import Path

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess

from census.errors import CensusError
from census.optout import OptOut
from census.run import FRONTIER, EvidenceStore
from census.visit import Browser
from crawler.address_proxy import AddressProxy
from crawler.control_page import HOST, RULE, ControlPage
from crawler.frontier import Counts
from crawler.names import HostResolverRules
from crawler.network import answers
from crawler.progress import Progress
from crawler.reactor import run_reactor, stop_on_signals
from crawler.run_folder import EVIDENCE, locked, open_run
from crawler.scrapy_settings import launch_options, quiet_logs, scrapy_settings
from crawler.settings import CrawlSettings
from crawler.spider import CensusSpider, CrawlSetup
from crawler.sqlite_frontier import SqliteFrontier
from crawler.target_list import TargetList

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """How a crawl ended."""

    counts: Counts
    interrupted: bool
    drained: bool = False
    """Whether its workers were told to end before it was complete."""


def crawl(
    folder: Path,
    targets: TargetList,
    settings: CrawlSettings,
    *,
    targets_name: str,
    browser: Browser,
    browser_path: Path,
    optout: OptOut,
    audit: tuple[Path, Browser] | None = None,
    first: int = 0,
    show_progress: bool = True,
) -> CrawlResult:
    """Visit what RUN has not finished yet, the first so many of the list first.

    Call it once in a process: Scrapy's reactor does not start twice.

    Raises CensusError when RUN cannot be written, is in use, or was made with other settings or targets, and when
    what was found can no longer be recorded.
    """
    with locked(folder):
        run = open_run(folder, targets, targets_name, settings)
        frontier = SqliteFrontier(folder / FRONTIER)
        try:
            frontier.add(targets.targets, first)
            frontier.recover()
            setup = CrawlSetup(
                run_id=run.run_id,
                settings=settings,
                frontier=frontier,
                evidence=EvidenceStore(folder / EVIDENCE),
                browser=browser,
                audit=audit,
                optout=optout,
                control=ControlPage(),
            )
            progress = Progress(lambda: setup.calls.ask(frontier.counts), enabled=show_progress)
            interrupted = run_spider(setup, browser_path, progress)
            return CrawlResult(frontier.counts(), interrupted)
        finally:
            frontier.close()


def run_spider(setup: CrawlSetup, browser_path: Path, progress: Progress) -> bool:
    """Run the spider to its end; returns whether it was interrupted.

    Call it once in a process. Raises CensusError when what was found can no longer be recorded.
    """
    visit = setup.settings.visit
    rules = f"{RULE}, {visit.host_resolver_rules}" if visit.host_resolver_rules else RULE
    if not visit.allow_private:

        def is_control_page(host: str, port: int) -> bool:
            return host == HOST and port == setup.control.port

        setup.proxy = AddressProxy(HostResolverRules(rules), exempt=is_control_page)
    quiet_logs()
    process = AsyncCrawlerProcess(scrapy_settings(setup.settings, rules))
    crawler = process.create_crawler(CensusSpider)
    crawler.signals.connect(_spare_the_collector, signals.spider_opened)

    def stop() -> None:
        setup.stopping.set()
        setup.on_stop()

    async def main() -> bool:
        proxy = setup.proxy
        await setup.control.start()
        if proxy is not None:
            await proxy.start()
        options = launch_options(browser_path, rules, proxy.url if proxy is not None else None)
        crawler.settings.set("PLAYWRIGHT_LAUNCH_OPTIONS", options, "cmdline")
        stop_on_signals(stop)
        host = setup.settings.control_host
        if host is not None and not await answers(host):
            logger.warning("control host %s does not answer: dead sites cannot be told from a dead network now", host)
        progress.start()
        try:
            await process.crawl(crawler, setup=setup)
        finally:
            await progress.stop()
            if setup.watch is not None:
                setup.watch.stop()
            # What the frontier was told and nobody waited for is recorded, or its failure known, before the end.
            await setup.calls.ask(lambda: None)
            await setup.control.stop()
            if proxy is not None:
                await proxy.stop()
        if isinstance(setup.failure, CensusError):
            raise setup.failure
        if setup.failure is not None:
            raise CensusError(
                f"the crawl stopped: {type(setup.failure).__name__}: {setup.failure}; what was recorded is kept,"
                " run the same command again to go on"
            ) from setup.failure
        return setup.stopping.is_set()

    return run_reactor(crawler, main)


def _spare_the_collector() -> None:
    """Keep what was imported and set up, which lives as long as the crawl, out of garbage collections.

    Each full collection looked at all of it again: a quarter of this process's time for a visit (measured).
    """
    gc.collect()
    gc.freeze()
