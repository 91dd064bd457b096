"""The published matrix, under version control: what lint and check go by, and what a new run is held against."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
from measure.browsers.build import Build
from measure.compatibility.cell import question_digest
from measure.compatibility.matrix import Matrix


class PublishedBehaviour(BaseModel):
    """A row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    timing: bool = False
    asked: str
    """Digest of the question."""
    values: Mapping[str, str]
    """By the builds' labels."""


class PublishedMatrix(BaseModel):
    """The data file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    builds: tuple[Build, ...]
    """The newest first."""
    behaviours: Mapping[str, PublishedBehaviour]

    def build(self, label: str) -> Build | None:
        """The build of a label."""
        return next((build for build in self.builds if build.label == label), None)

    def value(self, behaviour: str, label: str) -> str | None:
        """A cell; None when it was never published."""
        row = self.behaviours.get(behaviour)
        return row.values.get(label) if row else None


class Moved(NamedTuple):
    """A published cell that has another value now; None: it has no value any more."""

    behaviour: str
    build: Build
    was: str
    now: str | None
    same_question: bool


def read_published(path: Path) -> PublishedMatrix:
    """Raises CensusError when the file can't be read or is no matrix."""
    try:
        return PublishedMatrix.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise CensusError(f"{path} is no published matrix: {error}") from error


def publishable(matrix: Matrix) -> str:
    """The data file's text for a matrix: a line for each part of a row, so that a change is a short diff."""
    rows = {}
    for behaviour in matrix.behaviours:
        cells = [(build.label, matrix.cells.get((behaviour.id, build.label))) for build in matrix.builds]
        rows[behaviour.id] = PublishedBehaviour(
            question=behaviour.question,
            timing=behaviour.timing,
            asked=question_digest(behaviour),
            values={label: cell.value for label, cell in cells if cell},
        )
    lines = ['{\n "builds": [']
    lines.append(",\n".join(f"  {json.dumps(build.model_dump())}" for build in matrix.builds))
    lines.append(' ],\n "behaviours": {')
    lines.append(",\n".join(_row(behaviour, row) for behaviour, row in rows.items()))
    lines.append(" }\n}\n")
    return "\n".join(lines)


def _row(behaviour: str, row: PublishedBehaviour) -> str:
    parts = ",\n".join(f"   {json.dumps(name)}: {json.dumps(value)}" for name, value in row.model_dump().items())
    return f"  {json.dumps(behaviour)}: {{\n{parts}\n  }}"


def moved(published: PublishedMatrix, matrix: Matrix) -> Iterator[Moved]:
    """The published cells whose build was asked again and answered otherwise, or is no longer asked that.

    A cell that hangs on timing is allowed to differ.
    """
    asked = {build.label: build for build in matrix.builds}
    for behaviour, row in published.behaviours.items():
        for label, was in row.values.items():
            build, old = asked.get(label), published.build(label)
            if build is None or old is None or build.version != old.version:
                continue
            cell = matrix.cells.get((behaviour, label))
            if cell is None or (cell.value != was and not row.timing):
                now = cell.value if cell else None
                yield Moved(behaviour, build, was, now, cell is not None and cell.asked == row.asked)
