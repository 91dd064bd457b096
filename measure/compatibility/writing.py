"""What a run writes beside its cells: the matrix for people and for `build`, and, when asked to, its publication."""

from collections.abc import Sequence
from pathlib import Path

from census.errors import CensusError
from measure.compatibility.cells_folder import write_file
from measure.compatibility.corrections import Correction
from measure.compatibility.matrix import Matrix
from measure.compatibility.matrix_html import matrix_html
from measure.compatibility.matrix_markdown import matrix_markdown
from measure.compatibility.published import PublishedMatrix
from measure.compatibility.publishing import publishable
from measure.compatibility.release_rows import write_release_rows
from measure.compatibility_data import FOLDER, MATRIX

MARKDOWN, HTML = "compatibility.md", "compatibility.html"
REPORTS = Path("reports")


def write_outputs(folder: Path, matrix: Matrix, corrections: Sequence[Correction]) -> None:
    """Write the matrix as Markdown, as HTML, as rows for `build`, and as data that another run is held against.

    Raises CensusError when the folder can't be written.
    """
    write_file(folder / MARKDOWN, matrix_markdown(matrix, corrections))
    write_file(folder / HTML, matrix_html(matrix, corrections))
    write_file(folder / MATRIX, publishable(matrix))
    write_release_rows(folder, matrix)


def publish(matrix: Matrix, corrections: Sequence[Correction], published: PublishedMatrix | None) -> None:
    """Put the matrix into the working directory's data and reports, in place of the one published before.

    Raises CensusError when a cell is missing, or a build that was published before.
    """
    missing = [
        f"{behaviour.id} on {build.label}"
        for behaviour in matrix.behaviours
        for build in matrix.builds
        if (behaviour.id, build.label) not in matrix.cells
    ]
    labels = {build.label for build in matrix.builds}
    missing += [f"all of {build.label}" for build in published.builds if build.label not in labels] if published else []
    if missing:
        shown = ", ".join(missing[:5])
        raise CensusError(f"nothing is published: not every cell is there ({shown}{', …' if len(missing) > 5 else ''})")
    write_file(FOLDER / MATRIX, publishable(matrix))
    write_file(REPORTS / MARKDOWN, matrix_markdown(matrix, corrections))
