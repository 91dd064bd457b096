"""A release read back from its folder."""

from pathlib import Path
from typing import NamedTuple

import polars as pl

from census.checksums import sha256_of
from census.errors import CensusError
from census.manifest import MANIFEST, Manifest, Previous, read_manifest
from census.parquet import read_tables
from census.summary import Rate, Summary, read_summary


class Release(NamedTuple):
    """What a release folder holds."""

    folder: Path
    manifest: Manifest
    summary: Summary
    tables: dict[str, pl.DataFrame]

    def as_previous(self) -> Previous:
        """What a later release keeps of this one."""
        return Previous(
            release_version=self.manifest.release_version,
            schema_version=self.manifest.schema_version,
            manifest_sha256=sha256_of(self.folder / MANIFEST),
            rates=rates_of(self.summary),
        )


def open_release(folder: Path) -> Release:
    """Read a release. Raises CensusError when the folder is none, or when a part of it cannot be read."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise CensusError(
            f"{folder} is no release of this version of webmcp-census;"
            f" make one with `webmcp-census build RUN --out {folder}`"
        )
    return Release(folder, manifest, read_summary(folder), read_tables(folder))


def rates_of(summary: Summary) -> dict[str, tuple[int, int]]:
    """K and n of each published rate."""
    return {number.id: (number.k, number.n) for number in summary.numbers if isinstance(number, Rate)}
