"""What the newest build is expected to answer: written by hand, so that a new version announces what it changed."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
from measure.browsers.build import Build
from measure.compatibility.behaviour import Behaviour
from measure.compatibility.cell import Cell


class _BySort(BaseModel):
    """Two values where site isolation, or the interface, makes the difference."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    full: str
    shell: str


class Expected(BaseModel):
    """The data file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: str
    major: int
    """The expectations hold for this engine's builds of this major version."""
    values: Mapping[str, str | _BySort]
    """By behaviour: the value, or one for the full browser and one for the headless shell."""


class Difference(NamedTuple):
    """A cell that is not as expected."""

    behaviour: str
    build: str
    expected: str
    value: str
    detail: str


def read_expected(path: Path) -> Expected:
    """Raises CensusError when the file can't be read or is not of this form."""
    try:
        return Expected.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise CensusError(f"{path} holds no expectations: {error}") from error


def expected_value(expected: Expected, build: Build, behaviour: str) -> str | None:
    """What a build is expected to answer; None where nothing is expected of it."""
    if (build.engine, build.major) != (expected.engine, expected.major):
        return None
    value = expected.values.get(behaviour)
    if isinstance(value, _BySort):
        return value.shell if build.shell else value.full
    return value


def differences(
    expected: Expected, build: Build, cells: Iterable[Cell], timing: frozenset[str] = frozenset()
) -> tuple[Difference, ...]:
    """The cells of a build that are not as expected, but for those of the behaviours that hang on timing."""
    return tuple(
        Difference(cell.behaviour, build.label, wanted, cell.value, cell.detail)
        for cell in cells
        if (wanted := expected_value(expected, build, cell.behaviour)) is not None
        and wanted != cell.value
        and cell.behaviour not in timing
    )


def without_expectation(expected: Expected, behaviours: Iterable[Behaviour]) -> tuple[str, ...]:
    """The behaviours that the file forgot."""
    return tuple(behaviour.id for behaviour in behaviours if behaviour.id not in expected.values)
