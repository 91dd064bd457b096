"""The compatibility matrix on its way into a release."""

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from census.columns import schema
from census.compatibility import (
    COMPATIBILITY,
    CompatibilityCell,
    compatibility_table,
    read_compatibility,
    write_compatibility,
)
from census.errors import CensusError
from census.manifest import read_manifest
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.verification import verify_release
from tests.census.factories import captured, make_run

WHEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def cell(behaviour: str = "names/empty", label: str = "hs156", value: str = "InvalidStateError") -> CompatibilityCell:
    return CompatibilityCell(
        behaviour=behaviour, question="May a name be empty?", label=label, browser="Chromium", build="156.0.1.2",
        shell=True, value=value, timing=False, evidence={"run": "return 1;", "detail": ""}, measured_at=WHEN,
    )  # fmt: skip


CELLS = [cell(), cell("exposure/where", value="document"), cell(label="sp149", value="ok")]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(make_run(tmp_path / "run", [captured()]))


def write(folder: Path, cells: list[CompatibilityCell] = CELLS) -> None:
    folder.mkdir(exist_ok=True)
    write_compatibility(folder, cells, code_version="0.1.0")


def test_what_was_written_is_read_back(tmp_path):
    write(tmp_path)
    read = read_compatibility(tmp_path)
    assert read is not None
    assert read.cells == CELLS
    assert (read.stamp.cells, read.stamp.builds, read.stamp.behaviours) == (3, 2, 2)


def test_the_table_has_its_schema_also_when_empty():
    for cells in (CELLS, []):
        assert compatibility_table(cells).schema == pl.Schema(schema("compatibility"))


def test_a_folder_without_one_has_none(tmp_path):
    assert read_compatibility(tmp_path) is None


@pytest.mark.parametrize(
    "damage",
    [lambda lines: lines[:-1], lambda lines: lines[1:], lambda lines: [lines[0][:-9], *lines[1:]], lambda lines: []],
    ids=["stamp missing", "cell missing", "cut line", "empty"],
)
def test_a_file_that_is_not_whole_is_refused(tmp_path, damage):
    write(tmp_path)
    path = tmp_path / COMPATIBILITY
    path.write_text("\n".join(damage(path.read_text().splitlines())))
    with pytest.raises(CensusError, match=r"webmcp-census compat --out"):
        read_compatibility(tmp_path)


def test_a_release_has_a_row_for_each_cell_and_stands_every_gate(run, tmp_path):
    write(run.folder)
    build_release([run], tmp_path / "release")
    rows = pl.read_parquet(tmp_path / "release/data/compatibility.parquet")
    assert rows.select("behaviour", "label", "value").rows() == [
        ("names/empty", "hs156", "InvalidStateError"),
        ("exposure/where", "hs156", "document"),
        ("names/empty", "sp149", "ok"),
    ]
    assert rows["evidence"][0] == '{"detail":"","run":"return 1;"}'
    assert rows["measured_at"][0] == WHEN
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    assert manifest.compatibility is not None
    assert manifest.compatibility.cells == 3
    assert verify_release(tmp_path / "release", OptOut()) == []


def test_a_release_without_a_matrix_has_an_empty_table(run, tmp_path):
    build_release([run], tmp_path / "release")
    assert pl.read_parquet(tmp_path / "release/data/compatibility.parquet").height == 0
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    assert manifest.compatibility is None


def test_the_matrix_of_another_folder_is_named(run, tmp_path):
    write(tmp_path / "matrix", [cell()])
    build_release([run], tmp_path / "release", compatibility=tmp_path / "matrix")
    assert pl.read_parquet(tmp_path / "release/data/compatibility.parquet").height == 1
    with pytest.raises(CensusError, match=r"has no compatibility\.jsonl"):
        build_release([run], tmp_path / "release", compatibility=tmp_path)


def test_two_runs_with_a_matrix_each_are_no_answer(run, tmp_path):
    other = Run(make_run(tmp_path / "other", [captured("https://other.example/")]))
    write(run.folder)
    write(other.folder, [cell()])
    with pytest.raises(CensusError, match="have a compatibility matrix each; name one with --compatibility"):
        build_release([run, other], tmp_path / "release")
    build_release([run, other], tmp_path / "release", compatibility=other.folder)
    assert pl.read_parquet(tmp_path / "release/data/compatibility.parquet").height == 1


def test_a_cell_twice_is_a_violation(run, tmp_path):
    write(run.folder, [cell(), cell(value="ok")])
    build_release([run], tmp_path / "release")
    (violation,) = verify_release(tmp_path / "release", OptOut())
    assert "`compatibility` has 1 rows too many with one (behaviour, label)" in str(violation)
