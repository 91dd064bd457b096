"""Many workers on one frontier, killed, cut off and robbed of their server: no target lost, none done twice."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest

from census.target import Target
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import PostgresFrontier
from crawler.postgres.schema import migrate
from tests.crawler.conftest import wait_until
from tests.crawler.postgres_server import PostgresServer

DELAY = 0.1
ROOT = Path(__file__).parents[2]


class Storm:
    """Fake workers on one database, and what may befall them."""

    def __init__(self, server: PostgresServer, folder: Path, seed: int) -> None:
        self.server = server
        self.name = server.database()
        self.url = server.url(self.name)
        self.log = folder / "log.jsonl"
        self.errors = folder / "errors"
        self.dice = random.Random(seed)
        self._workers: list[subprocess.Popen[bytes]] = []
        self._started = 0

    def add(self, sites: int, pages: int) -> int:
        """Begin a crawl of so many sites with 1 to `pages` pages; returns how many targets that are."""
        database = Database(FrontierAddress.parse(self.url))
        migrate(database)
        urls = [f"https://s{site}.org/{page}" for site in range(sites) for page in range(self.dice.randint(1, pages))]
        assert PostgresFrontier(database, "list").add(Target(url=url) for url in urls) == len(urls)
        database.close()
        return len(urls)

    def start_worker(self) -> None:
        """One more."""
        self._started += 1
        arguments = [self.url, str(self.log), str(DELAY), str(self._started)]
        with self.errors.open("ab") as errors:
            worker = subprocess.Popen(
                [sys.executable, "-m", "tests.crawler.fake_worker", *arguments], stderr=errors, cwd=ROOT
            )
        self._workers.append(worker)

    def wait_for_visits(self, more: int) -> None:
        """Wait until so many further visits have begun, or no worker is left."""
        seen = len(self.begun())
        wait_until(
            lambda: len(self.begun()) >= seen + more or all(each.poll() is not None for each in self._workers),
            f"{more} further visits: {self.errors.read_text()[-2000:]}",
        )

    def begun(self) -> list[str]:
        """The visits that have begun, as lines of the log."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if '"begin"' in line]

    def kill_a_worker(self) -> None:
        """Kill -9, and start another one."""
        running = [each for each in self._workers if each.poll() is None]
        if running:
            victim = self.dice.choice(running)
            victim.kill()
            victim.wait()
            self._workers.remove(victim)
            self.start_worker()

    def cut_connections(self) -> None:
        """End all connections but our own."""
        self.server.cut_connections(self.name)

    def crash_server(self) -> None:
        """Crash the database and start it again."""
        self.server.stop()
        self.server.start()

    def finish(self, timeout: float) -> None:
        """Wait for all workers to end well."""
        until = time.monotonic() + timeout
        for each in self._workers:
            assert each.wait(max(1.0, until - time.monotonic())) == 0, self.errors.read_text()[-3000:]

    def end(self) -> None:
        """End what is left."""
        for each in self._workers:
            if each.poll() is None:
                each.kill()
                each.wait()

    def events(self) -> list[dict[str, Any]]:
        """The log, in order of time; the last line of a killed worker is whole or not there (one write)."""
        return sorted((json.loads(line) for line in self.log.read_text().splitlines()), key=lambda each: each["at"])

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the database."""
        with psycopg.connect(self.url, options="-c search_path=webmcp_census") as connection:
            return connection.execute(query).fetchall()  # type: ignore[arg-type]


@pytest.fixture
def storm(postgres_server, tmp_path, request):
    storm = Storm(postgres_server, tmp_path, request.param)
    yield storm
    storm.end()


def assert_nothing_lost_and_none_twice(storm: Storm, targets: int) -> None:
    finished = storm.rows(
        "SELECT targets.id, final_visit, visits.target_id FROM targets LEFT JOIN visits ON visit_id = final_visit"
        " WHERE state = 'finished'"
    )
    assert len(finished) == targets == storm.rows("SELECT count(*) FROM targets")[0][0]
    assert all(target == visited for target, _, visited in finished)
    assert len({visit for _, visit, _ in finished}) == targets
    captured = storm.rows("SELECT target_id FROM visits WHERE outcome = 'captured'")
    assert len(captured) == len(set(captured)) == targets, "a target was captured twice"
    # Each attempt is either a recorded visit or lost with its worker.
    attempts, lost = storm.rows("SELECT sum(attempts), sum(lost) FROM targets")[0]
    (visits,) = storm.rows("SELECT count(*) FROM visits")[0]
    assert attempts == visits + lost
    assert storm.rows("SELECT count(*) FROM sites WHERE holder IS NOT NULL OR due_at IS NOT NULL") == [(0,)]
    ended = Counter((each["target"], each["attempt"]) for each in storm.events() if each["what"] == "end")
    assert max(ended.values()) == 1, "one attempt was made by two workers"
    recorded = set(storm.rows("SELECT target_id, attempt FROM visits"))
    assert recorded <= set(ended), "a visit is recorded that nobody made"


def assert_polite(storm: Storm) -> None:
    by_site: dict[str, list[dict[str, Any]]] = {}
    for each in storm.events():
        by_site.setdefault(each["site"], []).append(each)
    for events in by_site.values():
        begins = [each for each in events if each["what"] == "begin"]
        ends = {(each["target"], each["attempt"]): each["at"] for each in events if each["what"] == "end"}
        for earlier, later in pairwise(begins):
            over = ends.get((earlier["target"], earlier["attempt"]), earlier["at"])
            assert later["at"] - over >= DELAY, (earlier, later)


@pytest.mark.parametrize("storm", [20261130], indirect=True)
@pytest.mark.timeout(120)
def test_workers_that_are_killed_and_cut_off_lose_nothing(storm):
    targets = storm.add(sites=60, pages=8)
    for _ in range(3):
        storm.start_worker()
    for blow in range(8):
        storm.wait_for_visits(storm.dice.randint(1, 25))
        time.sleep(storm.dice.uniform(0.0, 0.05))
        storm.cut_connections() if blow % 4 == 3 else storm.kill_a_worker()
    storm.finish(60)
    assert_nothing_lost_and_none_twice(storm, targets)
    assert_polite(storm)
    assert storm.rows("SELECT sum(lost) > 0 FROM targets") == [(True,)], "no worker was killed at a visit"


@pytest.mark.long
@pytest.mark.parametrize("storm", [1, 2, 3], indirect=True)
@pytest.mark.timeout(300)
def test_a_server_that_crashes_under_its_workers_loses_nothing(storm):
    targets = storm.add(sites=150, pages=12)
    for _ in range(3):
        storm.start_worker()
    for blow in range(20):
        storm.wait_for_visits(storm.dice.randint(1, 50))
        time.sleep(storm.dice.uniform(0.0, 0.05))
        (storm.crash_server if blow % 7 == 5 else storm.cut_connections if blow % 3 == 2 else storm.kill_a_worker)()
    storm.finish(150)
    assert_nothing_lost_and_none_twice(storm, targets)
    assert_polite(storm)
