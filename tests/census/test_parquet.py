from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from census.columns import schema
from census.errors import CensusError
from census.parquet import ROWS_OF_A_GROUP, read_tables, table_path, write_table


@pytest.fixture
def pages(tmp_path: Path) -> pl.DataFrame:
    (tmp_path / "data").mkdir()
    number = 3 * ROWS_OF_A_GROUP
    sites = [f"site{i // 2:06}.com" for i in range(number)]
    columns = {name: pl.Series(name, [None] * number, dtype=dtype) for name, dtype in schema("pages").items()}
    return pl.DataFrame({**columns, "site": sites, "visit_id": [f"v{i}" for i in range(number)]})


def test_one_site_is_in_one_row_group_by_the_statistics(pages: pl.DataFrame, tmp_path: Path) -> None:
    write_table(tmp_path, "pages", pages)
    file = pq.ParquetFile(tmp_path / table_path("pages")).metadata
    assert [file.row_group(i).num_rows for i in range(file.num_row_groups)] == [ROWS_OF_A_GROUP] * 3
    column = pages.columns.index("site")
    wanted = "site025000.com"
    holding = []
    for group in range(file.num_row_groups):
        statistics = file.row_group(group).column(column).statistics
        assert statistics.has_min_max
        if statistics.min <= wanted <= statistics.max:
            holding.append(group)
    assert holding == [2]


def test_a_reader_that_asks_for_a_site_gets_its_rows(pages: pl.DataFrame, tmp_path: Path) -> None:
    write_table(tmp_path, "pages", pages)
    query = f"SELECT visit_id FROM '{tmp_path / table_path('pages')}' WHERE site = 'site025000.com'"
    assert duckdb.sql(query).fetchall() == [("v50000",), ("v50001",)]


def test_the_bytes_do_not_show_how_the_rows_lay_in_memory(pages: pl.DataFrame, tmp_path: Path) -> None:
    write_table(tmp_path, "pages", pages)
    whole = (tmp_path / table_path("pages")).read_bytes()
    write_table(tmp_path, "pages", pl.concat([pages[:7], pages[7:25_001], pages[25_001:]], rechunk=False))
    assert (tmp_path / table_path("pages")).read_bytes() == whole


def test_a_missing_table_is_an_error(pages: pl.DataFrame, tmp_path: Path) -> None:
    write_table(tmp_path, "pages", pages)
    with pytest.raises(CensusError, match=r"a table of .* cannot be read"):
        read_tables(tmp_path)
