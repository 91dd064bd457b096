"""From a matrix to the published one: its text, and which published cells a new one moves."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from measure.browsers.build import Build
from measure.compatibility.cell import question_digest
from measure.compatibility.matrix import Matrix
from measure.compatibility.published import PublishedBehaviour, PublishedMatrix


class Moved(NamedTuple):
    """A published cell that has another value now; None: it has no value any more."""

    behaviour: str
    build: Build
    was: str
    now: str | None
    same_question: bool


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
