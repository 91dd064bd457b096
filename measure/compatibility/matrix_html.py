"""The matrix as one HTML page, with each cell's evidence in it and nothing loaded from elsewhere."""

from collections.abc import Sequence
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from measure.compatibility.behaviour import Behaviour
from measure.compatibility.cell import Cell, question_text
from measure.compatibility.changelog import changes_by_version
from measure.compatibility.changes import changes
from measure.compatibility.corrections import Correction
from measure.compatibility.matrix import Matrix
from measure.compatibility.matrix_markdown import build_title, by_topic, title
from measure.compatibility.probing import CRASH, HANG, NOT_APPLICABLE

_ENVIRONMENT = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def matrix_html(matrix: Matrix, corrections: Sequence[Correction]) -> str:
    """The page. What a browser answered is text in it, never markup."""
    made = changes(matrix)
    by_id = {behaviour.id: behaviour for behaviour in matrix.behaviours}

    def kind(cell: Cell) -> str:
        if cell.value in (CRASH, HANG):
            return "down"
        if cell.value == NOT_APPLICABLE:
            return "na"
        return "same" if cell.value == matrix.value(cell.behaviour, matrix.newest) else "other"

    template = files("measure.compatibility").joinpath("matrix.html.j2").read_text(encoding="utf-8")
    return _ENVIRONMENT.from_string(template).render(
        matrix=matrix,
        topics=list(by_topic(matrix)),
        changed={(change.behaviour, change.build.label) for change in made},
        changelog=[(heading, [text for _, text in told]) for heading, told in changes_by_version(made, by_id)],
        corrections=corrections,
        build_title=build_title,
        title=title,
        kind=kind,
        meaning=_meaning,
        run=question_text,
    )


def _meaning(behaviour: Behaviour, value: str) -> str:
    return (behaviour.values or {}).get(value, "")
