"""Redaction of whole tables: only the values that show a sign of something are looked at closely."""

from collections import Counter
from collections.abc import Mapping

import polars as pl

from census.columns import TABLES, Column
from census.redaction import SIGNS, redact_json, redact_text

_IDS = frozenset({"visit_id", "frame", "parent", "build", "rule", "site", "run", "set_digest"})
_JSON = frozenset({"input_schema", "annotations", "headers", "evidence", "calls"})


def redact_tables(tables: Mapping[str, pl.DataFrame]) -> tuple[dict[str, pl.DataFrame], Counter[str]]:
    """Return the tables without what no release may hold, and how often each kind was replaced."""
    found: Counter[str] = Counter()
    return {name: redact_table(name, table, found) for name, table in tables.items()}, found


def redact_table(name: str, table: pl.DataFrame, found: Counter[str]) -> pl.DataFrame:
    """Do so with one table, counting in `found`."""
    columns = _free_texts(name, table)
    signs = pl.col(columns).str.contains_any(SIGNS, ascii_case_insensitive=True).fill_null(value=False)
    # All columns at once, each in a thread of its own.
    signed = table.lazy().select(signs).collect()
    for column in columns:
        changed = _replacements(table[column].filter(signed[column]), found)
        if changed:
            table = table.with_columns(pl.col(column).replace(changed))
    return table


def _free_texts(table: str, frame: pl.DataFrame) -> list[str]:
    return [column.name for column in TABLES[table] if column.name in frame.columns and _is_free_text(column)]


def _is_free_text(column: Column) -> bool:
    return column.dtype == pl.String() and column.words is None and column.name not in _IDS


def _replacements(values: pl.Series, found: Counter[str]) -> dict[str, str]:
    """What to put in place of each value that holds something."""
    redact = redact_json if values.name in _JSON else redact_text
    changed = {}
    for text, times in Counter(values.to_list()).items():
        here: Counter[str] = Counter()
        redacted = redact(text, here)
        if here:
            changed[text] = redacted
            found.update({kind: number * times for kind, number in here.items()})
    return changed
