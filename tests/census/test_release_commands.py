import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from census.opened_release import open_release
from census.vocabulary import Outcome
from tests.census.factories import captured, failed, tool
from tests.census.releases import release_of

VISITS = [
    captured("https://keep.com/", tools=[tool("a")]),
    captured("https://gone.com/", tools=[tool("secret_tool")]),
    failed("https://asked.com/", Outcome.OPTED_OUT),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return release_of(tmp_path, VISITS).folder


def command(*arguments: object) -> tuple[int, str, str]:
    ended = subprocess.run(
        [sys.executable, "-m", "webmcp_census", *map(str, arguments)], capture_output=True, text=True, timeout=120
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_verify_exits_with_0_1_or_2(folder: Path, tmp_path: Path) -> None:
    code, out, _ = command("release", "verify", folder)
    assert (code, "holds" in out) == (0, True)
    (folder / "report.md").write_text("nothing")
    code, out, _ = command("release", "verify", folder, "--json")
    assert code == 1
    assert {each["rule"] for each in json.loads(out)} == {"checksum", "pages-written"}
    code, out, err = command("release", "verify", tmp_path)
    assert (code, out) == (2, "")
    assert "SHA256SUMS cannot be read" in err


def test_a_hotfix_is_the_release_without_the_site(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "optout.txt").write_text("gone.com 2026-11-30 owner\n")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert command("release", "verify", folder, "--opt-out", tmp_path / "optout.txt")[0] == 1

    out = tmp_path / "hotfix"
    code, said, _ = command("optout", "apply", folder, "--out", out, "--opt-out", tmp_path / "optout.txt")
    assert (code, said) == (0, f"2026.11.1 without 1 targets of sites that opted out: {out}\n")
    hotfix = open_release(out)
    assert hotfix.manifest.release_version == "2026.11.1"
    assert hotfix.manifest.outcomes == {"captured": 1, "opted_out": 2}
    assert hotfix.manifest.targets == 3
    assert hotfix.tables["pages"]["target_url"].to_list() == ["https://keep.com/"]
    contents = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert b"gone.com" not in contents
    assert b"secret_tool" not in contents
    assert command("release", "verify", out, "--opt-out", tmp_path / "optout.txt")[0] == 0
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_rest_of_a_hotfix_is_as_it_was(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "optout.txt").write_text("gone.com 2026-11-30 owner\n")
    command("optout", "apply", folder, "--out", tmp_path / "hotfix", "--opt-out", tmp_path / "optout.txt")
    old, new = open_release(folder), open_release(tmp_path / "hotfix")
    for name, table in old.tables.items():
        kept = table.filter(pl.col("site") == "keep.com") if "site" in table.columns else table
        assert new.tables[name].equals(kept), name
    assert (
        (tmp_path / "hotfix" / "CHANGES.md").read_text().startswith("# Changes in 2026.11.1\n\nA hotfix of 2026.11.0")
    )


@pytest.mark.parametrize(
    ("site", "out", "said"),
    [
        ("other.com", "hotfix", "there is nothing to take out"),
        ("gone.com", "release", "is the release itself"),
        ("gone.com", "run", "is not empty and is no release"),
    ],
)
def test_a_hotfix_that_cannot_be_made_is_refused(site: str, out: str, said: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "optout.txt").write_text(f"{site} 2026-11-30 owner\n")
    code, _, err = command("optout", "apply", folder, "--out", tmp_path / out, "--opt-out", tmp_path / "optout.txt")
    assert code == 2
    assert said in err
