"""Three workers with real browsers crawl 2,000 pages; workers, connections and browsers are killed twenty times."""

import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import psutil
import psycopg
import pytest

from census.vocabulary import Outcome
from tests.crawler.conftest import (
    REACHABLE,
    Cli,
    Command,
    alive,
    assert_nothing_lost,
    final_visits,
    query,
    tool_names,
    wait_until,
)
from tests.crawler.postgres_server import PostgresServer
from tests.sites.gold import document, registering
from tests.sites.server import Site, SmallWeb

SITES = 500
PAGES = 4
WORKERS = 3
BLOWS = ("worker", "group", "browser", "connection") * 5
DELAY = 1.0
PATHS = [(f"s{site}", f"/{page}") for site in range(SITES) for page in range(PAGES)]


def tool_of(name: str, path: str) -> str:
    return f"tool_{name}_{path[1:]}"


class Storm:
    """Workers on one crawl, and what befalls them."""

    def __init__(self, cli: Cli, server: PostgresServer, web: SmallWeb, seed: int) -> None:
        self.cli, self.server, self.web = cli, server, web
        self.database = server.database()
        self.dice = random.Random(seed)
        self.workers: list[Command] = []
        self.running: list[Command] = []
        self.blows = Counter[str]()

    @property
    def url(self) -> str:
        return self.server.url(self.database)

    def begin(self) -> None:
        targets = self.cli.list(self.web.url(*path) for path in PATHS)
        done = self.cli(
            "crawl", targets, "--frontier", self.url, "--evidence", str(self.cli.folder / "store"), "--add-only",
            *REACHABLE, "--delay", str(DELAY), "--retry-delay", "0.5", "--settle-cap", "1", "--concurrency", "4",
        )  # fmt: skip
        assert done.code == 0, done.err
        for _ in range(WORKERS):
            self.start_worker()

    def start_worker(self) -> None:
        worker = self.cli.start("crawl", "--worker", "--frontier", self.url)
        self.workers.append(worker)
        self.running.append(worker)

    def asked(self) -> int:
        return sum(request.path != "/robots.txt" for request in self.web.log)

    def wait_for_pages(self, more: float) -> None:
        """Let the workers go on until they have asked for so many pages more, and see what they start meanwhile."""
        wanted = self.asked() + more
        while self.asked() < wanted and any(each.process.poll() is None for each in self.running):
            for each in self.running:
                each.family()
            time.sleep(0.5)

    def strike(self, blow: str) -> None:
        if blow == "connection":
            self.server.cut_connections(self.database)
        elif blow == "browser":
            wait_until(self.browsers, "a browser", timeout=300)
            self.dice.choice(self.browsers()).kill()
        else:
            victim = self.dice.choice([each for each in self.running if each.process.poll() is None])
            victim.kill(whole_group=blow == "group")
            self.running.remove(victim)
            self.start_worker()
        self.blows[blow] += 1

    def browsers(self) -> list[psutil.Process]:
        return [browser for each in self.running for browser in each.browsers()]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, options="-c search_path=webmcp_census") as connection:
            return connection.execute(sql.encode()).fetchall()


@contextmanager
def storm_over(cli: Cli, server: PostgresServer, seed: int) -> Iterator[Storm]:
    """The web, and a crawl of it that is struck as often as it is to be and then ends by itself."""
    sites = (
        Site(f"s{site}", {
            f"/{page}": document(f"Page {page}", registering(tool_of(f"s{site}", f"/{page}"))) for page in range(PAGES)
        })
        for site in range(SITES)
    )  # fmt: skip
    with SmallWeb(sites) as web:
        storm = Storm(cli, server, web, seed)
        storm.begin()
        for blow in storm.dice.sample(BLOWS, len(BLOWS)):
            storm.wait_for_pages(storm.dice.randint(30, 110))
            storm.strike(blow)
        storm.wait_for_pages(math.inf)
        yield storm


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seed", [20261130])
def test_three_workers_under_twenty_blows_end_each_of_2000_pages_once(
    cli: Cli, postgres_server: PostgresServer, seed: int
) -> None:
    with storm_over(cli, postgres_server, seed) as storm:
        for each in storm.running:
            ended = each.result(timeout=120)
            assert ended.code == 0, ended.err[-3000:]
        assert storm.blows.total() == len(BLOWS), storm.blows
        assert cli("crawl", "collect", "--frontier", storm.url, "--out", "run").code == 0
        run = cli.folder / "run"
        assert_nothing_lost(run, len(PATHS))
        visits = final_visits(run)
        ends = Counter((visit.outcome, visit.outcome_detail) for visit in visits.values())
        assert set(ends) == {(Outcome.CAPTURED, None)}, ends
        for path in PATHS:
            assert tool_names(visits[storm.web.url(*path)]) == {tool_of(*path)}

        attempts, lost, failed, ours = storm.rows(
            "SELECT sum(attempts), sum(lost), sum(failed), sum(ours) FROM targets"
        )[0]
        (made,) = query(run, "SELECT count(*) FROM visits")[0]
        assert attempts == made + lost, "an attempt is neither a visit on record nor lost with its worker"
        assert storm.rows("SELECT count(DISTINCT (target_id, attempt)) FROM visits") == [(made,)]
        assert storm.rows("SELECT count(*) FROM sites WHERE holder IS NOT NULL") == [(0,)]

        begun = defaultdict(list)
        for request in storm.web.log:
            if request.path != "/robots.txt":
                begun[request.host].append(request.at)
        gaps = [later - earlier for times in begun.values() for earlier, later in pairwise(sorted(times))]
        assert min(gaps) >= DELAY, "a site was visited faster than its delay"
        print(
            f"{len(visits)} targets, {storm.asked()} pages asked for, {attempts} attempts ({lost} lost, {failed} the"
            f" site's fault, {ours} ours), {dict(storm.blows)}, at least {min(gaps):.2f} s between two pages of a site"
        )
        left = [process for each in storm.workers for process in each.family_seen()]
        assert len(left) > 3 * len(storm.workers), "no process of the browsers was seen"
        wait_until(lambda: not alive(left), "the end of all processes", timeout=30)
