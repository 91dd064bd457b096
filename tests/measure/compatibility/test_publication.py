"""What was published stands: another value needs a correction that says why."""

from datetime import date
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.compatibility.corrections import Correction, complaint, unexplained
from measure.compatibility.matrix import Matrix
from measure.compatibility.published import PublishedMatrix, read_published
from measure.compatibility.publishing import moved, publishable
from measure.compatibility.writing import publish
from measure.compatibility_data import FOLDER, MATRIX
from tests.measure.compatibility.matrices import behaviour, build, cell, matrix

NAME, WHERE = "names/empty", "exposure/where"
ROWS = {WHERE: {"hs156": "document", "sp149": "navigator"}, NAME: {"hs156": "no", "sp149": "yes"}}


def published(of: Matrix) -> PublishedMatrix:
    return PublishedMatrix.model_validate_json(publishable(of))


def with_value(row: str, label: str, value: str) -> Matrix:
    return matrix({**ROWS, row: {**ROWS[row], label: value}})


def correction(was: str = "yes", now: str | None = "no", label: str = "sp149") -> Correction:
    return Correction(
        behaviour=NAME, build=label, version=build(label).version, was=was, now=now, on=date(2026, 12, 1), why="Slow."
    )


def test_a_matrix_is_read_back_as_it_was_published(tmp_path):
    path = tmp_path / MATRIX
    path.write_text(publishable(matrix(ROWS)))
    read = read_published(path)
    assert read.value(NAME, "sp149") == "yes"
    assert read.value(NAME, "cr1") is None
    assert [each.label for each in read.builds] == ["hs156", "sp149"]


def test_the_same_answers_move_nothing():
    assert list(moved(published(matrix(ROWS)), matrix(ROWS))) == []


def test_another_answer_moves_a_cell_and_needs_exactly_its_correction():
    (cell_moved,) = moved(published(matrix(ROWS)), with_value(NAME, "sp149", "no"))
    assert (cell_moved.behaviour, cell_moved.build.label, cell_moved.was, cell_moved.now) == (
        NAME, "sp149", "yes", "no",
    )  # fmt: skip
    assert list(unexplained([cell_moved], [correction()])) == []
    for other in (correction(was="no"), correction(now="crash"), correction(label="hs156"), correction(now=None)):
        assert list(unexplained([cell_moved], [other])) == [cell_moved]


def test_a_cell_of_timing_may_move():
    timed = (behaviour(NAME, timing=True),)
    before, after = (matrix({NAME: {"hs156": value}}, timed) for value in ("no", "yes"))
    assert list(moved(published(before), after)) == []


def test_another_version_under_the_label_is_another_build():
    of, on = behaviour(NAME), build("hs156", "156.0.9.9")
    after = Matrix([on], [of], {(NAME, "hs156"): cell(of, on, "yes")})
    assert list(moved(published(matrix(ROWS)), after)) == []


def test_a_build_that_was_not_asked_again_stays_as_it_was_published():
    assert list(moved(published(matrix(ROWS)), matrix({NAME: {"hs156": "no"}, WHERE: {"hs156": "document"}}))) == []


def test_a_question_that_is_put_no_more_withdraws_its_cells():
    gone = list(moved(published(matrix(ROWS)), matrix({WHERE: ROWS[WHERE]})))
    assert [(each.build.label, each.now) for each in gone] == [("hs156", None), ("sp149", None)]
    assert list(unexplained(gone, [correction("no", None, "hs156"), correction("yes", None)])) == []
    assert "add a correction that withdraws it" in complaint(gone[0])


def test_the_complaint_tells_a_changed_question_from_an_answer_that_came_by_itself():
    (same,) = moved(published(matrix(ROWS)), with_value(NAME, "sp149", "no"))
    assert "the same question has the answer 'no' now" in complaint(same)
    changed = matrix({NAME: {"sp149": "no"}}, (behaviour(NAME, text="return 'y';"),))
    other = next(iter(moved(published(matrix({NAME: ROWS[NAME]})), changed)))
    assert "the changed question has the answer 'no'" in complaint(other)


def test_publishing_writes_the_data_and_the_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    publish(matrix(ROWS), [correction()], None)
    assert read_published(FOLDER / MATRIX).value(WHERE, "sp149") == "navigator"
    assert "Slow." in Path("reports/compatibility.md").read_text()


@pytest.mark.parametrize(
    ("rows", "before", "word"),
    [
        ({**ROWS, NAME: {"hs156": "no"}}, None, "names/empty on sp149"),
        ({row: {"hs156": values["hs156"]} for row, values in ROWS.items()}, published(matrix(ROWS)), "all of sp149"),
    ],
    ids=["a cell is missing", "a published build is missing"],
)
def test_a_part_of_the_matrix_is_not_published(tmp_path, monkeypatch, rows, before, word):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CensusError, match=word):
        publish(matrix(rows), [], before)
    assert list(tmp_path.iterdir()) == []
