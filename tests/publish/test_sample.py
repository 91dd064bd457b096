"""The sample: drawn by a stated rule, the same every time, with every row that belongs to its pages."""

import hashlib
from pathlib import Path

import polars as pl
import pytest
import yaml

from census.checksums import write_checksums, wrong_files
from census.columns import TABLES
from census.errors import CensusError
from census.hotfix import apply_opt_out
from census.manifest import read_manifest
from census.opened_release import Release, open_release
from census.optout import OptOut
from census.sample import draw_sample
from census.sampled_release import write_with_sample
from census.verification import verify_release
from tests.census.factories import captured, tool
from tests.census.releases import release_of
from tests.publish.payloads import bytes_of

NOBODY = OptOut()
VISITS = [captured(f"https://site-{number}.com/", tools=[tool("search"), tool("pay")]) for number in range(12)]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return release_of(tmp_path_factory.mktemp("sampled"), VISITS)


@pytest.fixture
def five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("census.sample.SAMPLE_PAGES", 5)


@pytest.fixture
def sampled(release: Release, five: None, tmp_path: Path) -> Path:
    write_with_sample(release.folder, tmp_path / "out")
    return tmp_path / "out"


def by_hand(keys: list[str], number: int) -> set[str]:
    """The rule as the card says it: the least SHA-256 of the word, a line end and the key."""
    return set(
        sorted(keys, key=lambda key: hashlib.sha256(b"webmcp-census sample 1\n" + key.encode()).digest())[:number]
    )


def test_the_pages_are_those_that_the_card_says(release: Release, sampled: Path) -> None:
    pages = pl.read_parquet(sampled / "sample" / "pages.parquet")
    assert set(pages["target_key"]) == by_hand(release.tables["pages"]["target_key"].to_list(), 5)
    card = (sampled / "README.md").read_text()
    assert "a simple random sample of 5 of the 12 pages" in card
    assert "least SHA-256 of `webmcp-census sample 1`, a line end and `target_key`" in card


def test_every_row_of_a_page_in_the_sample_is_in_it_and_no_other(release: Release, sampled: Path) -> None:
    drawn = set(pl.read_parquet(sampled / "sample" / "pages.parquet")["visit_id"])
    for name, table in release.tables.items():
        there = pl.read_parquet(sampled / "sample" / f"{name}.parquet")
        assert there.schema == table.schema
        if "visit_id" in table.columns:
            assert there.equals(table.filter(pl.col("visit_id").is_in(drawn)))
    assert pl.read_parquet(sampled / "sample" / "tools.parquet").height == 10
    assert pl.read_parquet(sampled / "sample" / "controls.parquet").equals(release.tables["controls"])


def test_a_release_of_fewer_pages_is_its_own_sample(release: Release) -> None:
    drawn = draw_sample(release.tables)
    assert all(drawn[name].equals(table) for name, table in release.tables.items())


def test_the_next_release_has_the_same_pages_in_its_sample_where_they_are_still_there(
    release: Release, five: None
) -> None:
    gone = release.tables["pages"].filter(pl.col("target_key") != release.tables["pages"]["target_key"][0])
    before = set(draw_sample(release.tables)["pages"]["target_key"])
    after = set(draw_sample({**release.tables, "pages": gone})["pages"]["target_key"])
    assert len(before & after) >= 4


def test_it_has_a_config_for_each_table_and_the_rest_is_as_it_was(release: Release, sampled: Path) -> None:
    header = yaml.safe_load((sampled / "README.md").read_text().split("---")[1])
    files = {config["config_name"]: config["data_files"] for config in header["configs"]}
    assert files == {table: f"data/{table}.parquet" for table in TABLES} | {
        f"sample_{table}": f"sample/{table}.parquet" for table in TABLES
    }
    assert [config["config_name"] for config in header["configs"] if config.get("default")] == ["pages"]
    before, after = bytes_of(release.folder), bytes_of(sampled)
    changed = {"README.md", "manifest.json", "SHA256SUMS"}
    assert {path: content for path, content in after.items() if path in before and path not in changed} == {
        path: content for path, content in before.items() if path not in changed
    }
    assert {path for path in after if path not in before} == {f"sample/{table}.parquet" for table in TABLES}


def test_the_same_release_gives_the_same_bytes(release: Release, sampled: Path, tmp_path: Path) -> None:
    write_with_sample(release.folder, tmp_path / "again")
    assert bytes_of(tmp_path / "again") == bytes_of(sampled)


def test_it_passes_the_gates_and_the_manifest_has_its_files(sampled: Path) -> None:
    assert verify_release(sampled, NOBODY) == []
    assert wrong_files(sampled) == []
    manifest = read_manifest(sampled)
    assert manifest is not None
    assert manifest.sample is not None
    assert (manifest.sample.pages, manifest.sample.of) == (5, 12)
    assert {file.path: file.rows for file in manifest.files}["sample/pages.parquet"] == 5


@pytest.mark.parametrize("change", ["another page", "a missing file"])
def test_a_sample_that_the_rule_does_not_draw_is_found(release: Release, sampled: Path, change: str) -> None:
    if change == "another page":
        release.tables["pages"].head(5).write_parquet(sampled / "sample" / "pages.parquet")
    else:
        (sampled / "sample" / "tools.parquet").unlink()
    write_checksums(sampled)
    assert {violation.rule for violation in verify_release(sampled, NOBODY)} == {"sample"}


def test_a_sample_is_made_once(sampled: Path, tmp_path: Path) -> None:
    with pytest.raises(CensusError, match="holds its sample already"):
        write_with_sample(sampled, tmp_path / "again")


def test_a_hotfix_of_a_release_with_a_sample_has_none(sampled: Path, tmp_path: Path) -> None:
    apply_opt_out(open_release(sampled), OptOut(frozenset({"site-1.com"})), tmp_path / "hotfix")
    assert verify_release(tmp_path / "hotfix", NOBODY) == []
    assert not (tmp_path / "hotfix" / "sample").exists()
    assert "sample_pages" not in (tmp_path / "hotfix" / "README.md").read_text()
