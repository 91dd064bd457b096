"""The shared frontier's schema: made and migrated by whoever comes first, one step a file."""

from importlib.resources import files

import psycopg
from psycopg import errors

from census.errors import CensusError
from crawler.postgres.database import SCHEMA, Database

_LOCK = "SELECT pg_advisory_xact_lock(hashtext('webmcp_census.migrate'))"


def steps() -> list[str]:
    """The steps' SQL, the first one first. A step that was released is never changed; a new one follows it."""
    found = [each for each in files("crawler.postgres").iterdir() if each.name.endswith(".sql")]
    return [each.read_text(encoding="utf-8") for each in sorted(found, key=lambda each: each.name)]


def migrate(database: Database) -> int:
    """Bring the database to this version's schema; returns how many steps that took. Many may do it at once.

    Raises CensusError when it was made by a newer version, or when we may not.
    """
    return database.run(lambda connection, _: _migrate(connection, steps()))


def check_version(database: Database) -> None:
    """See that the schema is this version's. Raises CensusError when it is another, or there is none."""
    database.run(lambda connection, _: _check(connection, len(steps())))


def _migrate(connection: psycopg.Connection, wanted: list[str]) -> int:
    try:
        connection.execute(_LOCK)
        if _version(connection) is None:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute(
                f"CREATE TABLE {SCHEMA}.migrations"
                " (step integer PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now())"
            )
        done = _version(connection) or 0
        if done > len(wanted):
            raise _newer(done, len(wanted))
        for number, step in enumerate(wanted[done:], done + 1):
            connection.execute(step)
            connection.execute("INSERT INTO migrations (step) VALUES (%s)", (number,))
    except errors.InsufficientPrivilege as error:
        raise CensusError(f"the frontier's schema {SCHEMA} cannot be made: {error}; let its user create it") from None
    return len(wanted) - done


def _check(connection: psycopg.Connection, wanted: int) -> None:
    done = _version(connection) or 0
    if done > wanted:
        raise _newer(done, wanted)
    if done < wanted:
        raise CensusError(
            "the frontier has no crawl yet; begin it with `webmcp-census crawl TARGETS --out RUN --frontier …`"
            if not done
            else f"the frontier's schema is at step {done}, this version needs {wanted}: run the crawl's command once"
        )


def _version(connection: psycopg.Connection) -> int | None:
    """The number of the last step that was made; None without a schema."""
    (there,) = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.migrations",)).fetchone() or (None,)
    if there is None:
        return None
    (step,) = connection.execute("SELECT coalesce(max(step), 0) FROM migrations").fetchone() or (0,)
    return int(step)


def _newer(done: int, wanted: int) -> CensusError:
    return CensusError(
        f"the frontier was made by a newer version (step {done}, this one knows {wanted}); update this one"
    )
