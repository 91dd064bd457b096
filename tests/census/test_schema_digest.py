import polars as pl

from census.columns import SCHEMA_VERSION, TABLES, schema
from census.schema_digest import KNOWN_SCHEMAS, schema_digest
from census.table_texts import TABLE_TEXTS

PINNED = {
    "1.2.0": "cb448705149790ec3c929ea1d3a062b36d57df6dfd0e1baecab34ec8eb695155",
    "1.3.0": "3d2752b12f2ca7c9fe479358b52d3fb1563e5f410a09b327aefe03a7d11fafde",
}


def current() -> dict[str, dict[str, pl.DataType]]:
    return {table: schema(table) for table in TABLES}


def test_a_schema_version_means_the_same_for_ever() -> None:
    """A failure means that columns or types changed: give them a new version, and leave the old lines as they are."""
    assert schema_digest(current()) == PINNED[SCHEMA_VERSION]
    assert KNOWN_SCHEMAS == PINNED


def test_another_type_name_or_order_is_another_schema() -> None:
    before = schema_digest(current())
    for change in (
        {"attempts": pl.Int32()},
        {"more": pl.String()},
    ):
        other = current()
        other["pages"] = other["pages"] | change
        assert schema_digest(other) != before
    other = current()
    other["tools"] = dict(reversed(other["tools"].items()))
    assert schema_digest(other) != before


def test_every_table_is_explained() -> None:
    assert TABLE_TEXTS.keys() == TABLES.keys()
