"""A release's manifest: what it was made from, and what is in it."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from census.compatibility import CompatibilityStamp
from census.findings import LintStamp
from census.measured_rates import RateStamp

MANIFEST = "manifest.json"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReleaseFile(_Part):
    """A file of a release; `rows` for a table."""

    path: str
    """Relative to the release folder, with `/`."""
    rows: int | None = None
    bytes: int
    sha256: str


class SourceRun(_Part):
    """A RUN that the release was built from."""

    run_id: str
    created_at: datetime
    code_version: str
    targets_name: str
    targets_sha256: str
    targets_read: dict[str, int]
    targets: int
    unfinished: int


class Build(_Part):
    """A browser that made visits of the release."""

    browser: str
    build: str
    shell: bool
    visits: int


class Accepted(_Part):
    """A gate that fails, and why this release is published all the same."""

    rule: str
    reason: str


class Previous(_Part):
    """The release that this one was compared with when it was built."""

    release_version: str
    schema_version: str
    manifest_sha256: str
    rates: dict[str, tuple[int, int]]
    """k and n of each published rate: this release's rates must lie within a band around them, or be accepted."""


class Sample(_Part):
    """A simple random sample of the pages, with the rows that belong to them (see `census.sample`)."""

    pages: int
    of: int
    word: str
    """What the pages' random numbers were made from."""


class Manifest(_Part):
    """What `manifest.json` holds. The outcomes and the unfinished targets add up to the targets.

    Targets of sites that opted out have the outcome `opted_out` here and no row in any table.
    """

    made_by: Literal["webmcp-census"] = "webmcp-census"
    release_version: str
    schema_version: str
    code_version: str
    """Of the code that built the release; each run names the code that crawled."""
    partial: bool
    """Built although targets had no final outcome yet."""
    targets: int
    unfinished: int
    outcomes: dict[str, int]
    visited_from: datetime | None
    visited_to: datetime | None
    builds: tuple[Build, ...]
    settings: dict[str, JsonValue]
    runs: tuple[SourceRun, ...]
    lint: LintStamp | None = None
    """Which rules made the findings, and of how many visits; None when lint was not run."""
    compatibility: CompatibilityStamp | None = None
    """Which cells the compatibility matrix has; None when there is none."""
    rates: tuple[RateStamp, ...] = ()
    """The runs of rates whose trials are in the tables, and how each was made."""
    redacted: dict[str, int] = {}
    """What was taken out of URLs and texts, by kind: how many times."""
    previous: Previous | None = None
    carried: dict[str, int] = {}
    """Pages that were not visited, as nothing had changed since a release: how many by the release that did."""
    accepted: tuple[Accepted, ...] = ()
    sample: Sample | None = None
    """None when the release holds none."""
    files: tuple[ReleaseFile, ...] = ()


class Versions(BaseModel):
    """What every release of this tool says of itself, whatever its schema."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    made_by: Literal["webmcp-census"]
    release_version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]
    schema_version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]


def read_versions(folder: Path) -> Versions | None:
    """Read which release a folder holds, of this schema or of another; None when it is no release of this tool."""
    try:
        return Versions.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


def read_manifest(folder: Path) -> Manifest | None:
    """Read a release folder's manifest; None when the folder is not a release of this tool."""
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None
