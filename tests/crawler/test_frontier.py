import sqlite3
from contextlib import closing

import pytest

from census.target import Target
from census.vocabulary import Outcome, Pass
from crawler.frontier import Lease, Report, StaleLease
from crawler.sqlite_frontier import SqliteFrontier


@pytest.fixture
def frontier(tmp_path):
    frontier = SqliteFrontier(tmp_path / "frontier.sqlite")
    yield frontier
    frontier.close()


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
    first, second = frontier.claim(100.0), frontier.claim(100.0)
    assert {first.target.site, second.target.site} == {"a.org", "b.org"}
    assert frontier.claim(100.0) is None
    on_a = first if first.target.site == "a.org" else second
    frontier.acknowledge(on_a, report(on_a), 103.0, delay=2.0)
    assert frontier.claim(104.9) is None
    assert frontier.next_due() == 105.0
    assert frontier.claim(105.0).target.url == "https://www.a.org/2"


def test_the_sites_own_delay_wins_when_it_is_longer(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    lease = frontier.claim(0.0)
    frontier.set_delay("a.org", 30.0)
    frontier.acknowledge(lease, report(lease), 10.0, delay=2.0)
    assert frontier.next_due() == 40.0


def test_a_final_report_finishes_the_target_and_a_retry_does_not(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.claim(0.0)
    frontier.acknowledge(lease, report(lease, Outcome.TIMEOUT, retry_after=60.0), 10.0, delay=1.0)
    assert frontier.counts().finished == 0
    assert frontier.claim(69.0) is None
    again = frontier.claim(70.0)
    assert again.attempt == 2
    frontier.acknowledge(again, report(again), 80.0, delay=1.0)
    assert frontier.counts().outcomes == {"captured": 1}
    assert frontier.next_due() is None


def test_a_waiting_retry_does_not_hold_its_site_back(frontier):
    frontier.add(targets("https://a.org/1", "https://a.org/2"))
    lease = frontier.claim(0.0)
    frontier.acknowledge(lease, report(lease, Outcome.TIMEOUT, retry_after=600.0), 1.0, delay=1.0)
    assert frontier.claim(2.0).target.url == "https://a.org/2"


def test_a_report_on_a_lease_taken_over_is_refused_and_leaves_no_visit(frontier):
    frontier.add(targets("https://a.org/"))
    stale = frontier.claim(0.0)
    frontier.recover(1.0)
    fresh = frontier.claim(1.0)
    with pytest.raises(StaleLease):
        frontier.acknowledge(stale, report(stale), 2.0, delay=0.0)
    frontier.acknowledge(fresh, report(fresh), 3.0, delay=0.0)
    assert frontier.counts().outcomes == {"captured": 1}


def test_a_target_is_given_up_after_its_attempts_took_the_crawler_down(frontier):
    frontier.add(targets("https://a.org/", "https://b.org/"))
    for now in range(3):
        lease = frontier.claim(float(now))
        while lease.target.site != "a.org":
            frontier.release(lease, float(now) + 0.5)
            lease = frontier.claim(float(now) + 0.5)
        frontier.recover(now + 0.9)
    assert frontier.next_lost(4) is None
    given_up = frontier.next_lost(3)
    assert given_up.target.url == "https://a.org/"
    frontier.acknowledge(given_up, report(given_up, Outcome.GAVE_UP), 10.0, delay=0.0)
    assert frontier.next_lost(3) is None
    assert frontier.counts().outcomes == {"gave_up": 1}


def test_what_a_dead_crawler_held_comes_after_what_nobody_has_tried(frontier):
    frontier.add(targets("https://a.org/", "https://b.org/"))
    held = frontier.claim(50.0)
    frontier.recover(60.0)
    assert frontier.claim(60.0).target.url != held.target.url


def test_a_released_target_has_used_no_attempt(frontier):
    frontier.add(targets("https://a.org/"))
    frontier.release(frontier.claim(0.0), 1.0)
    assert frontier.claim(1.0).attempt == 1


def test_a_reopened_visit_is_done_again_under_another_attempt(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.claim(0.0)
    frontier.acknowledge(lease, report(lease), 1.0, delay=0.0)
    assert frontier.reopen(["run-1-1", "unknown"], 2.0) == 1
    assert frontier.counts().finished == 0
    assert frontier.claim(2.0).attempt == 2


def test_a_control_vouches_for_visits_that_are_recorded_and_for_some_that_are_not_yet(frontier, tmp_path):
    frontier.record_control("{}", ["run-1-1", "run-2-1"])
    frontier.record_control("{}", ["run-2-1"])
    frontier.record_control("{}", [])
    with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as db:
        assert db.execute("SELECT visit_id FROM vouched ORDER BY visit_id").fetchall() == [("run-1-1",), ("run-2-1",)]
        assert db.execute("SELECT count(*) FROM controls").fetchone() == (3,)


def test_a_failed_report_changes_nothing(frontier, tmp_path):
    frontier.add(targets("https://a.org/", "https://b.org/"))
    one = frontier.claim(0.0)
    two = frontier.claim(0.0)
    frontier.acknowledge(one, report(one), 1.0, delay=0.0)
    duplicate = Report("run-1-1", Outcome.CAPTURED, "0" * 64, None)
    with pytest.raises(sqlite3.IntegrityError):
        frontier.acknowledge(two, duplicate, 1.0, delay=0.0)
    assert frontier.counts().leased == 1
    frontier.acknowledge(two, report(two), 2.0, delay=0.0)
    assert frontier.counts().finished == 2


def test_a_further_pass_is_wanted_in_the_same_transaction_and_once(frontier):
    frontier.add(targets("https://a.org/"))
    main = frontier.claim(0.0)
    frontier.acknowledge(main, Report("m1", Outcome.CAPTURED, "0" * 64, None, (Pass.LEGACY,)), 1.0, delay=2.0)
    counts = frontier.counts()
    assert (counts.targets, counts.finished, counts.observations, counts.complete) == (1, 1, 1, False)
    assert frontier.claim(2.0) is None
    legacy = frontier.claim(3.0)
    assert (legacy.target.url, legacy.pass_, legacy.attempt) == ("https://a.org/", Pass.LEGACY, 1)
    frontier.acknowledge(legacy, Report("l1", Outcome.TIMEOUT, "0" * 64, None), 4.0, delay=0.0)
    assert frontier.counts().complete
    assert frontier.counts().outcomes == {"captured": 1}
    frontier.reopen(["m1"], 5.0)
    again = frontier.claim(5.0)
    frontier.acknowledge(again, Report("m2", Outcome.CAPTURED, "0" * 64, None, (Pass.LEGACY,)), 6.0, delay=0.0)
    assert frontier.counts().observations == 1


def test_a_visit_that_is_not_final_asks_for_no_further_pass(frontier):
    frontier.add(targets("https://a.org/"))
    lease = frontier.claim(0.0)
    frontier.acknowledge(lease, Report("m1", Outcome.CAPTURED, "0" * 64, 0.0, (Pass.LEGACY,)), 1.0, delay=0.0)
    assert frontier.counts().observations == 0
