"""The rows behind the picture: each table with the columns that some expression reads, as Parquet and CSV.

The SQL beside each figure runs over these files as it stands, and gives the figure's numbers.
"""

import gzip
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl

from census.columns import TABLES
from census.number import Count, Estimate, Share
from census.numbers import NUMBERS

_ALWAYS = ("visit_id", "site", "target_url", "target_key", "name", "frame", "tool", "pass")
"""What a reader needs to know which row it is."""
_SHOWN = {
    "compatibility": ("behaviour", "question", "label", "browser", "build", "shell", "value", "measured_at"),
    "rates": tuple(column.name for column in TABLES["rates"]),
}
"""Columns of tables whose rows the picture shows as they are."""
_PLAIN_LIMIT = 1_000_000
"""Bytes over which a CSV file is compressed."""


class RowFile(NamedTuple):
    """The rows of a table, in two files below the site."""

    table: str
    rows: int
    csv: str
    csv_bytes: int
    parquet: str
    parquet_bytes: int


def columns_behind() -> dict[str, list[str]]:
    """The columns of each table that identify its rows, that some published expression reads, or that are shown."""
    sql = " ".join(_sql())
    words = set(re.findall(r"\w+", sql)) | set(_ALWAYS)
    return {
        table: [column.name for column in columns if column.name in words or column.name in _SHOWN.get(table, ())]
        for table, columns in TABLES.items()
    }


def write_rows(folder: Path, tables: Mapping[str, pl.DataFrame]) -> dict[str, RowFile]:
    """Write the rows below `folder`, by table."""
    (folder / "rows").mkdir(parents=True, exist_ok=True)
    return {
        table: _write(folder, table, tables[table].select(columns))
        for table, columns in columns_behind().items()
        if table in tables
    }


def _no_formula(text: pl.Expr) -> pl.Expr:
    """Texts that a spreadsheet would run as a formula get an apostrophe before them (OWASP, "CSV injection")."""
    return pl.when(text.str.contains(r"^[=+\-@\t\r]")).then(pl.concat_str(pl.lit("'"), text)).otherwise(text)


def _sql() -> list[str]:
    said: list[str] = []
    for number in NUMBERS:
        if isinstance(number, Count):
            said.append(number.sql)
        elif isinstance(number, Estimate):
            said += [number.found_sql, number.stratum_sql, number.sample_sql]
            said += [number.sample_found_sql, number.total_sql, number.mean_sql]
        else:
            said += [number.denominator_sql, number.leaves_out_sql]
            said.append(number.numerator_sql if isinstance(number, Share) else number.parts_sql)
    return said


def _write(folder: Path, table: str, rows: pl.DataFrame) -> RowFile:
    parquet = f"rows/{table}.parquet"
    rows.rechunk().write_parquet(folder / parquet, compression="zstd", compression_level=9)
    lists = [name for name, dtype in rows.schema.items() if isinstance(dtype, pl.List)]
    flat = rows.with_columns(pl.col(name).list.join(";") for name in lists)
    texts = [name for name, dtype in flat.schema.items() if dtype == pl.String]
    data = flat.with_columns(_no_formula(pl.col(name)).alias(name) for name in texts).write_csv().encode()
    csv = f"rows/{table}.csv"
    if len(data) > _PLAIN_LIMIT:
        csv += ".gz"
        data = gzip.compress(data, compresslevel=6, mtime=0)
    (folder / csv).write_bytes(data)
    return RowFile(table, rows.height, csv, len(data), parquet, (folder / parquet).stat().st_size)
