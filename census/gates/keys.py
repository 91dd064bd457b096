"""Gates: no row twice, and every row of a page or a document has its page or document."""

from collections.abc import Iterator, Mapping

import polars as pl

from census.gates.violation import Violation

DUPLICATE, FOREIGN = "duplicate-key", "foreign-key"

_KEYS: dict[str, tuple[str, ...]] = {
    "pages": ("visit_id",),
    "frames": ("visit_id", "frame"),
    "tools": ("visit_id", "frame", "name"),
    "compatibility": ("behaviour", "label"),
    "trials": ("run", "page", "variant", "utterance_set", "utterance", "session", "repeat"),
    "rates": ("run", "page", "variant", "utterance_set", "measure", "name"),
}
_REFERENCES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("frames", ("visit_id", "site"), "pages"),
    ("tools", ("visit_id", "site"), "pages"),
    ("findings", ("visit_id", "site"), "pages"),
    ("observations", ("target_key", "site"), "pages"),
    ("tools", ("visit_id", "frame"), "frames"),
)
"""Table, columns, and the table that must have a row with the same values."""


def check_keys(tables: Mapping[str, pl.DataFrame], redacted: int) -> Iterator[Violation]:
    """Hold the keys of each table. Two target keys may be one only where redaction (so many times) made them one."""
    for table, key in _KEYS.items():
        twice = tables[table].height - tables[table].select(pl.struct(key).n_unique()).item()
        if twice:
            yield Violation(DUPLICATE, f"`{table}` has {twice:,} rows too many with one ({', '.join(key)})")
    pages = tables["pages"]
    twice = pages.height - pages["target_key"].n_unique()
    if twice > redacted:
        yield Violation(DUPLICATE, f"{twice:,} rows of `pages` are a target that another row is too")
    nulls = pages.select(pl.col("visit_id", "target_key", "site", "outcome").null_count()).row(0, named=True)
    for column, count in nulls.items():
        if count:
            yield Violation(DUPLICATE, f"`pages.{column}` is null in {count:,} rows")


def check_references(tables: Mapping[str, pl.DataFrame], *, partial: bool) -> Iterator[Violation]:
    """Hold the references between tables. In a partial release an observation may be there before its page."""
    for table, columns, other in _REFERENCES:
        lost = tables[table].join(tables[other], on=list(columns), how="anti").height
        if lost and not (partial and table == "observations"):
            yield Violation(FOREIGN, f"{lost:,} rows of `{table}` have no row in `{other}` by ({', '.join(columns)})")
    frames = tables["frames"].filter(pl.col("parent").is_not_null())
    lost = frames.join(
        tables["frames"], left_on=["visit_id", "parent"], right_on=["visit_id", "frame"], how="anti"
    ).height
    if lost:
        yield Violation(FOREIGN, f"{lost:,} rows of `frames` have a parent that is not in `frames`")
