"""The frontier in one SQLite file inside RUN: one crawler process at a time, many visits at once."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from census.errors import CensusError
from census.target import Target
from census.vocabulary import Pass
from crawler.frontier import Counts, Lease, Report, StaleLease

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sites (
    site TEXT PRIMARY KEY,
    due_at REAL NOT NULL DEFAULT 0,
    delay REAL NOT NULL DEFAULT 0,
    waiting INTEGER NOT NULL DEFAULT 0,
    fence INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS sites_due ON sites (due_at, waiting DESC) WHERE leased = 0 AND waiting > 0;
CREATE TABLE IF NOT EXISTS targets (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    pass TEXT NOT NULL DEFAULT 'main',
    record TEXT NOT NULL,
    site TEXT NOT NULL REFERENCES sites (site),
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'finished')),
    due_at REAL NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    final_visit TEXT,
    UNIQUE (key, pass)
) STRICT;
CREATE INDEX IF NOT EXISTS targets_waiting ON targets (site, due_at, id) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS targets_leased ON targets (id) WHERE state = 'leased';
CREATE TABLE IF NOT EXISTS visits (
    visit_id TEXT PRIMARY KEY,
    target_id INTEGER NOT NULL REFERENCES targets (id),
    attempt INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    evidence TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS controls (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS vouched (visit_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
"""


class SqliteFrontier:
    """See `crawler.frontier.Frontier` for what each method promises."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000;")
            self._db.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise CensusError(f"{path} cannot be used as a frontier: {error}; give --out another folder") from error

    def close(self) -> None:
        """Close the file; what was recorded is in it."""
        self._db.close()

    def add(self, targets: Iterable[Target]) -> int:
        """Add targets that are not there yet."""
        new = 0
        with self._transaction():
            for target in targets:
                site = target.site
                self._db.execute("INSERT OR IGNORE INTO sites (site) VALUES (?)", (site,))
                added = self._db.execute(
                    "INSERT OR IGNORE INTO targets (key, record, site) VALUES (?, ?, ?)",
                    (target.key, target.model_dump_json(exclude_none=True), site),
                ).rowcount
                if added:
                    self._db.execute("UPDATE sites SET waiting = waiting + 1 WHERE site = ?", (site,))
                    new += 1
        return new

    def claim(self) -> Lease | None:
        """Lease a site that is free and due, and its next target."""
        now = self._clock()
        with self._transaction():
            while True:
                row = self._db.execute(
                    "SELECT site, fence FROM sites WHERE leased = 0 AND waiting > 0 AND due_at <= ?"
                    " ORDER BY due_at, waiting DESC LIMIT 1",
                    (now,),
                ).fetchone()
                if row is None:
                    return None
                site, fence = row
                target_id, record, pass_, due_at, attempts, lost = self._db.execute(
                    "SELECT id, record, pass, due_at, attempts, lost FROM targets WHERE site = ? AND state = 'waiting'"
                    " ORDER BY due_at, id LIMIT 1",
                    (site,),
                ).fetchone()
                if due_at <= now:
                    break
                self._db.execute("UPDATE sites SET due_at = ? WHERE site = ?", (due_at, site))
            return self._lease(target_id, record, pass_, site, attempts + 1, fence + 1, lost)

    def acknowledge(self, lease: Lease, report: Report, delay: float) -> None:
        """Record the visit and end the lease in one transaction."""
        now, final = self._clock(), report.retry_after is None
        with self._transaction():
            changed = self._db.execute(
                "UPDATE targets SET state = ?, final_visit = ?, due_at = ? WHERE id = ? AND state = 'leased'"
                " AND attempts = ?",
                (
                    "finished" if final else "waiting",
                    report.visit_id if final else None,
                    now + (report.retry_after or 0.0),
                    lease.target_id,
                    lease.attempt,
                ),
            ).rowcount
            if not changed:
                raise StaleLease(report.visit_id)
            self._db.execute(
                "INSERT INTO visits (visit_id, target_id, attempt, outcome, evidence) VALUES (?, ?, ?, ?, ?)",
                (report.visit_id, lease.target_id, lease.attempt, report.outcome.value, report.evidence),
            )
            added = self._add_passes(lease, report.then) if final else 0
            self._free_site(lease, now, max(delay, report.site_rest), waiting=added + (not final))

    def _add_passes(self, lease: Lease, passes: tuple[Pass, ...]) -> int:
        added = 0
        for pass_ in passes:
            added += self._db.execute(
                "INSERT OR IGNORE INTO targets (key, pass, record, site) SELECT key, ?, record, site FROM targets"
                " WHERE id = ?",
                (pass_.value, lease.target_id),
            ).rowcount
        return added

    def release(self, lease: Lease) -> None:
        """Give a target back unvisited."""
        with self._transaction():
            changed = self._db.execute(
                "UPDATE targets SET state = 'waiting', attempts = attempts - 1"
                " WHERE id = ? AND state = 'leased' AND attempts = ?",
                (lease.target_id, lease.attempt),
            ).rowcount
            if changed:
                self._free_site(lease, self._clock(), 0.0, waiting=1)

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
                "SELECT targets.id, record, pass, targets.site, attempts, fence, lost"
                " FROM targets JOIN sites USING (site)"
                " WHERE state = 'waiting' AND lost >= ? AND leased = 0 LIMIT 1",
                (limit,),
            ).fetchone()
            if row is None:
                return None
            target_id, record, pass_, site, attempt, fence, lost = row
            return self._lease(target_id, record, pass_, site, attempt, fence + 1, lost)

    def reopen(self, visit_ids: Iterable[str]) -> int:
        """Make final visits not final."""
        reopened, now = 0, self._clock()
        with self._transaction():
            for visit_id in visit_ids:
                row = self._db.execute("SELECT id, site FROM targets WHERE final_visit = ?", (visit_id,)).fetchone()
                if row is None:
                    continue
                self._db.execute(
                    "UPDATE targets SET state = 'waiting', final_visit = NULL, due_at = ? WHERE id = ?", (now, row[0])
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

    def _lease(  # noqa: PLR0913, RUF100
        self, target_id: int, record: str, pass_: str, site: str, attempt: int, fence: int, lost: int
    ) -> Lease:
        self._db.execute("UPDATE targets SET state = 'leased', attempts = ? WHERE id = ?", (attempt, target_id))
        self._db.execute("UPDATE sites SET leased = 1, fence = ?, waiting = waiting - 1 WHERE site = ?", (fence, site))
        return Lease(target_id, Target.model_validate_json(record), Pass(pass_), attempt, fence, lost)

    def _free_site(self, lease: Lease, now: float, delay: float, *, waiting: int) -> None:
        freed = self._db.execute(
            "UPDATE sites SET leased = 0, due_at = ? + max(?, delay), waiting = waiting + ?"
            " WHERE site = (SELECT site FROM targets WHERE id = ?) AND fence = ?",
            (now, delay, waiting, lease.target_id, lease.fence),
        ).rowcount
        if not freed:
            raise StaleLease(f"target {lease.target_id}, attempt {lease.attempt}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")
