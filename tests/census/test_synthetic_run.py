"""The benchmark's RUN is what it says it is: otherwise its figures say nothing."""

from pathlib import Path

import polars as pl
import pytest

from benchmarks.synthetic_run import make_run
from census.opened_release import Release, open_release
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.verification import verify_release

PAGES = 600


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("synthetic")
    build_release([Run(make_run(folder / "run", PAGES, seed=7))], folder / "release")
    return open_release(folder / "release")


def test_its_release_holds(release: Release) -> None:
    assert verify_release(release.folder, OptOut()) == []
    assert release.manifest.targets == PAGES


def test_pages_have_two_documents_and_one_in_twenty_has_tools(release: Release) -> None:
    pages = release.tables["pages"]
    captured = pages.filter(outcome="captured")
    assert 0.85 < captured.height / PAGES < 0.95
    assert captured["frames"].unique().to_list() == [2]
    assert 0.02 < captured.filter(pl.col("tools_callable") > 0).height / captured.height < 0.09
    assert release.tables["tools"]["listing"].n_unique() == 2


def test_the_same_seed_gives_the_same_run_and_another_one_another(release: Release, tmp_path: Path) -> None:
    first = Run(release.folder.parent / "run").final_evidence()
    assert Run(make_run(tmp_path / "again", PAGES, seed=7)).final_evidence() == first
    assert Run(make_run(tmp_path / "other", PAGES, seed=8)).final_evidence() != first
