"""One suite over both back ends: what a crawl's promises rest on. Each has a clock that the tests set."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from census.target import Target
from census.vocabulary import Outcome, Pass
from crawler.frontier import Fault, Frontier, Lease, Report, StaleLease
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import LeaseTerms, PostgresFrontier
from crawler.postgres.schema import migrate
from crawler.sqlite_frontier import SqliteFrontier


class SqliteUnderTest:
    """A frontier in a file."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self._path = folder / "frontier.sqlite"
        self.frontier = SqliteFrontier(self._path, clock=lambda: self.now)

    def at(self, now: float) -> Frontier:
        self.now = now
        return self.frontier

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path)) as database:
            return database.execute(sql).fetchall()


class PostgresUnderTest:
    """A frontier in a database, whose clock is set there, and whose leases are short."""

    def __init__(self, url: str) -> None:
        self._database = Database(FrontierAddress.parse(url))
        migrate(self._database)
        self._database.once("CREATE TABLE test_clock AS SELECT 0::double precision AS at")
        self._database.once(
            "CREATE OR REPLACE FUNCTION census_now() RETURNS double precision"
            " LANGUAGE sql AS 'SELECT at FROM test_clock'"
        )
        self.frontier = PostgresFrontier(self._database, "worker", LeaseTerms(ttl=0.3))

    def at(self, now: float) -> Frontier:
        self._database.once("UPDATE test_clock SET at = %s", now)
        return self.frontier

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        return self._database.run(lambda connection, _: connection.execute(sql).fetchall())


@pytest.fixture(params=["sqlite", "postgresql"])
def under_test(request, tmp_path):
    """A frontier that is empty at second 0."""
    found = (
        SqliteUnderTest(tmp_path)
        if request.param == "sqlite"
        else PostgresUnderTest(request.getfixturevalue("database_url"))
    )
    yield found
    found.frontier.close()


@pytest.fixture
def frontier(under_test):
    """The same, to be asked at its present second or `at` another one."""
    under_test.frontier.at = under_test.at
    return under_test.frontier


def targets(*urls: str) -> list[Target]:
    return [Target(url=url) for url in urls]


def report(lease: Lease, outcome: Outcome = Outcome.CAPTURED, retry_after: float | None = None) -> Report:
    return Report(f"run-{lease.target_id}-{lease.attempt}", outcome, "0" * 64, retry_after)


def test_a_target_is_added_once(frontier):
    assert frontier.add(targets("https://a.org/", "https://a.org", "https://a.org/#/route")) == 2
    assert frontier.add(targets("https://a.org")) == 0
    assert frontier.counts().targets == 2


def test_one_page_of_a_site_at_a_time_and_the_next_after_the_delay(frontier):
    frontier.add(targets("https://a.org/1", "https://www.a.org/2", "https://b.org/"))
    first, second = frontier.at(100.0).claim(), frontier.at(100.0).claim()
    assert {first.target.site, second.target.site} == {"a.org", "b.org"}
    assert frontier.at(100.0).claim() is None
    on_a = first if first.target.site == "a.org" else second
    on_b = second if on_a is first else first
    frontier.at(103.0).acknowledge(on_b, report(on_b), delay=2.0)
    frontier.acknowledge(on_a, report(on_a), delay=2.0)
    assert frontier.at(104.9).claim() is None
    assert frontier.next_due() == 105.0
    assert frontier.at(105.0).claim().target.url == "https://www.a.org/2"


def test_the_sites_own_delay_wins_when_it_is_longer(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    lease = frontier.at(0.0).claim()
    frontier.set_delay("a.org", 30.0)
    frontier.at(10.0).acknowledge(lease, report(lease), delay=2.0)
    assert frontier.next_due() == 40.0


def test_a_final_report_finishes_the_target_and_a_retry_does_not(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.at(0.0).claim()
    frontier.at(10.0).acknowledge(lease, report(lease, Outcome.TIMEOUT, retry_after=60.0), delay=1.0)
    assert frontier.counts().finished == 0
    assert frontier.at(69.0).claim() is None
    again = frontier.at(70.0).claim()
    assert again.attempt == 2
    frontier.at(80.0).acknowledge(again, report(again), delay=1.0)
    assert frontier.counts().outcomes == {"captured": 1}
    assert frontier.next_due() is None


def test_a_waiting_retry_does_not_hold_its_site_back(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    lease = frontier.at(0.0).claim()
    frontier.at(1.0).acknowledge(lease, report(lease, Outcome.TIMEOUT, retry_after=600.0), delay=1.0)
    assert frontier.at(2.0).claim().target.url == "https://a.org/2"


def test_a_report_on_a_lease_taken_over_is_refused_and_leaves_no_visit(frontier):
    frontier.add(targets("https://a.org/"))
    stale = frontier.at(0.0).claim()
    frontier.at(1.0).recover()
    fresh = frontier.at(1.0).claim()
    with pytest.raises(StaleLease):
        frontier.at(2.0).acknowledge(stale, report(stale), delay=0.0)
    frontier.at(3.0).acknowledge(fresh, report(fresh), delay=0.0)
    assert frontier.counts().outcomes == {"captured": 1}


def test_a_target_is_given_up_after_its_attempts_took_the_crawler_down(frontier):
    frontier.add(targets("https://a.org/", "https://b.org/"))
    for now in range(3):
        lease = frontier.at(now).claim()
        while lease.target.site != "a.org":
            frontier.at(now + 0.5).release(lease)
            lease = frontier.claim()
        frontier.at(now + 0.9).recover()
    assert frontier.next_lost(4) is None
    given_up = frontier.next_lost(3)
    assert given_up.target.url == "https://a.org/"
    frontier.at(10.0).acknowledge(given_up, report(given_up, Outcome.GAVE_UP), delay=0.0)
    assert frontier.next_lost(3) is None
    assert frontier.counts().outcomes == {"gave_up": 1}


def test_what_a_dead_crawler_held_comes_after_what_nobody_has_tried(frontier):
    frontier.add(targets("https://a.org/", "https://b.org/"))
    held = frontier.at(50.0).claim()
    frontier.at(60.0).recover()
    assert frontier.at(60.0).claim().target.url != held.target.url


def test_a_released_target_has_used_no_attempt(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.at(0.0).claim()
    frontier.at(1.0).release(lease)
    assert frontier.at(1.0).claim().attempt == 1


def test_a_reopened_visit_is_done_again_under_another_attempt(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.at(0.0).claim()
    frontier.at(1.0).acknowledge(lease, report(lease), delay=0.0)
    assert frontier.at(2.0).reopen(["run-1-1", "unknown"]) == 1
    assert frontier.counts().finished == 0
    assert frontier.at(2.0).claim().attempt == 2


def test_a_control_vouches_for_visits_that_are_recorded_and_for_some_that_are_not_yet(frontier, under_test):
    frontier.record_control("{}", ["run-1-1", "run-2-1"])
    frontier.record_control("{}", ["run-2-1"])
    frontier.record_control("{}", [])
    assert under_test.query("SELECT visit_id FROM vouched ORDER BY visit_id") == [("run-1-1",), ("run-2-1",)]
    assert under_test.query("SELECT count(*) FROM controls") == [(3,)]


def test_a_failed_report_changes_nothing(frontier):
    frontier.add(targets("https://a.org/", "https://b.org/"))
    one = frontier.at(0.0).claim()
    two = frontier.at(0.0).claim()
    frontier.at(1.0).acknowledge(one, report(one), delay=0.0)
    duplicate = Report(report(one).visit_id, Outcome.CAPTURED, "0" * 64, None)
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
        frontier.at(1.0).acknowledge(two, duplicate, delay=0.0)
    assert frontier.counts().leased == 1
    frontier.at(2.0).acknowledge(two, report(two), delay=0.0)
    assert frontier.counts().finished == 2


def test_a_further_pass_is_wanted_in_the_same_transaction_and_once(frontier):
    frontier.add(targets("https://a.org/"))
    main = frontier.at(0.0).claim()
    frontier.at(1.0).acknowledge(main, Report("m1", Outcome.CAPTURED, "0" * 64, None, (Pass.LEGACY,)), delay=2.0)
    counts = frontier.counts()
    assert (counts.targets, counts.finished, counts.observations, counts.complete) == (1, 1, 1, False)
    assert frontier.at(2.0).claim() is None
    legacy = frontier.at(3.0).claim()
    assert (legacy.target.url, legacy.pass_, legacy.attempt) == ("https://a.org/", Pass.LEGACY, 1)
    frontier.at(4.0).acknowledge(legacy, Report("l1", Outcome.TIMEOUT, "0" * 64, None), delay=0.0)
    assert frontier.counts().complete
    assert frontier.counts().outcomes == {"captured": 1}
    frontier.at(5.0).reopen(["m1"])
    again = frontier.at(5.0).claim()
    frontier.at(6.0).acknowledge(again, Report("m2", Outcome.CAPTURED, "0" * 64, None, (Pass.LEGACY,)), delay=0.0)
    assert frontier.counts().observations == 1


def test_a_visit_that_is_not_final_asks_for_no_further_pass(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.at(0.0).claim()
    frontier.at(1.0).acknowledge(lease, Report("m1", Outcome.CAPTURED, "0" * 64, 0.0, (Pass.LEGACY,)), delay=0.0)
    assert frontier.counts().observations == 0


def test_a_server_that_asks_to_be_left_alone_is_by_all_pages_of_its_site(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    lease = frontier.at(0.0).claim()
    busy = Report("v1", Outcome.HTTP_ERROR, "0" * 64, 300.0, site_rest=300.0)
    frontier.at(10.0).acknowledge(lease, busy, delay=2.0)
    assert frontier.next_due() == 310.0
    assert frontier.at(309.9).claim() is None
    assert frontier.at(310.0).claim().target.url == "https://a.org/2"


def test_a_target_that_is_added_later_does_not_wait_for_another_ones_retry(frontier):
    frontier.add(targets("https://a.org/1"))
    lease = frontier.at(0.0).claim()
    frontier.at(10.0).acknowledge(lease, report(lease, Outcome.TIMEOUT, retry_after=600.0), delay=5.0)
    frontier.add(targets("https://a.org/2"))
    assert frontier.at(14.9).claim() is None
    assert frontier.at(15.0).claim().target.url == "https://a.org/2"


def test_a_target_that_is_added_while_its_site_is_leased_is_not_lost(frontier):
    frontier.add(targets("https://a.org/1"))
    lease = frontier.at(0.0).claim()
    frontier.add(targets("https://a.org/2"))
    assert frontier.at(0.1).claim() is None
    frontier.acknowledge(lease, report(lease), delay=1.0)
    assert frontier.at(1.1).claim().target.url == "https://a.org/2"


def test_a_target_that_is_reopened_while_its_site_is_leased_is_done_after(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    first = frontier.at(0.0).claim()
    frontier.acknowledge(first, report(first), delay=0.0)
    second = frontier.claim()
    frontier.reopen([report(first).visit_id])
    assert frontier.claim() is None
    frontier.acknowledge(second, report(second), delay=0.0)
    again = frontier.claim()
    assert (again.target.url, again.attempt) == ("https://a.org/1", 2)


def test_any_url_can_be_a_target(frontier):
    long = targets(
        f"https://a.org/{'x' * 9000}", f"https://{'y' * 5000}.org/", "https://b.org/?q=%00&\u00e4=\U0001f600"
    )
    assert frontier.add([*long, Target(url="https://c.org/", project="null \x00 byte")]) == 4
    claimed = [frontier.claim().target for _ in range(4)]
    assert {target.url for target in claimed} == {target.url for target in long} | {"https://c.org/"}
    assert "null \x00 byte" in {target.project for target in claimed}


def test_of_the_sites_that_nobody_tried_the_one_with_most_targets_comes_first(frontier):
    frontier.add(targets("https://a.org/1", "https://b.org/1", "https://b.org/2", "https://c.org/1"))
    assert frontier.claim().target.site == "b.org"


def inner(*urls: str, most: int = 2) -> Report:
    found = tuple(Target(url=url, found_on="https://a.org") for url in urls)
    return Report("main", Outcome.CAPTURED, "0" * 64, None, inner=found, inner_most=most)


def test_inner_pages_come_after_the_page_that_links_to_them_and_count_as_observations(frontier):
    frontier.add(targets("https://a.org/", "https://a.org/given"))
    lease = frontier.at(0.0).claim()
    links = ("https://a.org/given", "https://a.org/1", "https://a.org/1/", "https://a.org/2", "https://a.org/3")
    frontier.at(1.0).acknowledge(lease, inner(*links), delay=1.0)
    visited = []
    for now in range(2, 9, 2):
        lease = frontier.at(float(now)).claim()
        if lease is not None:
            visited.append((lease.target.url, lease.pass_, lease.target.found_on))
            frontier.at(now + 0.5).acknowledge(lease, report(lease), delay=1.0)
    assert visited == [
        ("https://a.org/given", Pass.MAIN, None),
        ("https://a.org/1", Pass.INNER, "https://a.org"),
        ("https://a.org/2", Pass.INNER, "https://a.org"),
    ]
    counts = frontier.counts()
    assert (counts.targets, counts.finished, counts.observations, counts.observations_finished) == (2, 2, 2, 2)


def test_an_attempt_that_is_not_final_or_comes_too_late_adds_no_inner_pages(frontier):
    frontier.add(targets("https://a.org/"))
    stale = frontier.at(0.0).claim()
    frontier.at(1.0).recover()
    fresh = frontier.at(1.0).claim()
    with pytest.raises(StaleLease):
        frontier.at(2.0).acknowledge(stale, inner("https://a.org/1"), delay=0.0)
    again = Report("again", Outcome.TIMEOUT, "0" * 64, 60.0, inner=(Target(url="https://a.org/1"),), inner_most=2)
    frontier.at(3.0).acknowledge(fresh, again, delay=0.0)
    assert frontier.counts().observations == 0


def test_a_site_that_was_not_asked_for_anything_is_due_at_once_whatever_its_delay(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    lease = frontier.at(10.0).claim()
    frontier.set_delay("a.org", 30.0)
    unasked = Report("v1", Outcome.SCREENED_OUT, "0" * 64, None, asked=False)
    frontier.at(11.0).acknowledge(lease, unasked, delay=2.0)
    assert frontier.at(11.0).claim().target.url == "https://a.org/2"


def test_what_is_due_first_comes_before_other_sites_and_before_others_of_its_own(frontier):
    frontier.add(targets("https://late.org/1", "https://late.org/2", "https://late.org/3", "https://due.org/other"))
    frontier.add(targets("https://due.org/", "https://later.org/"), first=1)
    assert frontier.at(50.0).claim().target.url == "https://due.org/"
    assert [frontier.claim().target.site for _ in range(2)] == ["late.org", "later.org"]


def test_attempts_are_counted_by_whose_fault_they_were(frontier):
    frontier.add(targets("https://a.org/"))
    counted = []
    for now, fault in enumerate((Fault.SITE, Fault.OURS, Fault.OURS, None)):
        lease = frontier.at(float(now)).claim()
        counted.append((lease.attempt, lease.failed, lease.ours, lease.lost))
        again = None if fault is None else 0.0
        frontier.acknowledge(lease, Report(f"v{now}", Outcome.TIMEOUT, "0" * 64, again, fault=fault), delay=0.0)
    assert counted == [(1, 0, 0, 0), (2, 1, 0, 0), (3, 1, 1, 0), (4, 1, 2, 0)]


def test_an_attempt_that_was_lost_or_reopened_is_not_the_sites_fault(frontier):
    frontier.add(targets("https://a.org/"))
    frontier.at(0.0).claim()
    frontier.at(1.0).recover()
    lease = frontier.at(1.0).claim()
    assert (lease.attempt, lease.failed, lease.ours, lease.lost) == (2, 0, 0, 1)
    frontier.acknowledge(lease, report(lease), delay=0.0)
    frontier.at(2.0).reopen([report(lease).visit_id])
    again = frontier.at(2.0).claim()
    assert (again.attempt, again.failed, again.ours, again.lost) == (3, 0, 1, 1)


def test_what_is_given_up_says_how_its_attempts_ended(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.at(0.0).claim()
    frontier.acknowledge(lease, Report("v1", Outcome.TIMEOUT, "0" * 64, 0.0, fault=Fault.SITE), delay=0.0)
    frontier.at(1.0).claim()
    frontier.at(2.0).recover()
    given_up = frontier.next_lost(1)
    assert (given_up.attempt, given_up.failed, given_up.ours, given_up.lost) == (2, 1, 0, 1)
