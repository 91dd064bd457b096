"""Sixteen publishers at once, each a process of its own: one wins, the others are told, and what is there is whole."""

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from publish.publication import Status, VersionTakenError
from tests.publish.payloads import NEW, OLD, bytes_of, small_release
from tests.publish.shelves import DirectoryShelf, HubShelf, S3Shelf, Shelf

PUBLISHERS = 16
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.publish.racer"])


def race(shelf: DirectoryShelf | S3Shelf | HubShelf, folders: list[Path]) -> list[tuple[str, str]]:
    """Publish all the folders at one moment; returns the folder's name and how it ended, for each."""
    from tests.publish.racer import publish_at_once

    barrier = _CONTEXT.Barrier(len(folders))
    answers = _CONTEXT.SimpleQueue()
    environment = {name: os.environ[name] for name in os.environ if name.startswith(("AWS_", "HF_"))}
    to = shelf.to if not isinstance(shelf, S3Shelf) else f"s3://{shelf.bucket}/{shelf.prefix}"
    if isinstance(shelf, DirectoryShelf):
        to = f"dir:{shelf.folder}"
    processes = [
        _CONTEXT.Process(target=publish_at_once, args=(to, folder, environment, barrier, answers), daemon=True)
        for folder in folders
    ]
    for process in processes:
        process.start()
    endings = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    return endings


def others_race(shelf: Shelf, tmp_path: Path, next_shelf: Callable[[int], None], rounds: int) -> None:
    folders = [tmp_path / f"r{number}" for number in range(PUBLISHERS)]
    for number, folder in enumerate(folders):
        small_release(folder, NEW, f"bytes of {number}")
    old = small_release(tmp_path / "old", OLD)
    for each in range(rounds):
        next_shelf(each)
        shelf.place().publish(old)
        endings = race(shelf, folders)  # type: ignore[arg-type]
        said = Counter(ending for _, ending in endings)
        assert said == {Status.PUBLISHED: 1, VersionTakenError.__name__: PUBLISHERS - 1}, endings
        (winner,) = [name for name, ending in endings if ending == Status.PUBLISHED]
        assert shelf.version(NEW) == bytes_of(tmp_path / winner)
        assert shelf.version(OLD) == bytes_of(old.folder)
        assert shelf.latest() == NEW


def anew(shelf: Shelf) -> Callable[[int], None]:
    """Begin with an empty place."""

    def next_shelf(number: int) -> None:
        if isinstance(shelf, HubShelf):
            shelf.hub.repositories.clear()
        elif isinstance(shelf, S3Shelf):
            shelf.prefix = f"{shelf.prefix.split('-')[0]}-{number}"
        elif isinstance(shelf, DirectoryShelf):
            shelf.folder = shelf.folder.with_name(f"published-{number}")

    return next_shelf


def test_of_sixteen_publishers_with_different_bytes_one_wins(shelf: Shelf, tmp_path: Path) -> None:
    others_race(shelf, tmp_path, anew(shelf), rounds=2)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_one_wins_twenty_times_of_twenty(shelf: Shelf, tmp_path: Path) -> None:
    others_race(shelf, tmp_path, anew(shelf), rounds=20)


def test_of_sixteen_publishers_with_the_same_bytes_one_publishes_and_all_are_content(
    shelf: Shelf, tmp_path: Path
) -> None:
    payload = small_release(tmp_path / "one", NEW)
    endings = race(shelf, [payload.folder] * PUBLISHERS)  # type: ignore[arg-type]
    said = Counter(ending for _, ending in endings)
    assert said == {Status.PUBLISHED: 1, Status.ALREADY_PUBLISHED: PUBLISHERS - 1}, endings
    assert shelf.version(NEW) == bytes_of(payload.folder)
    assert shelf.latest() == NEW


def test_of_different_versions_all_are_published_and_the_greatest_is_the_latest(shelf: Shelf, tmp_path: Path) -> None:
    versions = [f"2026.{month:02}.0" for month in range(1, 9)]
    payloads = [small_release(tmp_path / version, version) for version in versions]
    endings = race(shelf, [payload.folder for payload in payloads])  # type: ignore[arg-type]
    assert {ending for _, ending in endings} == {Status.PUBLISHED}, endings
    for payload in payloads:
        assert shelf.version(payload.release_version) == bytes_of(payload.folder)
    assert shelf.latest() == "2026.08.0"
