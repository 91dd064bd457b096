"""A visit whose lease is gone is ended, whoever finds out: the frontier, or our own clock when nobody answers."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable

import pytest

from census.target import Target
from census.vocabulary import Pass
from crawler.frontier import Lease
from crawler.frontier_calls import BesideLoop
from crawler.lease_watch import LeaseWatch

TTL, BEAT = 1.0, 0.05


def lease(site: str, fence: int = 1) -> Lease:
    return Lease(1, Target(url=f"https://{site}/"), Pass.MAIN, 1, fence)


class Answers:
    """The frontier's side: keeps the leases it is told to, or hangs, or fails."""

    def __init__(self) -> None:
        self.kept: set[tuple[str, int]] = set()
        self.asked: list[list[tuple[str, int]]] = []
        self.hangs = threading.Event()
        self.fails: BaseException | None = None

    def prolong(self, leases: Iterable[tuple[str, int]]) -> dict[tuple[str, int], float]:
        asked = list(leases)
        self.asked.append(asked)
        if self.fails is not None:
            raise self.fails
        if self.hangs.is_set():
            time.sleep(5 * TTL)
        return {each: time.monotonic() + TTL for each in asked if each in self.kept}


def watched(answers: Answers, act: Callable[[LeaseWatch, list[BaseException]], object]) -> None:
    async def main() -> None:
        watch, failures = LeaseWatch(answers, TTL, BEAT), list[BaseException]()
        watch.start(failures.append)
        try:
            await act(watch, failures)  # type: ignore[misc]
        finally:
            watch.stop()

    asyncio.run(main())


def test_a_lease_that_the_frontier_keeps_is_held_longer_than_its_time():
    answers = Answers()
    answers.kept = {("a.org", 1)}

    async def act(watch: LeaseWatch, _: list[BaseException]) -> None:
        gone = asyncio.Event()
        watch.add(lease("a.org"), gone.set)
        await asyncio.sleep(3 * TTL)
        assert not gone.is_set()
        assert watch.remove(lease("a.org"))
        assert not watch.remove(lease("a.org"))

    watched(answers, act)
    assert answers.asked[-1] in ([("a.org", 1)], [])


def test_a_lease_that_the_frontier_has_taken_away_ends_its_visit_and_no_other():
    answers = Answers()
    answers.kept = {("b.org", 1)}

    async def act(watch: LeaseWatch, _: list[BaseException]) -> None:
        gone, kept = asyncio.Event(), asyncio.Event()
        watch.add(lease("a.org"), gone.set)
        watch.add(lease("b.org"), kept.set)
        await asyncio.wait_for(gone.wait(), TTL)
        assert not kept.is_set()
        assert not watch.remove(lease("a.org"))

    watched(answers, act)


def test_a_lease_runs_out_by_our_own_clock_when_the_frontier_does_not_answer():
    answers = Answers()
    answers.hangs.set()

    async def act(watch: LeaseWatch, _: list[BaseException]) -> None:
        gone = asyncio.Event()
        watch.add(lease("a.org"), gone.set)
        await asyncio.wait_for(gone.wait(), 3 * TTL)

    watched(answers, act)


def test_a_frontier_that_cannot_be_told_ends_the_crawl():
    answers = Answers()
    answers.fails = OSError("gone for good")

    async def act(_: LeaseWatch, failures: list[BaseException]) -> None:
        await asyncio.sleep(4 * BEAT)
        assert failures == [answers.fails]

    watched(answers, act)


def test_calls_beside_the_loop_keep_their_order_and_leave_the_loop_free():
    done: list[str] = []

    async def main() -> None:
        calls, failures = BesideLoop(), list[BaseException]()

        def slow() -> None:
            time.sleep(0.3)
            done.append("told")

        calls.tell(slow, failures.append)
        asked = asyncio.ensure_future(calls.ask(lambda: done.append("asked")))
        await asyncio.sleep(0.05)
        assert done == [], "the loop waited for the call"
        await asked
        calls.tell(lambda: 1 // 0, failures.append)
        with pytest.raises(KeyError):
            await calls.ask(lambda: {}["x"])
        calls.close()
        await asyncio.sleep(0)
        assert [type(each) for each in failures] == [ZeroDivisionError]

    asyncio.run(main())
    assert done == ["told", "asked"]
