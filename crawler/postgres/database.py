"""A connection to the shared frontier that outlives the server's restarts; its whole state is in the database."""

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from census.errors import CensusError
from crawler.postgres.address import FrontierAddress

logger = logging.getLogger(__name__)

SCHEMA = "webmcp_census"
T = TypeVar("T")

_CONNECTION: dict[str, Any] = {
    "application_name": "webmcp-census",
    "connect_timeout": 5,
    # A connection whose other end went away without a word is given up after 10 to 15 seconds.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
_LONGEST_PAUSE = 5.0
_PATIENCE = 300.0


class Database:
    """Runs pieces of work, each in one transaction, and again when the connection broke or another one was in its way.

    Work must therefore do nothing twice when its first run was committed and only the answer was lost. One thread
    at a time.
    """

    def __init__(self, address: FrontierAddress) -> None:
        self.address = address
        self.patience = _PATIENCE
        """Seconds for which a server that does not answer is tried again."""
        self._connection: psycopg.Connection | None = None
        try:
            parameters = conninfo_to_dict(address.url)
        except psycopg.ProgrammingError:
            # libpq's own message can repeat a part of the password.
            raise CensusError(f"--frontier {address}: not an address that PostgreSQL understands") from None
        self._parameters = _CONNECTION | parameters | address.secrets

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def run(self, work: Callable[[psycopg.Connection, bool], T], *, single: bool = False) -> T:
        """Run work in a transaction; its second argument says whether an earlier run may have been committed.

        `single`: the work is one statement, which is a transaction by itself: that spares two of three round trips.
        Raises CensusError when the server cannot be reached within `patience`, or refuses us.
        """
        since: float | None = None
        pause, again = 0.1, False
        while True:
            try:
                connection = self._connected()
                with nullcontext() if single else connection.transaction():
                    return work(connection, again)
            except (errors.DeadlockDetected, errors.SerializationFailure):
                continue
            except psycopg.OperationalError as error:
                again = again or self._connection is not None
                self.close()
                now = time.monotonic()
                since = since or now
                if now + pause > since + self.patience or _hopeless(error):
                    raise CensusError(f"the frontier {self.address} cannot be used: {_said(error)}") from None
                logger.warning("the frontier does not answer (%s); asking again", _said(error))
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def once(self, query: str, *parameters: Any) -> None:
        """Run one statement that may be run twice."""
        self.run(lambda connection, _: connection.execute(query, parameters or None), single=True)

    def _connected(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            self._connection = None
            connection = psycopg.connect(**self._parameters, autocommit=True)
            connection.execute(f"SET search_path TO {SCHEMA}, pg_temp")
            self._connection = connection
        return self._connection


def _hopeless(error: psycopg.OperationalError) -> bool:
    """Whether asking again cannot help: a wrong password, a database or a right that is not there."""
    said = str(error)
    return error.sqlstate in {"28000", "28P01", "3D000"} or any(
        words in said
        for words in (
            "password authentication failed", "no password supplied", "does not exist", "pg_hba.conf",
            "permission denied", "could not translate host name",
        )
    )  # fmt: skip


def _said(error: psycopg.Error) -> str:
    """The first line of what was said; libpq repeats no password in it."""
    return (str(error) or type(error).__name__).splitlines()[0][:300]
