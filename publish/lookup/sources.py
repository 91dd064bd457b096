"""Where a release is looked up: a folder, the URL of a site, or where a release was published."""

from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

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
    scheme = urlsplit(name).scheme if "://" in name else ""
    if scheme in ("http", "https"):
        return SiteAnswers(name, fetch, optout)
    if scheme:
        raise CensusError(f"--release {name}: name a folder, or the http(s) URL of a site")
    folder = Path(name)
    manifest = read_manifest(folder)
    if manifest is None:
        raise CensusError(
            f"{folder} is no release of this version of webmcp-census; make one with `webmcp-census build RUN --out"
            f" {folder}`, or name another with --release (a folder, or the URL of a site)"
        )
    return ReleaseTables(manifest.release_version, lambda table: pl.scan_parquet(folder / table_path(table)), optout)
