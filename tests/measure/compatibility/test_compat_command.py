"""`compat` from the shell: asks, writes, judges; a second run asks nothing again."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from census.compatibility import read_compatibility
from crawler.browser import find_browser, identify
from measure.compatibility.matrix import Matrix
from measure.compatibility.published import read_published
from measure.compatibility.publishing import publishable
from tests.measure.compatibility.matrices import behaviour, build, cell

ROOT = Path(__file__).parents[3]
WHERE = "exposure/where"


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def compat(*arguments: str, cwd: Path = ROOT) -> Ended:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "webmcp_census.py"), "compat", *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    return Ended(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture(scope="module")
def browser() -> str:
    return f"here={find_browser()}"


def expectations(path: Path, value: str) -> str:
    major = int(identify(find_browser()).build.partition(".")[0])
    path.write_text(json.dumps({"engine": "chromium", "major": major, "values": {WHERE: value}}))
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, browser: str) -> Path:
    """A run that asked one question of the installed browser."""
    out = tmp_path_factory.mktemp("run")
    good = expectations(tmp_path_factory.mktemp("expected") / "expected.json", "document")
    ended = compat("--browser", browser, "--only", WHERE, "--out", str(out), "--expected", good)
    assert ended.code == 0, ended
    assert "1 of 1 questions to ask" in ended.err
    return out


def test_a_run_writes_the_cell_with_its_evidence_the_matrix_and_the_rows_for_build(folder):
    cell = json.loads((folder / "cells/here/exposure/where.json").read_text())
    assert cell["value"] == "document"
    assert "modelContext" in cell["run"]
    assert "exposure/where" in (folder / "compatibility.md").read_text()
    assert (folder / "compatibility.html").read_text().startswith("<!doctype html>")
    assert read_published(folder / "matrix.json").value(WHERE, "here") == "document"
    rows = read_compatibility(folder)
    assert rows is not None
    assert [(row.behaviour, row.label, row.value) for row in rows.cells] == [(WHERE, "here", "document")]


def test_a_run_goes_on_where_it_was_and_an_unexpected_answer_is_named(folder, browser, tmp_path):
    wrong = expectations(tmp_path / "expected.json", "navigator")
    ended = compat("--browser", browser, "--only", WHERE, "--out", str(folder), "--expected", wrong)
    assert ended.code == 1
    assert "0 of 1 questions to ask" in ended.err
    assert "unexpected: exposure/where on here: 'document', not 'navigator'" in ended.out


def test_a_published_cell_that_moved_without_a_correction_fails(folder, browser, tmp_path):
    of, on = behaviour(WHERE), build("here", identify(find_browser()).build)
    published = tmp_path / "matrix.json"
    published.write_text(publishable(Matrix([on], [of], {(WHERE, "here"): cell(of, on, "navigator")})))
    good = expectations(tmp_path / "expected.json", "document")
    arguments = ("--browser", browser, "--only", WHERE, "--out", str(folder), "--expected", good)
    ended = compat(*arguments, "--published", str(published), "--json")
    assert ended.code == 1
    (wrong,) = json.loads(ended.out)["wrong"]
    assert "was published as 'navigator'" in wrong
    correction = {
        "behaviour": WHERE, "build": "here", "version": on.version, "was": "navigator", "now": "document",
        "on": "2026-12-01", "why": "It asked the wrong object.",
    }  # fmt: skip
    corrections = tmp_path / "corrections.json"
    corrections.write_text(json.dumps({"corrections": [correction]}))
    ended = compat(*arguments, "--published", str(published), "--corrections", str(corrections))
    assert ended.code == 0, ended
    assert "It asked the wrong object." in (folder / "compatibility.md").read_text()


def test_a_browser_that_does_not_answer_is_2(tmp_path):
    broken = tmp_path / "chromium"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Chromium 99.0.1.2\n')
    broken.chmod(0o755)
    ended = compat("--browser", str(broken), "--only", WHERE, "--out", str(tmp_path / "run"))
    assert ended.code == 2
    assert "not asked: exposure/where on cr99" in ended.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "name browsers with --browser, or ask every fetched one with --all"),
        (("--all", "--browser", "x"), "name browsers with --browser, or ask every fetched one with --all"),
        (("--browser", "/nowhere/chrome"), "no browser at /nowhere/chrome"),
        (("--all", "--only", "exposure/nothing"), "no behaviour or topic is called exposure/nothing"),
        (("--all", "--cache", "empty"), "`webmcp-census browsers fetch` brings them"),
    ],
)
def test_what_cannot_be_asked_is_said_with_the_way_out(tmp_path, arguments, word):
    (tmp_path / "empty").mkdir()
    arguments = tuple(str(tmp_path / "empty") if each == "empty" else each for each in arguments)
    ended = compat(*arguments, "--out", str(tmp_path / "run"))
    assert (ended.code, word in ended.err) == (2, True), ended
