"""One crawl: opens or resumes RUN, runs the spider until every target has its outcome, says how far it came."""

import asyncio
import fcntl
import gc
import hashlib
import logging
import secrets
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import time
from typing import Any, cast

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from twisted.internet.base import ReactorBase

from census.errors import CensusError
from census.run import FRONTIER, SETTINGS, EvidenceStore, Run, RunSettings
from census.visit import Browser
from crawler.address_proxy import AddressProxy
from crawler.browser import launch_arguments, sandboxed
from crawler.control_page import HOST, RULE, ControlPage
from crawler.frontier import Counts
from crawler.names import HostResolverRules, MappedResolver
from crawler.optout import OptOut
from crawler.progress import Progress
from crawler.settings import PRODUCT, CrawlSettings
from crawler.spider import CensusSpider
from crawler.sqlite_frontier import SqliteFrontier
from crawler.target_list import TargetList

_LOCK = "crawl.lock"
_EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """How a crawl ended."""

    counts: Counts
    interrupted: bool


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
    show_progress: bool = True,
) -> CrawlResult:
    """Visit what RUN has not finished yet. Call it once in a process: Scrapy's reactor does not start twice.

    Raises CensusError when RUN cannot be written, is in use, or was made with other settings or targets.
    """
    with _locked(folder):
        run = open_run(folder, targets, targets_name, settings)
        frontier = SqliteFrontier(folder / FRONTIER)
        try:
            frontier.add(targets.targets)
            frontier.recover(time())
            interrupted = _run_spider(
                folder, run, settings, frontier, browser, browser_path, optout, audit, show_progress=show_progress
            )
            return CrawlResult(frontier.counts(), interrupted)
        finally:
            frontier.close()


def open_run(folder: Path, targets: TargetList, targets_name: str, settings: CrawlSettings) -> RunSettings:
    """RUN's settings: written when it is new, compared when it is not.

    Raises CensusError that names every difference.
    """
    path = folder / SETTINGS
    wanted = RunSettings(
        run_id=secrets.token_hex(4),
        created_at=datetime.now(UTC),
        code_version=version(PRODUCT),
        targets_sha256=hashlib.sha256("\n".join(t.model_dump_json() for t in targets.targets).encode()).hexdigest(),
        targets_name=targets_name,
        targets_read=asdict(targets.counts),
        settings=settings.plain(),
    )
    if not path.exists():
        draft = path.with_suffix(".draft")
        draft.write_text(wanted.model_dump_json(indent=1) + "\n")
        draft.replace(path)
        return wanted
    have = Run(folder).settings
    differences = [
        f"{name}: RUN has {have.settings.get(name)!r}, this command {wanted.settings.get(name)!r}"
        for name in sorted(have.settings.keys() | wanted.settings.keys())
        if have.settings.get(name) != wanted.settings.get(name)
    ]
    if have.targets_sha256 != wanted.targets_sha256:
        differences.append(f"targets: RUN has {have.targets_name}, this command another list ({wanted.targets_name})")
    if have.code_version != wanted.code_version:
        differences.append(f"code: RUN was begun by {have.code_version}, this is {wanted.code_version}")
    if differences:
        listed = "\n  ".join(differences)
        raise CensusError(
            f"{folder} was made otherwise, and what differs must not be mixed into it:\n  {listed}\n"
            "give the same settings to go on with it, or another --out to begin anew"
        )
    return have


def _run_spider(
    folder: Path,
    run: RunSettings,
    settings: CrawlSettings,
    frontier: SqliteFrontier,
    browser: Browser,
    browser_path: Path,
    optout: OptOut,
    audit: tuple[Path, Browser] | None,
    *,
    show_progress: bool,
) -> bool:
    visit = settings.visit
    rules = f"{RULE}, {visit.host_resolver_rules}" if visit.host_resolver_rules else RULE
    control = ControlPage()
    proxy = None
    if not visit.allow_private:
        proxy = AddressProxy(HostResolverRules(rules), exempt=lambda host, port: host == HOST and port == control.port)
    process = AsyncCrawlerProcess(_scrapy_settings(settings, rules))
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)
    logging.getLogger("scrapy.downloadermiddlewares.robotstxt").setLevel(logging.CRITICAL)
    crawler = process.create_crawler(CensusSpider)
    crawler.signals.connect(_spare_the_collector, signals.spider_opened)
    failures: list[BaseException] = []

    async def main() -> bool:
        await control.start()
        if proxy is not None:
            await proxy.start()
        crawler.settings.set("PLAYWRIGHT_LAUNCH_OPTIONS", _launch_options(browser_path, rules, proxy), "cmdline")
        _install_resolver(crawler)
        progress = Progress(frontier.counts, enabled=show_progress)
        progress.start()
        stopping = asyncio.Event()
        _stop_on_signals(stopping)
        try:
            await process.crawl(
                crawler, crawl_settings=settings, run_id=run.run_id, frontier=frontier,
                evidence=EvidenceStore(folder / _EVIDENCE), browser=browser, control=control, optout=optout,
                proxy=proxy, stopping=stopping, audit=audit,
            )  # fmt: skip
        finally:
            await progress.stop()
            await control.stop()
            if proxy is not None:
                await proxy.stop()
        spider = crawler.spider
        if isinstance(spider, CensusSpider) and spider.failed is not None:
            failures.append(spider.failed)
        return stopping.is_set()

    interrupted: list[bool] = []
    _run_reactor(crawler, main, interrupted, failures)
    if failures:
        failure = failures[0]
        raise CensusError(
            f"the crawl stopped: {type(failure).__name__}: {failure}; what was recorded is kept,"
            " run the same command again to go on"
        ) from failure
    return interrupted == [True]


def _run_reactor(
    crawler: Crawler, main: Callable[[], Awaitable[bool]], results: list[bool], failures: list[BaseException]
) -> None:
    """Run a coroutine on Scrapy's reactor until it is over."""
    from twisted.internet import reactor as installed

    reactor: Any = installed
    # Scrapy installs the resolver of its settings in `process.start()`, which waits for signals of its own.
    MappedResolver.from_crawler(crawler, reactor).install_on_reactor()

    async def run() -> None:
        try:
            results.append(await main())
        except BaseException as error:  # noqa: BLE001 -- handed on to the caller of this function
            failures.append(error)
        finally:
            reactor.stop()

    reactor.callWhenRunning(lambda: asyncio.ensure_future(run()))
    reactor.run(installSignalHandlers=False)


def _install_resolver(crawler: Crawler) -> None:
    """Scrapy does this in `AsyncCrawlerProcess.start`, which would also take the signals."""
    from twisted.internet import reactor

    MappedResolver.from_crawler(crawler, cast("ReactorBase", reactor)).install_on_reactor()


def _stop_on_signals(stopping: asyncio.Event) -> None:
    """Stop the crawl on Ctrl-C or SIGTERM: no new visit, a short grace for those under way."""
    for signum in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signum, stopping.set)


def _spare_the_collector() -> None:
    """Keep what was imported and set up, which lives as long as the crawl, out of garbage collections.

    Each full collection looked at all of it again: a quarter of this process's time for a visit (measured).
    """
    gc.collect()
    gc.freeze()


def _launch_options(path: Path, rules: str, proxy: AddressProxy | None) -> dict[str, Any]:
    return {
        "executable_path": str(path),
        "args": launch_arguments(rules, proxy.url if proxy is not None else None),
        "chromium_sandbox": sandboxed(),
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


def _scrapy_settings(settings: CrawlSettings, rules: str) -> dict[str, Any]:
    handler = "crawler.handler.CensusDownloadHandler"
    return {
        "ADDONS": {},
        # Scrapy starts so many tasks for what each callback returns, and ours return nothing.
        "CONCURRENT_ITEMS": 1,
        "CONCURRENT_REQUESTS": settings.concurrency * 2 + 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
        "DOWNLOAD_MAXSIZE": 1_000_000,
        "DOWNLOAD_TIMEOUT": 15,
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "crawler.guard_middleware.GuardMiddleware": 50,
            "crawler.robots.RobotsMiddleware": 100 if settings.robots else None,
        },
        "HOST_RESOLVER_RULES": rules,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOG_LEVEL": "WARNING",
        "PUBLIC_ADDRESSES_ONLY": not settings.visit.allow_private,
        "REMOTE_CONTROL_ENABLED": False,
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": settings.robots,
        "ROBOTSTXT_USER_AGENT": PRODUCT,
        "TELNETCONSOLE_ENABLED": False,
        "USER_AGENT": settings.visit.user_agent,
    }


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold RUN for this process. Raises CensusError when it cannot be written or another process holds it."""
    try:
        (folder / _EVIDENCE).mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK).open("w")
    except OSError as error:
        raise CensusError(f"cannot write to {folder}: {error.strerror}; give --out a folder you may write") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CensusError(f"{folder} is in use by another crawl; wait for it or give another --out") from None
        yield
