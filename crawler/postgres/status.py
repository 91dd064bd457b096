"""How a shared crawl is: what an operator looks at, each figure from the database's tables and clock."""

from dataclasses import dataclass
from typing import Any

import psycopg

from crawler.frontier import Counts
from crawler.postgres.frontier import read_counts

WINDOW = 900.0
"""Seconds over which the rate is taken, or less when the crawl is younger."""
_SILENT = 60.0
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """One worker. Times in seconds ago."""

    worker: str
    concurrency: int
    started: float
    seen: float
    state: str
    """`working`, `ended`, or `silent` when it gave no sign of life for a minute."""
    holds: int
    """Leases."""
    visits: int
    """All that it recorded."""
    visits_in_window: int


@dataclass(frozen=True, slots=True)
class Status:
    """A crawl now. Times in seconds."""

    counts: Counts
    draining: bool
    workers: tuple[WorkerStatus, ...]
    rate: float
    """Targets and observations finished in a second, over the window."""
    remaining: int
    seconds_left: float | None
    """At this rate, and not before the largest site's pages are through at its delay; None without a rate."""
    oldest_lease: float | None
    """Since the claim."""
    overdue: int
    """Leases that have run out and that no worker has taken back."""
    resting: int
    """Sites with targets that wait for their delay, a retry or a `Retry-After`."""
    due: int
    """Sites that could be visited now if a visit were free."""
    buried: tuple[str, ...]
    """Targets that took their worker down each time, twenty at most."""
    lost: int
    """Attempts that went down with their worker, of all targets."""


def read_status(connection: psycopg.Connection, delay: float) -> Status:
    """Read it; `delay` is the crawl's own, in seconds."""
    counts = read_counts(connection)
    window, finished = _row(
        connection,
        "SELECT least(%(window)s, greatest(census_now() - (SELECT min(started_at) FROM workers), 1.0)),"
        " (SELECT count(*) FROM visits JOIN targets ON final_visit = visit_id"
        "  WHERE recorded_at > census_now() - %(window)s)",
        {"window": WINDOW},
    )
    rate = float(finished) / float(window) if window else 0.0
    (longest,) = _row(
        connection,
        "SELECT coalesce(max(pages * greatest(delay, %(delay)s)), 0) FROM sites JOIN"
        " (SELECT site, count(*) AS pages FROM targets WHERE state = 'waiting' GROUP BY site) AS waiting USING (site)",
        {"delay": delay},
    )
    remaining = counts.targets - counts.finished + counts.observations - counts.observations_finished
    oldest, overdue, resting, due = _row(
        connection,
        "SELECT census_now() - min(leased_at), count(*) FILTER (WHERE lease_until < census_now()),"
        " count(*) FILTER (WHERE due_at > census_now()), count(*) FILTER (WHERE due_at <= census_now()) FROM sites",
    )
    (lost,) = _row(connection, "SELECT coalesce(sum(lost), 0) FROM targets WHERE lost > 0")
    (draining,) = _row(connection, "SELECT coalesce((SELECT draining FROM crawl), false)")
    buried = connection.execute(
        "SELECT record::json->>'url' FROM targets JOIN visits ON visit_id = final_visit"
        " WHERE outcome = 'gave_up' ORDER BY targets.id LIMIT %s",
        (_SHOWN,),
    ).fetchall()
    return Status(
        counts=counts,
        draining=draining,
        workers=_workers(connection),
        rate=rate,
        remaining=remaining,
        seconds_left=0.0 if not remaining else max(remaining / rate, float(longest)) if rate else None,
        oldest_lease=oldest,
        overdue=overdue,
        resting=resting,
        due=due,
        buried=tuple(url for (url,) in buried),
        lost=int(lost),
    )


def requeue(connection: psycopg.Connection, outcomes: list[str]) -> int:
    """Have the targets whose final outcome is one of these visited again, as if for the first time; how many."""
    rows = connection.execute(
        "SELECT visit_id FROM targets JOIN visits ON visit_id = final_visit WHERE outcome = ANY (%s)", (outcomes,)
    ).fetchall()
    (number,) = _row(connection, "SELECT reopen(%(ids)s::text[], true)", {"ids": [visit_id for (visit_id,) in rows]})
    return int(number)


def _workers(connection: psycopg.Connection) -> tuple[WorkerStatus, ...]:
    rows = connection.execute(
        "SELECT worker, concurrency, census_now() - started_at, census_now() - seen_at,"
        " CASE WHEN ended_at IS NOT NULL THEN 'ended' WHEN census_now() - seen_at > %(silent)s THEN 'silent'"
        "  ELSE 'working' END,"
        " (SELECT count(*) FROM sites WHERE holder = worker), coalesce(visits, 0), coalesce(lately, 0)"
        " FROM workers LEFT JOIN (SELECT worker, count(*) AS visits,"
        "  count(*) FILTER (WHERE recorded_at > census_now() - %(window)s) AS lately FROM visits GROUP BY worker)"
        " AS made USING (worker) ORDER BY started_at, worker",
        {"silent": _SILENT, "window": WINDOW},
    ).fetchall()
    return tuple(WorkerStatus(*row) for row in rows)


def _row(connection: psycopg.Connection, query: str, parameters: dict[str, object] | None = None) -> tuple[Any, ...]:
    row = connection.execute(query, parameters).fetchone()
    assert row is not None, "these queries answer with one row"
    return tuple(row)
