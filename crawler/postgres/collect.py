"""A shared crawl as a RUN: its targets, visits and control visits, as the frontier in a file has them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from census.run import FRONTIER
from crawler.postgres.database import Database
from crawler.sqlite_frontier import SqliteFrontier

_AT_ONCE = 5_000
# What is leased now is waiting as seen from RUN.
_TABLES = {
    "sites (site, due_at, delay, waiting, fence, leased)": (
        "SELECT site, greatest(rests_until, coalesce(due_at, 0)), delay,"
        " (SELECT count(*) FROM targets WHERE targets.site = sites.site AND state <> 'finished'), fence, 0"
        " FROM sites ORDER BY site"
    ),
    "targets (id, key, pass, record, site, state, due_at, attempts, lost, failed, ours, final_visit)": (
        "SELECT id, key, pass, record, site, CASE state WHEN 'leased' THEN 'waiting' ELSE state END, due_at, attempts,"
        " lost, failed, ours, final_visit FROM targets ORDER BY id"
    ),
    "visits (visit_id, target_id, attempt, outcome, evidence)": (
        "SELECT visit_id, target_id, attempt, outcome, evidence FROM visits ORDER BY target_id, attempt, visit_id"
    ),
    "controls (id, record)": "SELECT row_number() OVER (ORDER BY id), record FROM controls ORDER BY id",
    "vouched (visit_id)": "SELECT visit_id FROM vouched ORDER BY visit_id",
}


def copy_frontier(database: Database, folder: Path) -> None:
    """Write RUN's frontier from one moment of the database, whole or not at all."""
    draft = folder / f"{FRONTIER}.draft"
    database.run(lambda connection, _: _copy(connection, draft))
    for suffix in ("-wal", "-shm"):
        (folder / f"{FRONTIER}{suffix}").unlink(missing_ok=True)
    draft.replace(folder / FRONTIER)


def visit_digests(database: Database) -> list[str]:
    """The digests of all visits' evidence, each once."""
    rows = database.run(
        lambda connection, _: connection.execute("SELECT DISTINCT evidence FROM visits ORDER BY evidence").fetchall()
    )
    return [digest for (digest,) in rows]


def _copy(connection: psycopg.Connection, draft: Path) -> None:
    connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    draft.unlink(missing_ok=True)
    SqliteFrontier(draft).close()
    with closing(sqlite3.connect(draft)) as file, file:
        for number, (into, query) in enumerate(_TABLES.items()):
            places = ", ".join("?" * (into.count(",") + 1))
            file.executemany(f"INSERT INTO {into} VALUES ({places})", _rows(connection, number, query))  # noqa: S608
        file.execute("COMMIT")
        file.execute("PRAGMA journal_mode=DELETE")


def _rows(connection: psycopg.Connection, number: int, query: str) -> Iterator[tuple[Any, ...]]:
    with connection.cursor(f"copy_{number}") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(query)
        yield from cursor
