"""What holds at every place: a version is there whole, once, and never changes; the latest one only goes forward."""

from pathlib import Path

import pytest

from census.errors import CensusError
from publish.places.place import check_place, open_place
from publish.publication import Status, VersionTakenError
from tests.publish.payloads import NEW, OLD, bytes_of, sign_again, small_release
from tests.publish.shelves import Shelf


def test_a_version_is_there_as_it_is_in_the_folder_and_is_the_latest(shelf: Shelf, tmp_path: Path) -> None:
    payload = small_release(tmp_path / "a", OLD)
    done = shelf.place().publish(payload)
    assert (done.status, done.release_version, done.latest) == (Status.PUBLISHED, OLD, OLD)
    assert (done.files, done.sent) == (5, 5)
    assert done.bytes == sum(map(len, bytes_of(tmp_path / "a").values()))
    assert shelf.version(OLD) == bytes_of(tmp_path / "a")
    assert shelf.latest() == OLD


def test_the_same_bytes_again_are_there_already(shelf: Shelf, tmp_path: Path) -> None:
    shelf.place().publish(small_release(tmp_path / "a", OLD))
    again = shelf.place().publish(small_release(tmp_path / "b", OLD))
    assert (again.status, again.sent, again.latest) == (Status.ALREADY_PUBLISHED, 0, OLD)
    assert shelf.version(OLD) == bytes_of(tmp_path / "a")


@pytest.mark.parametrize("change", ["other content", "a file more", "a file less"])
def test_a_version_with_other_bytes_is_refused_and_stays_as_it_is(shelf: Shelf, tmp_path: Path, change: str) -> None:
    shelf.place().publish(small_release(tmp_path / "a", OLD))
    other = tmp_path / "b"
    payload = small_release(other, OLD, "second" if change == "other content" else "first")
    if change == "a file more":
        (other / "extra.md").write_text("x")
        payload = sign_again(other)
    if change == "a file less":
        (other / "data" / "tools.parquet").unlink()
        payload = sign_again(other)
    with pytest.raises(
        VersionTakenError, match=r"2026.10.0 is published with other bytes than these. .*--release-version"
    ):
        shelf.place().publish(payload)
    with pytest.raises(VersionTakenError):
        shelf.place().plan(payload)
    assert shelf.version(OLD) == bytes_of(tmp_path / "a")
    assert shelf.latest() == OLD


def test_a_later_version_stands_beside_the_older_one(shelf: Shelf, tmp_path: Path) -> None:
    shelf.place().publish(small_release(tmp_path / "a", OLD))
    done = shelf.place().publish(small_release(tmp_path / "b", NEW, "second"))
    assert (done.status, done.latest) == (Status.PUBLISHED, NEW)
    assert shelf.version(OLD) == bytes_of(tmp_path / "a")
    assert shelf.version(NEW) == bytes_of(tmp_path / "b")
    assert shelf.latest() == NEW


def test_a_file_that_a_later_version_does_not_have_is_not_in_it(shelf: Shelf, tmp_path: Path) -> None:
    small_release(tmp_path / "a", OLD)
    (tmp_path / "a" / "old.md").write_text("only here")
    shelf.place().publish(sign_again(tmp_path / "a"))
    shelf.place().publish(small_release(tmp_path / "b", NEW))
    assert shelf.version(NEW) == bytes_of(tmp_path / "b")
    assert "old.md" in (shelf.version(OLD) or {})


def test_a_hotfix_of_an_older_month_does_not_become_the_latest(shelf: Shelf, tmp_path: Path) -> None:
    shelf.place().publish(small_release(tmp_path / "a", OLD))
    shelf.place().publish(small_release(tmp_path / "b", NEW))
    done = shelf.place().publish(small_release(tmp_path / "c", "2026.10.1", "without a site"))
    assert (done.status, done.latest) == (Status.PUBLISHED, NEW)
    assert shelf.version("2026.10.1") == bytes_of(tmp_path / "c")
    assert shelf.latest() == NEW
    assert shelf.place().publish(small_release(tmp_path / "d", "2026.10.1", "without a site")).sent == 0


def test_versions_are_compared_by_number_and_not_as_text(shelf: Shelf, tmp_path: Path) -> None:
    shelf.place().publish(small_release(tmp_path / "a", "2026.10.9"))
    assert shelf.place().publish(small_release(tmp_path / "b", "2026.10.10")).latest == "2026.10.10"
    assert shelf.place().publish(small_release(tmp_path / "c", "2026.09.11")).latest == "2026.10.10"


def test_a_plan_changes_nothing(shelf: Shelf, tmp_path: Path) -> None:
    payload = small_release(tmp_path / "a", OLD)
    plan = shelf.place().plan(payload)
    assert (plan.status, plan.sent, plan.latest) == (Status.WOULD_PUBLISH, 5, None)
    assert shelf.version(OLD) is None
    assert shelf.latest() is None
    shelf.place().publish(payload)
    plan = shelf.place().plan(payload)
    assert (plan.status, plan.sent, plan.latest) == (Status.ALREADY_PUBLISHED, 0, OLD)


def test_the_latest_version_is_loaded_back(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.place().fetch_latest(tmp_path / "none") is None
    assert not (tmp_path / "none").exists()
    shelf.place().publish(small_release(tmp_path / "a", OLD))
    shelf.place().publish(small_release(tmp_path / "b", NEW, "second"))
    assert shelf.place().fetch_latest(tmp_path / "back") == NEW
    back = {path: content for path, content in bytes_of(tmp_path / "back").items() if not path.startswith(".")}
    assert back == bytes_of(tmp_path / "b")


def test_a_release_that_changes_while_it_is_sent_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    payload = small_release(tmp_path / "a", OLD)
    # Its length stays, as it does when two builds race.
    (tmp_path / "a" / "data" / "pages.parquet").write_bytes(
        (tmp_path / "a" / "data" / "pages.parquet").read_bytes().replace(b"first", b"xirst")
    )
    with pytest.raises(CensusError):
        shelf.place().publish(payload)
    assert shelf.version(OLD) is None
    assert shelf.latest() is None


@pytest.mark.parametrize(
    "to",
    ["", "dir:", "hf:", "hf:name", "hf:a/b/c", "hf:../x", "ftp://x", "s3://", "s3://key:s3cret@bucket/x", "folder"],
)
def test_what_is_no_place_is_refused_without_being_repeated(to: str) -> None:
    with pytest.raises(CensusError, match="--to: write") as refused:
        check_place(to)
    assert "s3cret" not in str(refused.value)
    with pytest.raises(CensusError):
        open_place(to)
