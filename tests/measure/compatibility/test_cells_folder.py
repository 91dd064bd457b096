"""The folder of a run: it goes on where it was, and a changed question is asked again."""

import pytest

from census.errors import CensusError
from measure.compatibility.cells_folder import CellsFolder, Measured
from tests.measure.compatibility.matrices import behaviour, build, cell

ON = build("hs156")


def measured(label: str = "hs156", digest: str = "aa") -> Measured:
    return Measured(build=build(label), executable_sha256=digest)


def test_a_cell_is_read_back(tmp_path):
    folder, of = CellsFolder(tmp_path), behaviour()
    assert folder.read(ON, of) is None
    folder.write(cell(of, ON, "document"))
    kept = folder.read(ON, of)
    assert kept is not None
    assert (kept.value, kept.run) == ("document", "return 'x';")
    assert folder.cells(ON, [of, behaviour("names/empty")]) == {of.id: kept}


def test_a_changed_question_has_no_answer_yet(tmp_path):
    folder = CellsFolder(tmp_path)
    folder.write(cell(behaviour(), ON, "document"))
    assert folder.read(ON, behaviour(text="return 'y';")) is None


def test_a_damaged_cell_is_named_with_the_way_out(tmp_path):
    folder, of = CellsFolder(tmp_path), behaviour()
    folder.write(cell(of, ON, "document"))
    (file,) = tmp_path.rglob("where.json")
    file.write_text(file.read_text()[:-20])
    with pytest.raises(CensusError, match=r"where\.json is damaged; delete it"):
        folder.read(ON, of)


def test_builds_are_noted_and_another_one_of_the_same_label_is_refused(tmp_path):
    folder = CellsFolder(tmp_path)
    folder.begin(measured())
    folder.begin(measured())
    folder.begin(measured("sp149"))
    assert [each.label for each in folder.builds()] == ["hs156", "sp149"]
    with pytest.raises(CensusError, match="answers of another hs156"):
        folder.begin(measured(digest="bb"))


def test_two_runs_in_one_folder_are_refused(tmp_path):
    folder = CellsFolder(tmp_path)
    with folder.held(), pytest.raises(CensusError, match="in use by another run"), CellsFolder(tmp_path).held():
        pass
    with folder.held():
        pass


def test_no_draft_is_left_behind(tmp_path):
    CellsFolder(tmp_path).write(cell(behaviour(), ON, "document"))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["where.json"]
