"""One number for all columns and types: a schema version means the same for ever."""

import hashlib
from collections.abc import Mapping

import polars as pl

KNOWN_SCHEMAS: dict[str, str] = {
    "1.2.0": "cb448705149790ec3c929ea1d3a062b36d57df6dfd0e1baecab34ec8eb695155",
    "1.3.0": "3d2752b12f2ca7c9fe479358b52d3fb1563e5f410a09b327aefe03a7d11fafde",
}
"""The digest of each schema version that was ever published. A line is added, never changed: other columns or types
need another version (major: something went or means something else; minor: something came)."""


def schema_digest(schemas: Mapping[str, Mapping[str, pl.DataType]]) -> str:
    """The SHA-256 of the tables' columns and types, in order."""
    lines = (f"{table}.{column} {dtype}\n" for table in sorted(schemas) for column, dtype in schemas[table].items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()
