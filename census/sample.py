"""A small part of a release to try things with: 1,000 pages drawn at random, and every row that belongs to them.

Each page has a number of its own, the SHA-256 of a fixed word and its target key; the pages with the least numbers are
the sample. Such permanent random numbers (Ohlsson 1995, "Coordination of samples using permanent random numbers") make
a simple random sample that anybody can draw again, and one that stays nearly the same from release to release.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from census.manifest import Sample
from census.parquet import write_parquet

SAMPLE = "sample"
"""The folder of a release that holds it, and the beginning of its configs' names."""
SAMPLE_PAGES = 1_000
WORD = "webmcp-census sample 1"
_KEYS = ("visit_id", "target_key")
"""A table with one of these columns is about pages; the first one that it has joins it to them."""


def sample_path(table: str) -> str:
    """Where a table of the sample is, relative to the release folder."""
    return f"{SAMPLE}/{table}.parquet"


def sample_of(pages: int) -> Sample:
    """What the manifest says of a sample from so many pages."""
    return Sample(pages=min(pages, SAMPLE_PAGES), of=pages, word=WORD)


def draw_sample(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Draw the sample; rows keep their order. Tables that are not about pages are in it as a whole."""
    pages = tables["pages"]
    numbers = [_number(*row) for row in pages.select("target_key", "visit_id").iter_rows()]
    least = set(sorted(numbers)[:SAMPLE_PAGES])
    drawn = pages.filter(pl.Series([number in least for number in numbers], dtype=pl.Boolean))
    return {name: drawn if name == "pages" else _belonging(table, drawn) for name, table in tables.items()}


def write_sample(folder: Path, tables: Mapping[str, pl.DataFrame]) -> dict[str, int]:
    """Write the sample below a release folder; returns the rows of each of its files, by path."""
    (folder / SAMPLE).mkdir()
    drawn = draw_sample(tables)
    for name, table in drawn.items():
        write_parquet(folder / sample_path(name), table)
    return {sample_path(name): table.height for name, table in drawn.items()}


def _number(target_key: str, visit_id: str) -> tuple[bytes, str]:
    # Two rows have one target key where redaction made two targets one; the visit tells them apart.
    return hashlib.sha256(f"{WORD}\n{target_key}".encode()).digest(), visit_id


def _belonging(table: pl.DataFrame, pages: pl.DataFrame) -> pl.DataFrame:
    for key in _KEYS:
        if key in table.columns:
            return table.filter(pl.col(key).is_in(pages[key].implode()))
    return table
