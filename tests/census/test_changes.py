import json
from pathlib import Path

import pytest

from census.changes import Changes, changes_between, changes_page
from census.optout import OptOut
from census.release_diff import diff_releases
from tests.census.factories import captured, tool
from tests.census.releases import GONE, NEW, before_and_after, release_of


def read(folder: Path) -> Changes:
    return Changes.model_validate_json((folder / "changes.json").read_bytes())


def test_a_first_release_was_compared_with_none(tmp_path: Path) -> None:
    release = release_of(tmp_path / "one", [captured(NEW)])
    assert read(release.folder).previous_version is None
    page = (release.folder / "CHANGES.md").read_text()
    assert page == "# Changes in 2026.11.0\n\nNo earlier release was compared with this one.\n"


def test_the_page_and_its_twin_are_of_one_comparison(tmp_path: Path) -> None:
    before, after = before_and_after(tmp_path)
    changes = read(after.folder)
    assert (changes.previous_version, changes.release_version) == ("2026.10.0", "2026.11.0")
    assert (after.folder / "CHANGES.md").read_text() == changes_page(changes)
    (adoption,) = [rate for rate in changes.rates if rate.id == "adoption"]
    assert (adoption.before.k, adoption.before.n, adoption.after.k, adoption.after.n) == (3, 6, 3, 5)
    assert after.manifest.previous == before.as_previous()


def test_a_page_that_went_because_it_opted_out_is_not_named(tmp_path: Path) -> None:
    _, after = before_and_after(tmp_path, OptOut(frozenset({"gone.com"})))
    assert read(after.folder).counts["pages_removed"] == 0
    contents = b"".join(path.read_bytes() for path in after.folder.rglob("*") if path.is_file())
    assert GONE.encode() not in contents
    assert b"gone.com" not in contents


def test_long_lists_are_cut_and_say_so(tmp_path: Path) -> None:
    old = release_of(tmp_path / "old", [captured(NEW)])
    new = release_of(tmp_path / "new", [captured(f"https://x{i:02}.com/", tools=[tool("a")]) for i in range(30)])
    diff = diff_releases((old.manifest, old.tables), (new.manifest, new.tables))
    changes = changes_between(("2026.10.0", "2026.11.0"), diff, [], limit=25)
    assert (changes.counts["pages_added"], len(changes.lists["pages_added"])) == (30, 25)
    assert changes.lists_cut == ("pages_added",)
    assert "The first 20 of 30." in changes_page(changes)


@pytest.mark.parametrize("name", ["<img src=x>|a", "a\n# b"])
def test_a_hostile_name_is_inert(name: str, tmp_path: Path) -> None:
    old = release_of(tmp_path / "old", [captured(NEW)])
    new = release_of(tmp_path / "new", [captured(NEW, tools=[tool(name)])])
    diff = diff_releases((old.manifest, old.tables), (new.manifest, new.tables))
    changes = changes_between(("2026.10.0", "2026.11.0"), diff, [])
    assert json.loads(changes.model_dump_json())["lists"]["tools_added"][0]["name"] == name
    page = changes_page(changes)
    assert "<img" not in page
    assert "\n# b" not in page
