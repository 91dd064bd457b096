"""Corrections: published cells that were wrong because our question was. None is replaced without one."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
from measure.compatibility.publishing import Moved


class Correction(BaseModel):
    """One published cell and what it is now. It stays in the file for ever."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    behaviour: str
    build: str
    """The label."""
    version: str
    was: str
    now: str | None
    """None: the cell was withdrawn."""
    on: date
    why: str
    """What was wrong with the question, in a sentence for readers."""


class Corrections(BaseModel):
    """The data file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corrections: tuple[Correction, ...]


def read_corrections(path: Path) -> tuple[Correction, ...]:
    """Raises CensusError when the file can't be read or an entry is wrong."""
    try:
        return Corrections.model_validate_json(path.read_text(encoding="utf-8")).corrections
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise CensusError(f"{path} holds no corrections: {error}") from error


def unexplained(cells: Iterable[Moved], corrections: Sequence[Correction]) -> Iterator[Moved]:
    """The cells that moved without a correction of exactly that."""
    explained = {(each.behaviour, each.build, each.version, each.was, each.now) for each in corrections}
    for cell in cells:
        if (cell.behaviour, cell.build.label, cell.build.version, cell.was, cell.now) not in explained:
            yield cell


def complaint(cell: Moved) -> str:
    """What a reader of the run has to do about it."""
    said = f"{cell.behaviour} on {cell.build.label} {cell.build.version} was published as {cell.was!r}"
    if cell.now is None:
        return f"{said} and has no answer now: add a correction that withdraws it, or ask it again"
    if cell.same_question:
        return f"{said} and the same question has the answer {cell.now!r} now: find out why, or mark it as timing"
    return f"{said}, and the changed question has the answer {cell.now!r}: add a correction that says what was wrong"
