"""Gate: the tables have the types that their schema version promises."""

from collections.abc import Iterator, Mapping

import polars as pl

from census.columns import SCHEMA_VERSION
from census.gates.violation import Violation
from census.schema_digest import KNOWN_SCHEMAS, schema_digest

RULE = "schema"


def check_types(schema_version: str, tables: Mapping[str, pl.DataFrame]) -> Iterator[Violation]:
    """The same columns, in the same order, of the same types as in every release of this schema version."""
    known = KNOWN_SCHEMAS.get(schema_version)
    if known is None:
        yield Violation(RULE, f"schema {schema_version} is not known to this version, which writes {SCHEMA_VERSION}")
    elif schema_digest({name: table.schema for name, table in tables.items()}) != known:
        yield Violation(RULE, f"the columns or their types are not those of schema {schema_version}")


def check_compatible(schema_version: str, previous: str) -> Iterator[Violation]:
    """A release does not go back behind the schema of the last one."""
    if _parts(schema_version) < _parts(previous):
        yield Violation(RULE, f"schema {schema_version} is older than {previous} of the release before")


def _parts(schema_version: str) -> tuple[int, ...]:
    return tuple(map(int, schema_version.split(".")))
