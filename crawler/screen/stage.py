"""The screen as a stage of a crawl: RUN/screen holds it, resumes it, and tells the browser's stage what it found."""

import asyncio
import gc
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess

from census.errors import CensusError
from census.optout import OptOut
from census.run import FRONTIER, SETTINGS, Run
from census.vocabulary import Screen
from crawler.frontier import Counts, Frontier
from crawler.progress import Progress
from crawler.reactor import run_reactor, stop_on_signals
from crawler.run_folder import locked, open_run
from crawler.scrapy_settings import quiet_downloads, quiet_logs, screen_settings
from crawler.screen.record import Screening
from crawler.screen.settings import MAX_BODY, ScreenSettings
from crawler.screen.spider import ScreenSetup, ScreenSpider
from crawler.sqlite_frontier import SqliteFrontier
from crawler.target_list import TargetList

FOLDER = "screen"


@dataclass(frozen=True, slots=True)
class ScreenResult:
    """How far a screen is, and what it found."""

    counts: Counts
    signs: dict[str, int]
    """Targets with evidence, unread ones, and those with none."""
    interrupted: bool


def run_screen(
    folder: Path,
    targets: TargetList,
    settings: ScreenSettings,
    *,
    targets_name: str,
    optout: OptOut,
    concurrency: int,
    show_progress: bool = True,
) -> ScreenResult:
    """Screen what RUN has not screened yet. Call it once in a process.

    Raises CensusError when RUN cannot be written, is in use, was screened with other settings or targets, or is past
    its screen.
    """
    with locked(folder):
        _refuse_a_run_that_visits(folder)
        place = folder / FOLDER
        place.mkdir(exist_ok=True)
        run = open_run(place, targets, targets_name, settings)
        frontier = SqliteFrontier(place / FRONTIER)
        try:
            frontier.add(targets.targets)
            frontier.recover()
            setup = ScreenSetup(run.run_id, settings, concurrency, frontier, optout)
            interrupted = _run(setup, show_progress=show_progress)
            return ScreenResult(_counts(frontier), found_in(place), interrupted)
        finally:
            frontier.close()


def screened(folder: Path, targets: TargetList, share: float, seed: str) -> TargetList | None:
    """The targets with what the screen in RUN made of each, or None when RUN has no screen.

    Raises CensusError when the screen is not complete, or is of another list.
    """
    place = folder / FOLDER
    if not (place / SETTINGS).exists():
        return None
    unfinished = Run(place).unfinished()
    if unfinished:
        raise CensusError(
            f"{unfinished} targets are not screened yet: run `webmcp-census crawl --stage screen` to its end first"
        )
    kept = dict(records(place))
    missing = next((target for target in targets.targets if target.key not in kept), None)
    if missing is not None or len(kept) != len(targets.targets):
        raise CensusError(f"{folder} was screened with another target list; give that one, or another --out")
    return replace(
        targets,
        targets=tuple(
            target.model_copy(update={"screen": kept[target.key].verdict(target.key, share, seed)})
            for target in targets.targets
        ),
    )


def found_in(place: Path) -> dict[str, int]:
    """How many targets have evidence, are unread, or have none."""
    found = Counter("evidence" if each.signs else "unread" if each.unread else "none" for _, each in records(place))
    return {word: found[word] for word in ("evidence", "unread", "none")}


def verdicts(targets: TargetList) -> dict[Screen, int]:
    """How many targets the screen sends to the browser, and why; and how many it does not."""
    return Counter(target.screen for target in targets.targets if target.screen is not None)


def records(place: Path) -> Iterator[tuple[str, Screening]]:
    """Each screened target's key and screening, in the order of the list. Raises CensusError for another file."""
    path = place / FRONTIER
    query = "SELECT key, evidence FROM targets JOIN visits ON visit_id = final_visit ORDER BY id"
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as frontier:
            for key, record in frontier.execute(query):
                yield key, Screening.model_validate_json(record)
    except (sqlite3.DatabaseError, ValidationError) as error:
        raise CensusError(f"{path} cannot be read as a screen: {error}; screen again into another --out") from error


def _refuse_a_run_that_visits(folder: Path) -> None:
    if (folder / SETTINGS).exists():
        raise CensusError(f"{folder} has visits already, and a screen comes before them; give another --out")


def _run(setup: ScreenSetup, *, show_progress: bool) -> bool:
    quiet_logs()
    process = AsyncCrawlerProcess(screen_settings(setup.settings, setup.concurrency, MAX_BODY))
    quiet_downloads()
    crawler = process.create_crawler(ScreenSpider)

    def spare_the_collector() -> None:
        gc.collect()
        gc.freeze()

    crawler.signals.connect(spare_the_collector, signals.spider_opened)

    async def counts() -> Counts:
        return _counts(setup.frontier)

    progress = Progress(counts, enabled=show_progress, doing="screening")

    async def main() -> bool:
        stop_on_signals(setup.stopping.set)
        progress.start()
        try:
            await process.crawl(crawler, setup=setup)
        finally:
            await progress.stop()
        _raise(setup.failure)
        return setup.stopping.is_set()

    return run_reactor(crawler, main)


def _counts(frontier: Frontier) -> Counts:
    """How far the screen is. Its words for how a target ended are its own, not a visit's outcomes."""
    return replace(frontier.counts(), outcomes={})


def _raise(failure: Any) -> None:
    if isinstance(failure, asyncio.CancelledError) or failure is None:
        return
    if isinstance(failure, CensusError):
        raise failure
    raise CensusError(
        f"the screen stopped: {type(failure).__name__}: {failure}; what was recorded is kept, run the same command"
        " again to go on"
    ) from failure
