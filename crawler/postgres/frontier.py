"""The frontier in a PostgreSQL database: any number of crawlers on any number of machines."""

import hashlib
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg

from census.target import Target, stored_target
from census.vocabulary import Pass
from crawler.frontier import Counts, Lease, Report, StaleLease
from crawler.postgres.database import Database

_LONGEST_SITE = 255
"""Characters; no host name that can be asked for is longer, and an index cannot hold any length."""


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """How long a lease lasts without a sign of life, and with one. Seconds."""

    ttl: float = 30.0
    cap: float = 600.0
    """After the claim, whatever the signs of life say: a crawler that hangs must not hold a site for ever."""


class PostgresFrontier:
    """See `crawler.frontier.Frontier` for what each method promises. Times are by the database's clock."""

    def __init__(self, database: Database, worker: str, terms: LeaseTerms | None = None, rest: float = 0.0) -> None:
        self.worker = worker
        self.terms = terms or LeaseTerms()
        self._database = database
        self._rest = rest
        """Seconds for which a site rests after a visit that was given up or whose crawler died."""

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    def add(self, targets: Iterable[Target], first: int = 0) -> int:
        """Add targets that are not there yet."""
        rows = [
            (
                number,
                number < first,
                _digest(target),
                target.key,
                target.model_dump_json(exclude_none=True),
                _site(target.site),
            )
            for number, target in enumerate(targets)
        ]

        def work(connection: psycopg.Connection, _: bool) -> int:
            connection.execute(
                "CREATE TEMPORARY TABLE incoming (n bigint, first boolean, key_digest bytea, key text, record text,"
                ' site text COLLATE "C") ON COMMIT DROP'
            )
            with connection.cursor().copy("COPY incoming FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            connection.execute("CREATE INDEX ON incoming (key_digest)")
            connection.execute("ANALYZE incoming")
            return int(_one(connection, "SELECT add_incoming()")[0])

        return self._database.run(work)

    def claim(self) -> Lease | None:
        """Lease a site that is free and due, and its next target."""
        claim_id = secrets.token_hex(8)
        return self._database.run(
            lambda connection, again: _lease(
                connection, "SELECT * FROM claim(%s, %s, %s, %s)", (self.worker, claim_id, again, self.terms.ttl)
            ),
            single=True,
        )

    def acknowledge(self, lease: Lease, report: Report, delay: float) -> None:
        """Record the visit and end the lease in one transaction."""
        parameters = (
            self.worker, _site(lease.target.site), lease.target_id, lease.attempt, lease.fence, report.visit_id,
            report.outcome.value, report.evidence, report.retry_after, [each.value for each in report.then],
            max(delay, report.site_rest), report.fault,
        )  # fmt: skip
        query = "SELECT acknowledge(%s, %s, %s, %s, %s, %s, %s, %s, %s::double precision, %s::text[], %s, %s)"
        inner: dict[str, Target] = {}
        for each in report.inner if report.retry_after is None else ():
            inner.setdefault(each.key, each)
        links = (
            _site(lease.target.site),
            [_digest(each) for each in inner.values()],
            list(inner),
            [each.model_dump_json(exclude_none=True) for each in inner.values()],
            report.inner_most,
        )

        def work(connection: psycopg.Connection, _: bool) -> None:
            # Before the acknowledgement, which counts what of the site waits; a stale one takes them back.
            if inner:
                connection.execute("SELECT add_inner(%s, %s::bytea[], %s::text[], %s::text[], %s)", links)
            if not _one(connection, query, parameters)[0]:
                raise StaleLease(report.visit_id)
            if not report.asked:
                connection.execute("SELECT rested(%s)", (_site(lease.target.site),))

        self._database.run(work, single=not inner and report.asked)

    def release(self, lease: Lease) -> None:
        """Give a target back unvisited."""
        parameters = (self.worker, _site(lease.target.site), lease.target_id, lease.fence, self._rest)
        self._database.once("SELECT give_back(%s, %s, %s, %s, %s)", *parameters)

    def recover(self) -> None:
        """Take back the leases that have run out."""
        self._database.once("SELECT expire(%s)", self._rest)

    def next_lost(self, limit: int) -> Lease | None:
        """Lease a target that lost `limit` attempts with its crawler."""
        claim_id = secrets.token_hex(8)
        return self._database.run(
            lambda connection, _: _lease(
                connection, "SELECT * FROM next_lost(%s, %s, %s, %s)", (self.worker, claim_id, limit, self.terms.ttl)
            )
        )

    def reopen(self, visit_ids: Iterable[str]) -> int:
        """Make final visits not final."""
        wanted = list(visit_ids)
        return int(
            self._database.run(lambda connection, _: _one(connection, "SELECT reopen(%s::text[], false)", (wanted,)))[0]
        )

    def set_delay(self, site: str, delay: float) -> None:
        """The site's own wish for a delay."""
        self._database.once("UPDATE sites SET delay = greatest(delay, %s) WHERE site = %s", delay, _site(site))

    def next_due(self) -> float | None:
        """When the next free site is due, or a lease may run out; None when nothing waits, or the crawl is drained."""
        query = (
            "SELECT CASE WHEN coalesce((SELECT draining FROM crawl), false) THEN NULL ELSE least("
            "(SELECT min(due_at) FROM sites WHERE due_at IS NOT NULL),"
            " (SELECT min(lease_until) FROM sites WHERE holder IS NOT NULL)) END"
        )
        (due_at,) = self._database.run(lambda connection, _: _one(connection, query))
        return None if due_at is None else float(due_at)

    def record_control(self, record: str, vouched: Iterable[str]) -> None:
        """Keep a control visit's record, and which visits it vouches for."""
        control_id, wanted = secrets.token_hex(8), list(vouched)

        def work(connection: psycopg.Connection, _: bool) -> None:
            connection.execute(
                "INSERT INTO controls (control_id, record) VALUES (%s, %s) ON CONFLICT DO NOTHING", (control_id, record)
            )
            connection.execute(
                "INSERT INTO vouched (visit_id) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING", (wanted,)
            )

        self._database.run(work)

    def counts(self) -> Counts:
        """How far the crawl is."""
        return self._database.run(lambda connection, _: read_counts(connection))

    def prolong(self, leases: Iterable[tuple[str, int]]) -> dict[tuple[str, int], float]:
        """Prolong leases (site and fence) that are still ours; how long each lasts by our monotonic clock.

        Also takes back what dead crawlers held.
        """
        held = [(_site(site), site, fence) for site, fence in leases]
        names = {(key, fence): (site, fence) for key, site, fence in held}
        parameters = (
            self.worker, [key for key, _, _ in held], [fence for _, _, fence in held], self.terms.ttl, self.terms.cap,
        )  # fmt: skip
        # Before the question is asked: the answer may be late, the lease is counted from before it was prolonged.
        asked = time.monotonic()
        rows = self._database.run(
            lambda connection, _: connection.execute(
                "SELECT * FROM prolong(%s, %s::text[], %s::bigint[], %s, %s)", parameters
            ).fetchall()
        )
        self.recover()
        return {names[site, fence]: asked + seconds for site, fence, seconds in rows}


def read_counts(connection: psycopg.Connection) -> Counts:
    """How far a crawl is."""
    finished, leased = {True: 0, False: 0}, 0
    total = {True: 0, False: 0}
    rows = connection.execute("SELECT pass = 'main', state, count(*) FROM targets GROUP BY 1, 2").fetchall()
    for is_main, state, number in rows:
        total[is_main] += number
        finished[is_main] += number if state == "finished" else 0
        leased += number if state == "leased" else 0
    outcomes = connection.execute(
        "SELECT outcome, count(*) FROM targets JOIN visits ON visit_id = final_visit WHERE pass = 'main' GROUP BY 1"
    ).fetchall()
    return Counts(
        targets=total[True],
        finished=finished[True],
        leased=leased,
        outcomes=dict(outcomes),
        observations=total[False],
        observations_finished=finished[False],
    )


def _lease(connection: psycopg.Connection, query: str, parameters: tuple[object, ...]) -> Lease | None:
    target_id, record, pass_, attempt, fence, *before = _one(connection, query, parameters)
    if target_id is None:
        return None
    return Lease(target_id, stored_target(record), Pass(pass_), attempt, fence, *before)


def _one(connection: psycopg.Connection, query: str, parameters: tuple[object, ...] = ()) -> tuple[Any, ...]:
    row = connection.execute(query, parameters).fetchone()
    assert row is not None, "these queries answer with one row"
    return tuple(row)


def _digest(target: Target) -> bytes:
    return hashlib.sha256(target.key.encode()).digest()[:16]


def _site(site: str) -> str:
    return site if len(site) <= _LONGEST_SITE else f"sha256:{hashlib.sha256(site.encode()).hexdigest()}"
