"""The matrix as `build` takes it into a release."""

from collections.abc import Iterator
from pathlib import Path

from census.compatibility import CompatibilityCell, write_compatibility
from crawler.settings import code_version
from measure.compatibility.matrix import Matrix


def write_release_rows(folder: Path, matrix: Matrix) -> None:
    """Write every cell with its evidence, in the order of rows and columns.

    Raises CensusError when the folder can't be written.
    """
    write_compatibility(folder, _rows(matrix), code_version=code_version())


def _rows(matrix: Matrix) -> Iterator[CompatibilityCell]:
    for behaviour in matrix.behaviours:
        for build in matrix.builds:
            cell = matrix.cells.get((behaviour.id, build.label))
            if cell is None:
                continue
            yield CompatibilityCell(
                behaviour=behaviour.id,
                question=behaviour.question,
                label=build.label,
                browser=build.name,
                build=build.version,
                shell=build.shell,
                value=cell.value,
                timing=behaviour.timing,
                evidence={
                    "run": cell.run,
                    "pages": {path: page.body for path, page in behaviour.pages.items()},
                    "origin": cell.entry.value,
                    "switch": cell.switch.value,
                    "detail": cell.detail,
                    "took_ms": cell.took_ms,
                },
                measured_at=cell.measured_at,
            )
