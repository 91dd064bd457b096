"""Tables as Parquet: the same rows are the same bytes, and one site's rows are found without reading the others.

Rows are sorted by site, and each row group carries the least and the greatest value of each column, so a reader that
asks for one site (`WHERE site = 'example.org'`) opens one or two row groups of a table of any size.
"""

from pathlib import Path

import polars as pl

from census.columns import TABLES
from census.errors import CensusError

ROWS_OF_A_GROUP = 20_000


def table_path(table: str) -> str:
    """Where a table is, relative to the release folder."""
    return f"data/{table}.parquet"


def write_table(folder: Path, table: str, rows: pl.DataFrame) -> None:
    """Write a table below a release folder, whose `data` folder must be there."""
    write_parquet(folder / table_path(table), rows)


def write_parquet(path: Path, rows: pl.DataFrame) -> None:
    """Write rows as every Parquet file of a release is written."""
    # How the rows lie in memory would show in the pages of the file.
    whole = rows.rechunk()
    whole.write_parquet(path, compression="zstd", statistics="full", row_group_size=ROWS_OF_A_GROUP)


def read_tables(release: Path) -> dict[str, pl.DataFrame]:
    """Read every table of a release. Raises CensusError when one is missing or is no Parquet file."""
    try:
        return {table: pl.read_parquet(release / table_path(table)) for table in TABLES}
    except (OSError, pl.exceptions.PolarsError) as error:
        raise CensusError(f"a table of {release} cannot be read: {error}; build the release again") from error
