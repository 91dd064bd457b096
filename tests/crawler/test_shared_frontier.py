"""What only a shared frontier has: terms of leases, answers that get lost, drains, second chances, its schema."""

import threading

import psycopg
import pytest

from census.errors import CensusError
from census.target import Target
from census.vocabulary import Outcome
from crawler.frontier import Lease, Report, StaleLease
from crawler.postgres import schema
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import LeaseTerms, PostgresFrontier
from crawler.postgres.schema import check_version, migrate, steps
from crawler.postgres.status import read_status, requeue

TERMS = LeaseTerms(ttl=10.0, cap=25.0)


class Shared:
    """A database whose clock is set, and workers on it."""

    def __init__(self, url: str) -> None:
        self.database = Database(FrontierAddress.parse(url))
        migrate(self.database)
        self.database.once("CREATE TABLE test_clock AS SELECT 0::double precision AS at")
        self.database.once(
            "CREATE OR REPLACE FUNCTION census_now() RETURNS double precision"
            " LANGUAGE sql AS 'SELECT at FROM test_clock'"
        )
        self.database.once("INSERT INTO crawl (run_settings, optout, evidence) VALUES ('{}', '', '')")
        self._url = url
        self._workers: list[PostgresFrontier] = []

    def worker(self, name: str, rest: float = 0.0) -> PostgresFrontier:
        found = PostgresFrontier(Database(FrontierAddress.parse(self._url)), name, TERMS, rest)
        self._workers.append(found)
        return found

    def at(self, now: float) -> None:
        self.database.once("UPDATE test_clock SET at = %s", now)

    def add(self, *urls: str) -> None:
        self.worker("list").add([Target(url=url) for url in urls])

    def row(self, query: str) -> tuple[object, ...]:
        found = self.database.run(lambda connection, _: connection.execute(query).fetchone())
        assert found is not None
        return found

    def close(self) -> None:
        for each in self._workers:
            each.close()
        self.database.close()


@pytest.fixture
def shared(database_url):
    shared = Shared(database_url)
    yield shared
    shared.close()


def report(lease: Lease, outcome: Outcome = Outcome.CAPTURED) -> Report:
    return Report(f"run-{lease.target_id}-{lease.attempt}", outcome, "0" * 64, None)


def key(lease: Lease) -> tuple[str, int]:
    return lease.target.site, lease.fence


def test_a_lease_lasts_its_time_and_is_then_anybody_elses(shared):
    shared.add("https://a.org/")
    one, two = shared.worker("one"), shared.worker("two")
    lease = one.claim()
    shared.at(10.0)
    two.recover()
    assert two.claim() is None
    shared.at(10.1)
    two.recover()
    taken = two.claim()
    assert (taken.attempt, taken.lost, taken.fence) == (2, 1, lease.fence + 1)
    with pytest.raises(StaleLease):
        one.acknowledge(lease, report(lease), delay=0.0)
    one.release(lease)
    two.acknowledge(taken, report(taken), delay=0.0)
    assert shared.row("SELECT count(*), min(worker) FROM visits") == (1, "two")


def test_a_late_report_on_a_lease_that_nobody_took_counts(shared):
    shared.add("https://a.org/")
    one = shared.worker("one")
    lease = one.claim()
    shared.at(100.0)
    one.acknowledge(lease, report(lease), delay=0.0)
    assert one.counts().complete


def test_signs_of_life_prolong_a_lease_but_not_beyond_the_cap(shared):
    shared.add("https://a.org/")
    one, two = shared.worker("one"), shared.worker("two")
    lease = one.claim()
    for now in (9.0, 18.0, 24.0):
        shared.at(now)
        assert set(one.prolong([key(lease)])) == {key(lease)}
    shared.at(25.1)
    assert one.prolong([key(lease)]) == {}
    assert two.claim().attempt == 2


def test_a_sign_of_life_of_somebody_else_or_of_an_old_lease_prolongs_nothing(shared):
    shared.add("https://a.org/")
    one, two = shared.worker("one"), shared.worker("two")
    lease = one.claim()
    assert two.prolong([key(lease)]) == {}
    assert one.prolong([(lease.target.site, lease.fence - 1), ("b.org", 1)]) == {}


def test_a_site_whose_worker_died_rests_before_the_next_one(shared):
    shared.add("https://a.org/")
    shared.worker("one").claim()
    two = shared.worker("two", rest=5.0)
    shared.at(11.0)
    two.recover()
    shared.at(15.9)
    assert two.claim() is None
    shared.at(16.0)
    assert two.claim() is not None


def test_a_site_whose_visit_was_given_back_rests_too(shared):
    shared.add("https://a.org/")
    one = shared.worker("one", rest=5.0)
    one.release(one.claim())
    assert one.next_due() == 5.0


def test_a_report_whose_answer_was_lost_is_recorded_once(shared):
    shared.add("https://a.org/")
    one = shared.worker("one")
    lease = one.claim()
    one.acknowledge(lease, report(lease), delay=0.0)
    one.acknowledge(lease, report(lease), delay=0.0)
    assert shared.row("SELECT count(*) FROM visits") == (1,)


def test_a_claim_whose_answer_was_lost_gives_the_same_lease(shared):
    shared.add("https://a.org/", "https://b.org/")
    ask = "SELECT claim('one', 'claim-1', %s, 10)"
    first = shared.database.run(lambda c, _: c.execute(ask, (False,)).fetchone())
    assert shared.database.run(lambda c, _: c.execute(ask, (True,)).fetchone()) == first
    assert shared.row("SELECT count(*) FROM sites WHERE holder IS NOT NULL") == (1,)


def test_work_whose_connection_breaks_is_done_again(shared):
    shared.add("https://a.org/")
    one = shared.worker("one")
    one.claim()
    shared.database.once(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    assert one.counts().leased == 1


def test_a_drained_crawl_hands_nothing_out_and_lets_what_is_under_way_end(shared):
    shared.add("https://a.org/", "https://b.org/")
    one = shared.worker("one")
    lease = one.claim()
    shared.database.once("UPDATE crawl SET draining = true")
    assert one.claim() is None
    assert one.next_due() is None
    one.acknowledge(lease, report(lease), delay=0.0)
    shared.database.once("UPDATE crawl SET draining = false")
    assert one.claim() is not None


def test_a_worker_waits_while_another_one_still_holds_a_lease(shared):
    shared.add("https://a.org/")
    one, two = shared.worker("one"), shared.worker("two")
    lease = one.claim()
    assert two.next_due() == 10.0
    one.acknowledge(lease, report(lease), delay=0.0)
    assert two.next_due() is None


def test_what_was_buried_gets_another_chance_and_what_was_captured_does_not(shared):
    shared.add("https://a.org/", "https://b.org/")
    one = shared.worker("one")
    for outcome in (Outcome.GAVE_UP, Outcome.CAPTURED):
        lease = one.claim()
        one.acknowledge(lease, report(lease, outcome), delay=0.0)
    shared.database.once("UPDATE targets SET lost = 5, failed = 1, ours = 3 WHERE id = 1")
    assert shared.database.run(lambda c, _: requeue(c, ["gave_up", "browser_failed"])) == 1
    again = one.claim()
    assert (again.target.url, again.attempt, again.lost, again.failed, again.ours) == ("https://a.org/", 2, 0, 0, 0)
    assert one.claim() is None


def test_the_status_counts_what_an_operator_looks_at(shared):
    shared.add("https://a.org/1", "https://a.org/2", "https://b.org/", "https://c.org/")
    one = shared.worker("one")
    shared.database.once("INSERT INTO workers VALUES ('one', 4, 0, 0, NULL), ('gone', 2, 0, 0, 90)")
    for outcome in (Outcome.CAPTURED, Outcome.GAVE_UP):
        lease = one.claim()
        one.acknowledge(lease, report(lease, outcome), delay=200.0)
    buried = lease.target.url
    shared.at(50.0)
    one.claim()
    shared.at(100.0)
    status = shared.database.run(lambda c, _: read_status(c, 200.0))
    assert status.counts.outcomes == {"captured": 1, "gave_up": 1}
    assert (status.remaining, status.rate, status.oldest_lease, status.overdue) == (2, 2 / 100.0, 50.0, 1)
    assert (status.due, status.resting) == (0, 1)
    # At 2 in 100 seconds the other two take 100; but a.org has one page left, at 200 seconds a page.
    assert status.seconds_left == 200.0
    assert status.buried == (buried,)
    assert [(each.worker, each.state, each.holds, each.visits) for each in status.workers] == [
        ("gone", "ended", 0, 0),
        ("one", "silent", 1, 2),
    ]


def test_the_schema_is_made_once_by_whoever_comes_first(database_url):
    made: list[int] = []

    def make() -> None:
        database = Database(FrontierAddress.parse(database_url))
        made.append(migrate(database))
        database.close()

    threads = [threading.Thread(target=make) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(made) == [0, 0, 0, len(steps())]


def test_an_older_schema_is_brought_up_to_date_and_keeps_its_rows(database_url, monkeypatch):
    database = Database(FrontierAddress.parse(database_url))
    migrate(database)
    PostgresFrontier(database, "list").add([Target(url="https://a.org/")])
    monkeypatch.setattr(schema, "steps", lambda: [*steps(), "ALTER TABLE sites ADD COLUMN colour text"])
    with pytest.raises(CensusError, match=rf"is at step {len(steps())}, this version needs {len(steps()) + 1}"):
        check_version(database)
    assert migrate(database) == 1
    check_version(database)
    assert PostgresFrontier(database, "one").claim() is not None
    database.close()


def test_a_step_that_fails_leaves_the_schema_as_it_was(database_url, monkeypatch):
    database = Database(FrontierAddress.parse(database_url))
    migrate(database)
    monkeypatch.setattr(schema, "steps", lambda: [*steps(), "ALTER TABLE sites ADD COLUMN colour text; SELECT 1/0"])
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(database)
    monkeypatch.undo()
    check_version(database)
    with pytest.raises(psycopg.errors.UndefinedColumn):
        database.once("SELECT colour FROM sites")
    database.close()


def test_a_schema_of_a_newer_version_is_refused(database_url, monkeypatch):
    database = Database(FrontierAddress.parse(database_url))
    migrate(database)
    database.once("INSERT INTO migrations (step) VALUES (99)")
    for ask in (migrate, check_version):
        with pytest.raises(CensusError, match="made by a newer version"):
            ask(database)
    database.close()


def test_a_database_without_a_crawl_says_how_to_begin_one(database_url):
    database = Database(FrontierAddress.parse(database_url))
    with pytest.raises(CensusError, match="begin it with `webmcp-census crawl TARGETS"):
        check_version(database)
    database.close()
