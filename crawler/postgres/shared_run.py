"""What the workers of one crawl agree on: it is in the database, so none of them needs the crawl's command line."""

from collections.abc import Iterable
from dataclasses import dataclass

import psycopg

from census.errors import CensusError
from census.optout import OptOut
from census.run import RunSettings
from crawler.postgres.database import Database
from crawler.run_folder import compare
from crawler.settings import CrawlSettings


@dataclass(frozen=True, slots=True)
class SharedRun:
    """One crawl in a database."""

    run: RunSettings
    optout: OptOut
    evidence: str
    """`s3://BUCKET/PREFIX`, or a folder that all workers see under this name."""
    draining: bool

    @property
    def settings(self) -> CrawlSettings:
        """The settings that every worker has."""
        return CrawlSettings.from_plain(self.run.settings)


def begin(database: Database, wanted: RunSettings, optout: OptOut, evidence: str) -> SharedRun:
    """Begin a crawl in an empty database, or go on with the one that is there, drained or not.

    The opt-out list is replaced: who opted out since is left alone. Raises CensusError that names every difference.
    """

    def work(connection: psycopg.Connection, _: bool) -> SharedRun:
        connection.execute(
            "INSERT INTO crawl (run_settings, optout, evidence) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            (wanted.model_dump_json(), _lines(optout.sites), evidence),
        )
        there = _read(connection)
        compare(there.run, wanted, str(database.address))
        if there.evidence != evidence:
            raise CensusError(
                f"the evidence of the crawl in {database.address} goes to {there.evidence}, not to {evidence};"
                " give the same --evidence"
            )
        connection.execute("UPDATE crawl SET optout = %s, draining = false", (_lines(optout.sites),))
        return _read(connection)

    return database.run(work)


def read(database: Database) -> SharedRun:
    """The crawl in a database. Raises CensusError when there is none."""
    return database.run(lambda connection, _: _read(connection))


def set_draining(database: Database, draining: bool) -> None:
    """Have the workers claim nothing more and end, or, again, claim."""
    database.once("UPDATE crawl SET draining = %s", draining)


def register(database: Database, worker: str, concurrency: int) -> None:
    """Say that a worker is there."""
    database.once(
        "INSERT INTO workers (worker, concurrency, started_at, seen_at) VALUES (%s, %s, census_now(), census_now())"
        " ON CONFLICT DO NOTHING",
        worker, concurrency,
    )  # fmt: skip


def deregister(database: Database, worker: str) -> None:
    """Say that a worker has ended."""
    database.once("UPDATE workers SET seen_at = census_now(), ended_at = census_now() WHERE worker = %s", worker)


def _read(connection: psycopg.Connection) -> SharedRun:
    row = connection.execute("SELECT run_settings, optout, evidence, draining FROM crawl").fetchone()
    if row is None:
        raise CensusError(
            "the frontier has no crawl yet; begin it with `webmcp-census crawl TARGETS --out RUN --frontier …`"
        )
    run, optout, evidence, draining = row
    return SharedRun(RunSettings.model_validate_json(run), OptOut(frozenset(optout.split())), evidence, draining)


def _lines(sites: Iterable[str]) -> str:
    return "\n".join(sorted(sites))
