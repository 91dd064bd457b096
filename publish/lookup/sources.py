"""Where a release is looked up: a folder, the URL of a site, or where a release was published."""

from pathlib import Path
from typing import Protocol

import polars as pl

from census.errors import CensusError
from census.manifest import read_manifest
from census.optout import OptOut
from census.parquet import table_path
from publish.lookup.answer import Answer
from publish.lookup.question import Question
from publish.lookup.release_tables import ReleaseTables
from publish.lookup.site_answers import SiteAnswers
from publish.lookup.site_files import fetch


class Source(Protocol):
    """Something that can be asked."""

    def look_up(self, asked: Question) -> Answer:
        """Find the pages that are meant. Raises CensusError when it cannot be asked."""
        ...


def open_source(name: str, optout: OptOut) -> Source:
    """Open what `--release` names. Raises CensusError when there is no release."""
    kind, separator, _ = name.partition(":")
    if kind in ("http", "https"):
        return SiteAnswers(name, fetch, optout)
    if kind in ("s3", "hf"):
        from publish.lookup.published import hub_tables, s3_tables

        return s3_tables(name, optout) if kind == "s3" else hub_tables(name, optout)
    if separator and kind == "dir":
        name = name.removeprefix("dir:")
    folder = Path(name)
    manifest = read_manifest(folder)
    if manifest is None:
        raise CensusError(
            f"{folder} is no release of this version of webmcp-census; make one with `webmcp-census build RUN --out"
            f" {folder}`, or name another with --release: a folder, a site's URL, s3://BUCKET/PREFIX or hf:OWNER/NAME"
        )
    return ReleaseTables(manifest.release_version, lambda table: pl.scan_parquet(folder / table_path(table)), optout)
