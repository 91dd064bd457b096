"""The frontier in one SQLite file inside RUN: one crawler process at a time, many visits at once."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from census.errors import CensusError
from census.target import Target, stored_target
from census.vocabulary import Pass
from crawler.frontier import Counts, Fault, Lease, Report, StaleLease
from crawler.sqlite_schema import PRAGMAS, SCHEMA

_FIRST = -1.0
"""When what comes first is due: before all that is due from the beginning."""
_ADD_INNER = """
INSERT OR IGNORE INTO targets (key, pass, record, site) SELECT :key, 'inner', :record, :site
WHERE (SELECT count(*) FROM targets WHERE site = :site AND pass = 'inner') < :most
    AND NOT EXISTS (SELECT 1 FROM targets WHERE key = :key AND pass = 'main')
"""
_TAKE_SITE = """
UPDATE sites SET leased = 1, fence = fence + 1, waiting = waiting - 1
WHERE site = (
    SELECT site FROM sites WHERE leased = 0 AND waiting > 0 AND due_at <= ? ORDER BY due_at, waiting DESC LIMIT 1
) RETURNING site, fence
"""
_TAKE_TARGET = """
UPDATE targets SET state = 'leased', attempts = attempts + 1
WHERE id = (
    SELECT id FROM targets WHERE site = ?1 AND state = 'waiting' AND due_at <= ?2 ORDER BY due_at, id LIMIT 1
) RETURNING id, record, pass, attempts, lost, failed, ours
"""
_GIVE_SITE_BACK = """
UPDATE sites SET leased = 0, fence = fence - 1, waiting = waiting + 1,
    due_at = (SELECT min(due_at) FROM targets WHERE targets.site = sites.site AND state = 'waiting')
WHERE site = ?
"""


class SqliteFrontier:
    """See `crawler.frontier.Frontier` for what each method promises."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript(PRAGMAS)
            self._db.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise CensusError(f"{path} cannot be used as a frontier: {error}; give --out another folder") from error

    def close(self) -> None:
        """Close the file; what was recorded is in it."""
        self._db.close()

    def add(self, targets: Iterable[Target], first: int = 0) -> int:
        """Add targets that are not there yet."""
        new = 0
        with self._transaction():
            for number, target in enumerate(targets):
                site, due_at = target.site, _FIRST if number < first else 0.0
                self._db.execute("INSERT OR IGNORE INTO sites (site) VALUES (?)", (site,))
                added = self._db.execute(
                    "INSERT OR IGNORE INTO targets (key, record, site, due_at) VALUES (?, ?, ?, ?)",
                    (target.key, target.model_dump_json(exclude_none=True), site, due_at),
                ).rowcount
                if added:
                    # A site that rests goes on resting.
                    self._db.execute(
                        "UPDATE sites SET waiting = waiting + 1,"
                        " due_at = CASE WHEN due_at > 0 THEN due_at ELSE min(due_at, ?) END WHERE site = ?",
                        (due_at, site),
                    )
                    new += 1
        return new

    def claim(self) -> Lease | None:
        """Lease a site that is free and due, and its next target."""
        now = self._clock()
        with self._transaction():
            while (taken := self._one(_TAKE_SITE, now)) is not None:
                site, fence = taken
                target = self._one(_TAKE_TARGET, site, now)
                if target is not None:
                    target_id, record, pass_, attempt, *before = target
                    return Lease(target_id, stored_target(record), Pass(pass_), attempt, fence, *before)
                # The site has rested, and what waits on it is to be tried again later.
                self._db.execute(_GIVE_SITE_BACK, (site,))
        return None

    def acknowledge(self, lease: Lease, report: Report, delay: float) -> None:
        """Record the visit and end the lease in one transaction."""
        now, final = self._clock(), report.retry_after is None
        with self._transaction():
            changed = self._one(
                "UPDATE targets SET state = ?, final_visit = ?, due_at = ?, failed = failed + ?, ours = ours + ?"
                " WHERE id = ? AND state = 'leased' AND attempts = ? RETURNING site",
                "finished" if final else "waiting",
                report.visit_id if final else None,
                now + (report.retry_after or 0.0),
                report.fault is Fault.SITE,
                report.fault is Fault.OURS,
                lease.target_id,
                lease.attempt,
            )
            if changed is None:
                raise StaleLease(report.visit_id)
            self._db.execute(
                "INSERT INTO visits (visit_id, target_id, attempt, outcome, evidence) VALUES (?, ?, ?, ?, ?)",
                (report.visit_id, lease.target_id, lease.attempt, report.outcome.value, report.evidence),
            )
            added = self._add_passes(lease, report.then) + self._add_inner(changed[0], report) if final else 0
            rest = max(delay, report.site_rest) if report.asked else None
            self._free_site(changed[0], lease, now, rest, waiting=added + (not final))

    def _add_passes(self, lease: Lease, passes: tuple[Pass, ...]) -> int:
        added = 0
        for pass_ in passes:
            added += self._db.execute(
                "INSERT OR IGNORE INTO targets (key, pass, record, site) SELECT key, ?, record, site FROM targets"
                " WHERE id = ?",
                (pass_.value, lease.target_id),
            ).rowcount
        return added

    def _add_inner(self, site: str, report: Report) -> int:
        added = 0
        for target in report.inner:
            added += self._db.execute(
                _ADD_INNER,
                {
                    "key": target.key,
                    "record": target.model_dump_json(exclude_none=True),
                    "site": site,
                    "most": report.inner_most,
                },
            ).rowcount
        return added

    def release(self, lease: Lease) -> None:
        """Give a target back unvisited."""
        with self._transaction():
            changed = self._one(
                "UPDATE targets SET state = 'waiting', attempts = attempts - 1"
                " WHERE id = ? AND state = 'leased' AND attempts = ? RETURNING site",
                lease.target_id,
                lease.attempt,
            )
            if changed is not None:
                self._free_site(changed[0], lease, self._clock(), 0.0, waiting=1)

    def recover(self) -> None:
        """Take back the leases of a crawler that died. They come last: one of them may be why it died."""
        now = self._clock()
        with self._transaction():
            self._db.execute(
                "UPDATE sites SET leased = 0, due_at = max(due_at, ?), waiting = waiting + 1"
                " WHERE site IN (SELECT site FROM targets WHERE state = 'leased')",
                (now,),
            )
            self._db.execute(
                "UPDATE targets SET state = 'waiting', lost = lost + 1, due_at = max(due_at, ?) WHERE state = 'leased'",
                (now,),
            )

    def next_lost(self, limit: int) -> Lease | None:
        """Lease a target that lost `limit` attempts with its crawler."""
        with self._transaction():
            row = self._db.execute(
                "SELECT targets.id, record, pass, targets.site, attempts, fence, lost, failed, ours"
                " FROM targets JOIN sites USING (site)"
                " WHERE state = 'waiting' AND lost >= ? AND leased = 0 LIMIT 1",
                (limit,),
            ).fetchone()
            if row is None:
                return None
            target_id, record, pass_, site, attempt, fence, *before = row
            self._db.execute("UPDATE targets SET state = 'leased' WHERE id = ?", (target_id,))
            self._db.execute(
                "UPDATE sites SET leased = 1, fence = fence + 1, waiting = waiting - 1 WHERE site = ?", (site,)
            )
            return Lease(target_id, stored_target(record), Pass(pass_), attempt, fence + 1, *before)

    def reopen(self, visit_ids: Iterable[str]) -> int:
        """Make final visits not final."""
        reopened, now = 0, self._clock()
        with self._transaction():
            for visit_id in visit_ids:
                row = self._one(
                    "SELECT id, site FROM targets WHERE final_visit = ?1"
                    " AND id = (SELECT target_id FROM visits WHERE visit_id = ?1)",
                    visit_id,
                )
                if row is None:
                    continue
                self._db.execute(
                    "UPDATE targets SET state = 'waiting', final_visit = NULL, due_at = ?, ours = ours + 1"
                    " WHERE id = ?",
                    (now, row[0]),
                )
                self._db.execute("UPDATE sites SET waiting = waiting + 1 WHERE site = ?", (row[1],))
                reopened += 1
        return reopened

    def set_delay(self, site: str, delay: float) -> None:
        """The site's own wish for a delay."""
        self._db.execute("UPDATE sites SET delay = max(delay, ?) WHERE site = ?", (delay, site))

    def next_due(self) -> float | None:
        """When the next free site is due."""
        (due_at,) = self._db.execute("SELECT min(due_at) FROM sites WHERE leased = 0 AND waiting > 0").fetchone()
        return None if due_at is None else float(due_at)

    def record_control(self, record: str, vouched: Iterable[str]) -> None:
        """Keep a control visit's record, and which visits it vouches for."""
        with self._transaction():
            self._db.execute("INSERT INTO controls (record) VALUES (?)", (record,))
            self._db.executemany("INSERT OR IGNORE INTO vouched (visit_id) VALUES (?)", ((id_,) for id_ in vouched))

    def counts(self) -> Counts:
        """How far the crawl is."""
        main, others, leased = Counter[bool](), Counter[bool](), 0
        rows = self._db.execute("SELECT pass = 'main', state, count(*) FROM targets GROUP BY pass = 'main', state")
        for is_main, state, number in rows.fetchall():
            (main if is_main else others)[state == "finished"] += number
            leased += number if state == "leased" else 0
        outcomes = self._db.execute(
            "SELECT outcome, count(*) FROM targets JOIN visits ON visit_id = final_visit"
            " WHERE pass = 'main' GROUP BY outcome"
        )
        return Counts(
            targets=main.total(),
            finished=main[True],
            leased=leased,
            outcomes=dict(outcomes.fetchall()),
            observations=others.total(),
            observations_finished=others[True],
        )

    def _free_site(self, site: str, lease: Lease, now: float, rest: float | None, *, waiting: int) -> None:
        """End the lease of a site; `rest` seconds until it is due, or its own delay; None: at once."""
        freed = self._db.execute(
            "UPDATE sites SET leased = 0, due_at = ? + coalesce(max(?, delay), 0), waiting = waiting + ?"
            " WHERE site = ? AND fence = ?",
            (now, rest, waiting, site, lease.fence),
        ).rowcount
        if not freed:
            raise StaleLease(f"target {lease.target_id}, attempt {lease.attempt}")

    def _one(self, sql: str, *parameters: object) -> Any:
        """The statement's one row, None when there is none; a statement that changes something is run to its end."""
        rows = self._db.execute(sql, parameters).fetchall()
        return rows[0] if rows else None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")
