"""A crawl that many workers share: begun by one command, worked on by any number, collected into RUN in the end."""

import os
import secrets
import socket
from dataclasses import dataclass, replace
from pathlib import Path

from census.errors import CensusError
from census.optout import OptOut
from census.visit import Browser
from crawler import recheck
from crawler.collecting import collect
from crawler.control_page import ControlPage
from crawler.crawl import CrawlResult, run_spider
from crawler.evidence import open_evidence
from crawler.frontier_calls import BesideLoop
from crawler.lease_watch import LeaseWatch
from crawler.options import full_browser, named
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import LeaseTerms, PostgresFrontier
from crawler.postgres.schema import check_version, migrate
from crawler.postgres.shared_run import SharedRun, begin, deregister, read, register
from crawler.progress import Progress
from crawler.run_folder import run_settings
from crawler.settings import PRODUCT, CrawlSettings, code_version
from crawler.spider import CrawlSetup
from crawler.target_list import TargetList

BEAT = 5.0
"""Seconds between two signs of life of a worker."""
_ROBOTS = 60.0
"""Seconds that robots.txt of a host and of a redirect's may take together."""
_EVERY = 60.0
"""Seconds between two lines of progress: every worker counts all targets for it."""
_HURRY = 3.0
"""Seconds for which an interrupted worker still tries a frontier that does not answer."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What one worker's machine has."""

    browser: Browser
    browser_path: Path
    audit: tuple[Path, Browser] | None = None
    concurrency: int | None = None
    """Visits at once; None for the crawl's own setting."""
    show_progress: bool = True


def begin_shared(
    address: FrontierAddress,
    targets: TargetList,
    targets_name: str,
    settings: CrawlSettings,
    optout: OptOut,
    evidence: str,
    first: int = 0,
) -> SharedRun:
    """Begin a crawl in a database, or see that the one there is the same, and put the targets into it.

    The first so many of the list are visited first.

    Raises CensusError when the database or the evidence's place cannot be used, or has another crawl.
    """
    open_evidence(evidence)
    database = Database(address)
    try:
        migrate(database)
        shared = begin(database, run_settings(targets, targets_name, settings), optout, evidence)
        PostgresFrontier(database, "the list").add(targets.targets, first)
        return shared
    finally:
        database.close()


def work_on(address: FrontierAddress, machine: Machine) -> CrawlResult:
    """Visit what a shared crawl has not finished yet, until nothing is left or it is drained. Once in a process.

    Raises CensusError when there is no such crawl, when the browser or the code is not the one it was begun with, and
    when what was found can no longer be recorded.
    """
    database = Database(address)
    try:
        check_version(database)
        shared = read(database)
        if shared.settings.audit and machine.audit is None:
            machine = replace(machine, audit=full_browser(None))
        settings = _own_settings(shared, machine)
        worker = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        terms = LeaseTerms(cap=_lease_cap(settings))
        frontier = PostgresFrontier(database, worker, terms, rest=settings.delay)
        signs = Database(address)
        setup = CrawlSetup(
            run_id=shared.run.run_id,
            settings=settings,
            frontier=frontier,
            evidence=open_evidence(shared.evidence),
            browser=machine.browser,
            audit=machine.audit if settings.audit else None,
            optout=shared.optout,
            control=ControlPage(),
            calls=BesideLoop(),
            saving=BesideLoop(),
            watch=LeaseWatch(PostgresFrontier(signs, worker, terms, rest=settings.delay), terms.ttl, BEAT),
            on_stop=lambda: _hurry(database, signs),
        )
        register(database, worker, settings.concurrency)
        frontier.recover()
        progress = Progress(lambda: setup.calls.ask(frontier.counts), enabled=machine.show_progress, every=_EVERY)
        try:
            interrupted = run_spider(setup, machine.browser_path, progress)
        finally:
            setup.saving.close()
            setup.calls.close()
            signs.close()
        deregister(database, worker)
        return CrawlResult(frontier.counts(), interrupted, drained=read(database).draining)
    finally:
        database.close()


def work_and_collect(address: FrontierAddress, machine: Machine, folder: Path) -> CrawlResult:
    """Work on a shared crawl as its other workers do, and bring it into RUN once it is complete."""
    result = work_on(address, machine)
    if result.counts.complete:
        collect(address, folder)
    return result


def _own_settings(shared: SharedRun, machine: Machine) -> CrawlSettings:
    """The crawl's settings on this machine, whose number of visits at once is its own business."""
    if shared.run.code_version != code_version():
        raise CensusError(
            f"the crawl was begun by {PRODUCT} {shared.run.code_version}, this is {code_version()}:"
            " use the same version"
        )
    settings = shared.settings
    if settings.browser != named(machine.browser):
        raise CensusError(
            f"the crawl is made with {settings.browser}, and this machine's browser is {named(machine.browser)}:"
            " install the same build, or name it with --browser"
        )
    audit = named(machine.audit[1]) if machine.audit is not None else None
    if settings.audit and settings.audit_browser != audit:
        raise CensusError(
            f"the crawl audits with {settings.audit_browser}, and this machine has {audit or 'no full browser'}:"
            " install the same build, or name it with --audit-browser"
        )
    return replace(settings, concurrency=machine.concurrency or settings.concurrency)


def _lease_cap(settings: CrawlSettings) -> float:
    """Seconds that the slowest honest visit can take: the wait for another one to end, robots.txt, and its own."""
    return 2 * (settings.visit.visit_deadline + 40.0) + _ROBOTS + recheck.TIMEOUT


def _hurry(*databases: Database) -> None:
    for each in databases:
        each.patience = _HURRY
