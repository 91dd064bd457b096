"""`publish` as a user has it: the gates come first, exit codes say how it ended, and nothing secret is said."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import webmcp_census
from census.checksums import write_checksums
from census.errors import CensusError
from census.opened_release import open_release
from census.release import build_release
from census.run import Run
from publish.payload import read_payload
from tests.census.factories import captured, control, make_run, tool
from tests.census.releases import release_of
from tests.publish.fake_hub import TOKEN
from tests.publish.payloads import bytes_of, small_release
from tests.publish.shelves import DirectoryShelf, HubShelf, Shelf

VISITS = [
    captured("https://keep.com/", tools=[tool("a")]),
    captured("https://gone.com/", tools=[tool("b")]),
    captured("https://plain.com/"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_of(tmp_path_factory.mktemp("published"), VISITS).folder


@pytest.fixture(autouse=True)
def no_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def publish(*arguments: object) -> Result:
    return CliRunner().invoke(webmcp_census.cli, ["publish", *map(str, arguments)], standalone_mode=False)


def test_a_release_is_published_once_and_then_it_is_there(folder: Path, shelf: Shelf) -> None:
    first = publish(folder, "--to", shelf.to, "--json")
    assert first.return_value == 0, first.output
    assert json.loads(first.stdout)["status"] == "published"
    assert shelf.version("2026.11.0") == bytes_of(folder)
    again = publish(folder, "--to", shelf.to)
    assert again.return_value == 0
    assert "2026.11.0 was published already" in again.stdout
    assert "0 sent" in again.stdout


def test_without_a_list_of_opted_out_sites_it_says_so(folder: Path, directory: DirectoryShelf) -> None:
    assert "no opt-out list" in publish(folder, "--to", directory.to).stderr


def test_a_dry_run_says_what_would_be_and_makes_nothing(folder: Path, directory: DirectoryShelf) -> None:
    said = publish(folder, "--to", directory.to, "--dry-run")
    assert said.return_value == 0
    assert "2026.11.0 would be published" in said.stdout
    assert not directory.folder.exists()


def test_a_site_that_opted_out_since_keeps_it_in_the_house(
    folder: Path, directory: DirectoryShelf, tmp_path: Path
) -> None:
    (tmp_path / "optout.txt").write_text("gone.com 2026-11-30 owner\n")
    said = publish(folder, "--to", directory.to, "--opt-out", "optout.txt")
    assert said.return_value == 1
    assert "opt-out: `pages.target_url` names a site of the opt-out list" in said.stdout
    assert f"webmcp-census optout apply {folder} --out NEXT" in said.stderr
    assert not directory.folder.exists()

    way_out = ["optout", "apply", str(folder), "--out", "next", "--opt-out", "optout.txt"]
    assert CliRunner().invoke(webmcp_census.cli, way_out, standalone_mode=False).exception is None
    assert publish("next", "--to", directory.to, "--opt-out", "optout.txt").return_value == 0
    assert directory.latest() == "2026.11.1"
    assert b"gone.com" not in b"".join((directory.version("2026.11.1") or {}).values())


@pytest.mark.parametrize("sample", [(), ("--sample",)], ids=["plain", "sample"])
def test_a_file_that_was_changed_keeps_it_in_the_house(
    directory: DirectoryShelf, tmp_path: Path, sample: tuple[str, ...]
) -> None:
    folder = release_of(tmp_path / "changed", VISITS).folder
    (folder / "data" / "tools.parquet").write_bytes((folder / "data" / "frames.parquet").read_bytes())
    said = publish(folder, "--to", directory.to, *sample, "--json")
    assert said.return_value == 1
    assert "checksum" in {each["rule"] for each in json.loads(said.stdout)["violations"]}
    assert not directory.folder.exists()


def test_a_number_that_is_not_so_keeps_it_in_the_house(directory: DirectoryShelf, tmp_path: Path) -> None:
    folder = release_of(tmp_path / "changed", VISITS).folder
    (folder / "summary.json").write_text((folder / "summary.json").read_text().replace('"k": 2', '"k": 3', 1))
    write_checksums(folder)
    said = publish(folder, "--to", directory.to)
    assert said.return_value == 1
    assert "numbers: " in said.stdout
    assert not directory.folder.exists()


def test_a_partial_release_stays_in_the_house(directory: DirectoryShelf, tmp_path: Path) -> None:
    run = Run(make_run(tmp_path / "run", VISITS, [control()], unfinished=["https://later.com/"]))
    build_release([run], tmp_path / "release", partial=True)
    said = publish(tmp_path / "release", "--to", directory.to)
    assert said.return_value == 1
    assert "partial: targets are unfinished" in said.stdout
    assert not directory.folder.exists()


def test_other_bytes_of_the_version_cannot_be_published(
    folder: Path, directory: DirectoryShelf, tmp_path: Path
) -> None:
    publish(folder, "--to", directory.to)
    other = release_of(tmp_path / "other", VISITS[:2]).folder
    said = publish(other, "--to", directory.to)
    assert isinstance(said.exception, CensusError)
    assert "is published with other bytes" in str(said.exception)
    # The same release with its sample is other bytes too.
    assert "with other bytes" in str(publish(folder, "--to", directory.to, "--sample").exception)
    assert directory.version("2026.11.0") == bytes_of(folder)


def test_with_its_sample_it_is_a_release_too(folder: Path, directory: DirectoryShelf) -> None:
    for status in ("published", "already_published"):
        said = publish(folder, "--to", directory.to, "--sample", "--json")
        assert json.loads(said.stdout)["status"] == status
    published = open_release(directory.folder / "2026.11.0")
    assert published.manifest.sample is not None
    assert not [path for path in folder.parent.iterdir() if path.name.startswith(".")]


def test_a_folder_that_is_no_release_is_said(directory: DirectoryShelf, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    for sample in ((), ("--sample",)):
        said = publish("nothing", "--to", directory.to, *sample)
        assert isinstance(said.exception, CensusError)
        assert "build the release again" in str(said.exception)


def test_the_token_is_in_nothing_that_is_printed(folder: Path, hub_shelf: HubShelf) -> None:
    hub_shelf.proxy.rule = lambda number, _: 403 if number > 3 else None
    said = publish(folder, "--to", hub_shelf.to)
    assert isinstance(said.exception, CensusError)
    assert TOKEN not in said.output + str(said.exception)


@pytest.mark.parametrize("version", ["../2026.11.0", "2026.11", "2026.11.0/x", ""])
def test_a_version_that_is_none_is_no_folder_to_write_to(tmp_path: Path, version: str) -> None:
    payload = small_release(tmp_path / "a", "2026.11.0")
    manifest = (payload.folder / "manifest.json").read_text().replace('"2026.11.0"', json.dumps(version))
    (payload.folder / "manifest.json").write_text(manifest)
    write_checksums(payload.folder)
    with pytest.raises(CensusError, match=r"is not YYYY\.MM\.N; build the release again"):
        read_payload(payload.folder)
