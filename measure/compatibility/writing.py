"""What a run writes beside its cells: the matrix for people."""

from collections.abc import Sequence
from pathlib import Path

from measure.compatibility.cells_folder import write_whole
from measure.compatibility.corrections import Correction
from measure.compatibility.matrix import Matrix
from measure.compatibility.matrix_html import matrix_html
from measure.compatibility.matrix_markdown import matrix_markdown

MARKDOWN, HTML = "compatibility.md", "compatibility.html"


def write_outputs(folder: Path, matrix: Matrix, corrections: Sequence[Correction]) -> None:
    """Write the matrix as Markdown and as HTML. Raises CensusError when the folder can't be written."""
    write_whole(folder / MARKDOWN, matrix_markdown(matrix, corrections))
    write_whole(folder / HTML, matrix_html(matrix, corrections))
