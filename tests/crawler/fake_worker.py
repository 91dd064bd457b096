"""A worker without a browser: claims, stays a moment, acknowledges. Run as a process, to be killed at any moment.

Its log has a line when a visit begins and one when it ends, written before the visit is acknowledged.
"""

import asyncio
import json
import os
import random
import sys
import time
from functools import partial

from census.vocabulary import Outcome
from crawler.frontier import Fault, Lease, Report, StaleLease
from crawler.frontier_calls import BesideLoop
from crawler.lease_watch import LeaseWatch
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import LeaseTerms, PostgresFrontier

TERMS = LeaseTerms(ttl=1.5, cap=20.0)
BEAT = 0.3
AT_ONCE = 4


async def work(url: str, log: int, delay: float, seed: int) -> None:
    """Work until nothing is left."""
    worker, dice, calls = f"fake-{os.getpid()}", random.Random(seed), BesideLoop()
    frontier = PostgresFrontier(Database(FrontierAddress.parse(url)), worker, TERMS, rest=delay)
    signs = PostgresFrontier(Database(FrontierAddress.parse(url)), worker, TERMS, rest=delay)
    watch = LeaseWatch(signs, TERMS.ttl, BEAT)
    failures: list[BaseException] = []
    watch.start(failures.append)
    under_way: set[asyncio.Task[None]] = set()

    def say(what: str, lease: Lease) -> None:
        line = {"what": what, "site": lease.target.site, "target": lease.target_id, "attempt": lease.attempt,
                "worker": worker, "at": time.time()}  # fmt: skip
        os.write(log, json.dumps(line).encode() + b"\n")

    async def visit(lease: Lease, stay: float, passes: bool) -> None:
        abandoned = asyncio.Event()
        watch.add(lease, abandoned.set)
        say("begin", lease)
        try:
            await asyncio.wait_for(abandoned.wait(), stay)
        except TimeoutError:
            say("end", lease)
        else:
            say("abandon", lease)
            return
        report = Report(
            f"{lease.target_id}-{lease.attempt}", Outcome.TIMEOUT if passes else Outcome.CAPTURED, "0" * 64,
            0.05 if passes else None, fault=Fault.SITE if passes else None,
        )  # fmt: skip
        try:
            await calls.ask(partial(frontier.acknowledge, lease, report, delay))
        except StaleLease:
            say("stale", lease)
        finally:
            watch.remove(lease)

    while not failures:
        lease = await calls.ask(frontier.claim) if len(under_way) < AT_ONCE else None
        if lease is not None:
            task = asyncio.ensure_future(
                visit(lease, dice.uniform(0.0, 0.05), lease.attempt == 1 and dice.random() < 0.2)
            )
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        elif not under_way and await calls.ask(frontier.next_due) is None:
            break
        else:
            await asyncio.sleep(0.005)
    watch.stop()
    if failures:
        raise failures[0]


if __name__ == "__main__":
    file = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    asyncio.run(work(sys.argv[1], file, float(sys.argv[3]), int(sys.argv[4])))
