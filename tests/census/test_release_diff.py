from pathlib import Path

import pytest

from census.opened_release import Release
from census.release_diff import ReleaseDiff, diff_releases, made_differently
from census.vocabulary import Outcome
from tests.census.factories import captured, failed, item, tool, top
from tests.census.releases import DOWN, GONE, GROWN, LOST, NEW, SHOP, before_and_after, release_of


def keys(*urls: str) -> list[str]:
    return [url.rstrip("/") for url in urls]


def compare(old: Release, new: Release) -> ReleaseDiff:
    return diff_releases((old.manifest, old.tables), (new.manifest, new.tables))


@pytest.fixture(scope="module")
def diff(tmp_path_factory: pytest.TempPathFactory) -> ReleaseDiff:
    return compare(*before_and_after(tmp_path_factory.mktemp("releases")))


def test_pages_come_and_go(diff: ReleaseDiff) -> None:
    assert diff.pages_added["target_key"].to_list() == keys(NEW)
    assert diff.pages_removed["target_key"].to_list() == keys(GONE)


def test_a_changed_page_says_in_what(diff: ReleaseDiff) -> None:
    changed = dict(diff.pages_changed.iter_rows())
    assert changed == {
        keys(DOWN)[0]: ["outcome", "unmeasured", "final_url", "api", "old_api", "tools_callable"],
        keys(GROWN)[0]: ["tools_callable"],
        keys(LOST)[0]: ["tools_callable"],
    }


def test_tools_are_compared_on_pages_that_both_measured(diff: ReleaseDiff) -> None:
    (shop, grown, lost) = keys(SHOP, GROWN, LOST)
    assert diff.tools_added.rows() == [(grown, "top", "c"), (grown, "top", "d")]
    assert diff.tools_removed.rows() == [(lost, "top", "a")]
    assert diff.tools_renamed.rows() == [(shop, "top", "old_name", "top", "new_name")]
    assert diff.tools_changed.rows() == [(shop, "top", "pay", ["description"])]


def test_adoption_is_like_for_like(diff: ReleaseDiff) -> None:
    # shop kept its tools, plain has none, grown gained, lost lost; down was not measured again; gone, new: in one only.
    adoption = diff.adoption
    assert (adoption.both, adoption.gained, adoption.lost, adoption.neither) == (1, 1, 1, 1)
    assert (diff.measured_before, diff.measured_after) == (6, 5)


def test_a_release_beside_itself_is_no_change(tmp_path: Path) -> None:
    release = release_of(
        tmp_path / "one", [captured(SHOP, tools=[tool("a"), tool("b")]), failed(DOWN, Outcome.TIMEOUT)]
    )
    same = compare(release, release)
    assert {name: table.height for name, table in same.tables().items()} == dict.fromkeys(same.tables(), 0)
    assert same.made_differently == ()


def test_one_content_in_two_tools_is_no_rename(tmp_path: Path) -> None:
    old = release_of(tmp_path / "old", [captured(SHOP, tools=[tool("a"), tool("b")])])
    new = release_of(tmp_path / "new", [captured(SHOP, tools=[tool("c"), tool("d")])])
    diff = compare(old, new)
    assert diff.tools_renamed.height == 0
    assert (diff.tools_added["name"].to_list(), diff.tools_removed["name"].to_list()) == (["c", "d"], ["a", "b"])


def test_a_tool_that_only_a_list_has_is_none(tmp_path: Path) -> None:
    old = release_of(tmp_path / "old", [captured(SHOP)])
    new = release_of(tmp_path / "new", [captured(SHOP, documents=[top(item("dead"))])])
    assert compare(old, new).tools_added.height == 0


def test_what_was_made_differently_is_said(tmp_path: Path) -> None:
    one = release_of(tmp_path / "one", [captured(SHOP)])
    manifest = one.manifest
    run = manifest.runs[0].model_copy(update={"code_version": "0.2.0"})
    other = manifest.model_copy(
        update={
            "schema_version": "2.0.0",
            "runs": (run,),
            "settings": manifest.settings | {"quiet_ms": 800},
            "builds": (manifest.builds[0].model_copy(update={"build": "157.0.1.2"}),),
            "partial": True,
            "unfinished": 3,
        }
    )
    assert made_differently(manifest, other) == (
        "Schema 1.3.0 before, 2.0.0 after.",
        "Crawler: 0.1.0 before, 0.2.0 after.",
        "Browser: Chromium 156.0.8078.114 (shell) before, Chromium 157.0.1.2 (shell) after.",
        "Setting quiet_ms: 1500 before, 800 after.",
        "The release after is partial: 3 targets have no final outcome.",
    )
