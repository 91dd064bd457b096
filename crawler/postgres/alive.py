"""Whether this machine's worker lives: `python -m crawler.postgres.alive` exits with 0 or 1, for a health check."""

import socket
import sys

import click

from census.errors import CensusError
from crawler.postgres.address import given_address
from crawler.postgres.database import Database

_SILENT = 60.0
"""Seconds without a sign of life after which a worker does not count as living."""


def alive(database: Database, host: str) -> bool:
    """Whether a worker of the host that has not ended gave a sign of life within a minute."""
    row = database.run(
        lambda connection, _: connection.execute(
            "SELECT count(*) FROM workers WHERE starts_with(worker, %s) AND ended_at IS NULL"
            " AND census_now() - seen_at < %s",
            (f"{host}-", _SILENT),
        ).fetchone()
    )
    return row is not None and row[0] > 0


def main() -> int:
    """Ask the frontier that the environment names; a frontier that does not answer is no sick worker."""
    address = given_address(None)
    if address is None:
        raise CensusError("no frontier in the environment")
    database = Database(address)
    database.patience = 0.0
    try:
        return 0 if alive(database, socket.gethostname()) else 1
    except CensusError as error:
        click.echo(str(error), err=True)
        return 0
    finally:
        database.close()


if __name__ == "__main__":
    sys.exit(main())
