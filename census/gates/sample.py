"""Gate: the sample is what its rule draws from the tables."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from census.gates.violation import Violation
from census.manifest import Manifest
from census.sample import draw_sample, sample_of, sample_path

RULE = "sample"


def check_sample(folder: Path, manifest: Manifest, tables: Mapping[str, pl.DataFrame]) -> Iterator[Violation]:
    """Draw the sample again; nothing is asked of a release that says it has none."""
    if manifest.sample is None:
        return
    if manifest.sample != sample_of(tables["pages"].height):
        yield Violation(RULE, f"the manifest says {manifest.sample.pages:,} pages of {manifest.sample.of:,}")
    for name, drawn in draw_sample(tables).items():
        try:
            there = pl.read_parquet(folder / sample_path(name))
        except (OSError, pl.exceptions.PolarsError):
            yield Violation(RULE, f"{sample_path(name)} cannot be read")
            continue
        if there.schema != drawn.schema or not there.equals(drawn):
            yield Violation(RULE, f"{sample_path(name)} is not what the rule draws from the tables")
