"""What an operator asks of a shared crawl. Each raises CensusError when there is none at the address."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg

from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.schema import check_version
from crawler.postgres.shared_run import read, set_draining
from crawler.postgres.status import Status, read_status, requeue

T = TypeVar("T")


def status(address: FrontierAddress) -> Status:
    """How the crawl is now."""
    with _opened(address) as database:
        delay = read(database).settings.delay
        return database.run(lambda connection, _: read_status(connection, delay))


def visit_again(address: FrontierAddress, outcomes: list[str]) -> int:
    """Have the targets with these final outcomes visited again; returns how many."""
    return _once(address, lambda connection: requeue(connection, outcomes))


def drain(address: FrontierAddress, *, draining: bool) -> None:
    """Have the workers claim nothing more and end, or claim again."""
    with _opened(address) as database:
        read(database)
        set_draining(database, draining)


def under_way(address: FrontierAddress) -> int:
    """How many visits are under way; leases of dead workers are taken back first."""

    def count(connection: psycopg.Connection) -> int:
        connection.execute("SELECT expire(0)")
        (number,) = connection.execute("SELECT count(*) FROM sites WHERE holder IS NOT NULL").fetchone() or (0,)
        return int(number)

    return _once(address, count)


def _once(address: FrontierAddress, work: Callable[[psycopg.Connection], T]) -> T:
    with _opened(address) as database:
        return database.run(lambda connection, _: work(connection))


@contextmanager
def _opened(address: FrontierAddress) -> Iterator[Database]:
    database = Database(address)
    database.patience = 10.0
    try:
        check_version(database)
        yield database
    finally:
        database.close()
