"""The compatibility matrix on its way into a release: COMPATIBILITY in a folder, a line for each cell.

`compat` writes it, into a folder of its own or into a RUN; `build` reads it.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import polars as pl
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from census.atomic import write_whole
from census.canonical_json import canonical_json
from census.columns import schema
from census.errors import CensusError

COMPATIBILITY = "compatibility.jsonl"
TABLE = "compatibility"


class CompatibilityCell(BaseModel):
    """What one build answered to one question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    behaviour: str
    """`topic/name`."""
    question: str
    label: str
    """The build's short name: `cr156`."""
    browser: str
    build: str
    """Full version."""
    shell: bool
    value: str
    timing: bool
    """Whether two runs may differ in it."""
    evidence: dict[str, JsonValue]
    """What was run, on which origin and with which switch, and what came back beside the value."""
    measured_at: datetime


class CompatibilityStamp(BaseModel):
    """The last line of the file, so that a file without it is not whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code_version: str
    cells: int
    builds: int
    behaviours: int


class RunCompatibility(NamedTuple):
    """The matrix of a folder."""

    stamp: CompatibilityStamp
    cells: list[CompatibilityCell]


def write_compatibility(folder: Path, cells: Iterable[CompatibilityCell], *, code_version: str) -> CompatibilityStamp:
    """Write the cells into a folder, whole or not at all. Raises CensusError when it can't be written."""
    kept = list(cells)
    stamp = CompatibilityStamp(
        code_version=code_version,
        cells=len(kept),
        builds=len({cell.label for cell in kept}),
        behaviours=len({cell.behaviour for cell in kept}),
    )
    path = folder / COMPATIBILITY
    try:
        write_whole(path, "".join(f"{row.model_dump_json()}\n" for row in (*kept, stamp)))
    except OSError as error:
        raise CensusError(f"{path} cannot be written: {error.strerror}; name another --out") from error
    return stamp


def read_compatibility(folder: Path) -> RunCompatibility | None:
    """The cells of a folder; None when it has none. Raises CensusError when the file is not whole."""
    path = folder / COMPATIBILITY
    try:
        # Not splitlines(): a text may hold other line ends than ours.
        *lines, last = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        stamp = CompatibilityStamp.model_validate_json(last)
        cells = [CompatibilityCell.model_validate_json(line) for line in lines]
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise CensusError(f"{path} is damaged; run `webmcp-census compat --out {folder}` again") from error
    if len(cells) != stamp.cells:
        raise CensusError(f"{path} is not whole; run `webmcp-census compat --out {folder}` again")
    return RunCompatibility(stamp, cells)


def compatibility_of(runs: Sequence[Path], named: Path | None) -> RunCompatibility | None:
    """The matrix that a release takes: the folder that was named, else that of the one RUN that has one.

    Raises CensusError when the named folder has none, or two RUNs have one each.
    """
    if named is not None:
        found = read_compatibility(named)
        if found is None:
            raise CensusError(f"{named} has no {COMPATIBILITY}; `webmcp-census compat --all --out {named}` makes it")
        return found
    have = [run for run in runs if (run / COMPATIBILITY).exists()]
    if len(have) > 1:
        raise CensusError(f"{have[0]} and {have[1]} have a compatibility matrix each; name one with --compatibility")
    return read_compatibility(have[0]) if have else None


def compatibility_table(cells: Iterable[CompatibilityCell]) -> pl.DataFrame:
    """The rows of the table, in the order of the cells."""
    rows = [
        {
            **cell.model_dump(exclude={"evidence", "measured_at"}),
            "evidence": canonical_json(cell.evidence),
            "measured_at": cell.measured_at.astimezone(UTC),
        }
        for cell in cells
    ]
    return pl.DataFrame(rows, schema=schema(TABLE))
