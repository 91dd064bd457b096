"""A directory under kill -9 at every step, and on a disk that is full."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from census.errors import CensusError
from publish.payload import Payload
from publish.places import directory as module
from publish.places.directory import DirectoryPlace
from publish.publication import Status
from tests.publish.payloads import NEW, OLD, bytes_of, small_release
from tests.publish.shelves import DirectoryShelf, assert_whole

# Publishes a folder to a directory, and kills itself at the n-th change of a file or folder below it.
KILLED = """
import os, signal, sys
from pathlib import Path
from publish.payload import read_payload
from publish.places.directory import DirectoryPlace

release, place, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
payload = read_payload(release)

def count(event, arguments):
    global left
    changes = event in {"os.mkdir", "os.rename", "os.rmdir", "os.remove"} or (event == "open" and arguments[1] == "wb")
    if changes and str(arguments[0]).startswith(str(place)):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count)
DirectoryPlace(place).publish(payload)
"""


def publish_and_kill(release: Path, place: Path, after: int) -> int:
    """Returns 0 when it ended by itself."""
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(release), str(place), str(after)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr
    return ended.returncode


def assert_old_or_new(shelf: DirectoryShelf, old: Payload, new: Payload) -> None:
    there = shelf.version(NEW)
    assert there in (None, bytes_of(new.folder))
    assert shelf.version(OLD) == bytes_of(old.folder)
    assert shelf.latest() in ((OLD, NEW) if there else (OLD,))


def moments(directory: DirectoryShelf, old: Payload, new: Payload, every: int) -> int:
    """Kill a publisher at every n-th step and let the next one go on; returns at how many."""
    killed = 0
    for after in range(0, 200, every):
        directory.folder = directory.folder.with_name(f"at-{after}")
        directory.place().publish(old)
        if publish_and_kill(new.folder, directory.folder, after) == 0:
            break
        killed += 1
        assert_old_or_new(directory, old, new)
        assert directory.place().publish(new).latest == NEW
        assert directory.version(NEW) == bytes_of(new.folder)
        assert directory.latest() == NEW
        assert not list(directory.folder.glob(".*.draft"))
    return killed


def test_a_publisher_that_is_killed_leaves_the_old_version_or_the_new_one(
    directory: DirectoryShelf, tmp_path: Path
) -> None:
    assert moments(directory, small_release(tmp_path / "o", OLD), small_release(tmp_path / "n", NEW), every=3) >= 3


@pytest.mark.long
def test_a_publisher_may_be_killed_at_any_step(directory: DirectoryShelf, tmp_path: Path) -> None:
    assert moments(directory, small_release(tmp_path / "o", OLD), small_release(tmp_path / "n", NEW), every=1) >= 9


def test_what_a_killed_publisher_copied_is_not_copied_again(directory: DirectoryShelf, tmp_path: Path) -> None:
    new = small_release(tmp_path / "n", NEW)
    directory.folder.mkdir()
    # The draft's folder, its sub-folder and three of five files.
    assert publish_and_kill(new.folder, directory.folder, 5) != 0
    assert directory.latest() is None
    done = directory.place().publish(new)
    assert done.status is Status.PUBLISHED
    assert done.sent < done.files
    assert directory.version(NEW) == bytes_of(new.folder)


def test_a_draft_that_was_cut_short_is_not_taken_for_a_file(directory: DirectoryShelf, tmp_path: Path) -> None:
    new = small_release(tmp_path / "n", NEW)
    draft = directory.folder / f".{NEW}.{new.sums.sha256[:16]}.draft"
    (draft / "data").mkdir(parents=True)
    (draft / "data" / "pages.parquet").write_bytes(b"rows of fi")
    directory.place().publish(new)
    assert directory.version(NEW) == bytes_of(new.folder)


def test_drafts_of_others_that_were_killed_are_cleared_away(directory: DirectoryShelf, tmp_path: Path) -> None:
    other, new = small_release(tmp_path / "o", NEW, "other"), small_release(tmp_path / "n", NEW)
    directory.folder.mkdir()
    publish_and_kill(other.folder, directory.folder, 4)
    assert list(directory.folder.glob(".*.draft"))
    directory.place().publish(new)
    assert sorted(path.name for path in directory.folder.iterdir()) == [NEW, "latest.json"]


def test_a_full_disk_leaves_what_was_there(directory: DirectoryShelf, tmp_path: Path) -> None:
    old, new = small_release(tmp_path / "o", OLD), small_release(tmp_path / "n", NEW)
    directory.place().publish(old)
    # Files may not grow over 600 bytes (EFBIG, as ENOSPC on a full disk).
    program = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from publish.payload import read_payload; from publish.places.directory import DirectoryPlace\n"
        "payload = read_payload(Path(sys.argv[1])); signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (600, resource.RLIM_INFINITY))\n"
        "DirectoryPlace(Path(sys.argv[2])).publish(payload)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(new.folder), str(directory.folder)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 1
    assert "cannot be written to: File too large; what is published there is as it was" in ended.stderr
    assert directory.version(NEW) is None
    assert directory.version(OLD) == bytes_of(old.folder)
    assert directory.latest() == OLD
    assert sorted(path.name for path in directory.folder.iterdir()) == [OLD, "latest.json"]
    assert directory.place().publish(new).status is Status.PUBLISHED


def test_a_version_that_comes_between_looking_and_placing_is_not_replaced(
    directory: DirectoryShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = small_release(tmp_path / "a", NEW), small_release(tmp_path / "b", NEW, "other")
    sync = module.sync
    quicker = iter([first])

    def meanwhile(path: Path) -> None:
        sync(path)
        payload = next(quicker, None)
        if payload:
            DirectoryPlace(directory.folder).publish(payload)

    monkeypatch.setattr(module, "sync", meanwhile)
    with pytest.raises(CensusError, match="with other bytes"):
        directory.place().publish(other)
    assert directory.version(NEW) == bytes_of(first.folder)
    assert not list(directory.folder.glob(".*.draft"))


def test_a_damaged_version_is_said_and_not_called_published(directory: DirectoryShelf, tmp_path: Path) -> None:
    payload = small_release(tmp_path / "a", OLD)
    directory.place().publish(payload)
    (directory.folder / OLD / "README.md").write_text("changed")
    with pytest.raises(CensusError, match=r"is damaged: README\.md was changed"):
        directory.place().publish(payload)


def test_a_latest_file_of_somebody_else_is_said(directory: DirectoryShelf, tmp_path: Path) -> None:
    directory.folder.mkdir()
    (directory.folder / "latest.json").write_text('{"release_version": "2026.10.0"}')
    with pytest.raises(CensusError, match="is not what webmcp-census writes"):
        directory.place().publish(small_release(tmp_path / "a", OLD))


def test_every_file_and_folder_is_on_the_disk_before_the_version_is_there(
    directory: DirectoryShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    payload = small_release(tmp_path / "a", OLD)
    synced: list[str] = []
    fsync = os.fsync

    def noting(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        synced.append(f"{'after' if (directory.folder / OLD).exists() else 'before'} {path.name}")
        fsync(descriptor)

    monkeypatch.setattr("os.fsync", noting)
    directory.place().publish(payload)
    before = {each.removeprefix("before ") for each in synced if each.startswith("before ")}
    assert {Path(file.path).name for file in payload.files} <= before
    assert {"data", f".{OLD}.{payload.sums.sha256[:16]}.draft"} <= before
    after = [each for each in synced if each.startswith("after ")]
    assert after == [
        f"after {directory.folder.name}",
        f"after .latest.json.{os.getpid()}.draft",
        f"after {directory.folder.name}",
    ]
    assert_whole(directory.version(OLD) or {})
