"""Fetching: each build on its own, whole and verified in the cache or not there at all."""

from collections.abc import Callable
from pathlib import Path

from census.errors import CensusError
from measure.browsers.build import ListedBuild
from measure.browsers.cache import Cache
from measure.browsers.fetching import Fetched, Status, fetch
from measure.browsers.sources import Gone, Unavailable
from tests.measure.browsers.factory import build, put_executable

Bring = Callable[[ListedBuild, Path, Path], None]


def bringing(version: str = "156.0.1.2", calls: list[str] | None = None) -> Bring:
    def bring(wanted: ListedBuild, place: Path, _: Path) -> None:
        if calls is not None:
            calls.append(wanted.label)
        put_executable(place / wanted.executable, version)

    return bring


def failing(error: Exception) -> Bring:
    def bring(wanted: ListedBuild, place: Path, _: Path) -> None:
        put_executable(place / wanted.executable, wanted.version)
        raise error

    return bring


def fetched(cache: Path, wanted: ListedBuild, bring: Bring) -> Fetched:
    (result,) = fetch([wanted], Cache(cache), bring=bring)
    return result


def test_a_build_is_brought_once(tmp_path):
    calls: list[str] = []
    first = fetched(tmp_path, build(), bringing(calls=calls))
    again = fetched(tmp_path, build(), bringing(calls=calls))
    assert (first.status, again.status, calls) == (Status.FETCHED, Status.CACHED, ["cr156"])
    assert first.executable == again.executable == Cache(tmp_path).executable(build())
    assert first.executable is not None
    assert first.executable.stat().st_mode & 0o111


def test_one_that_has_gone_does_not_keep_the_others_back(tmp_path):
    def bring(wanted: ListedBuild, place: Path, scratch: Path) -> None:
        if wanted.label == "cr149":
            raise Gone("apt has no browser=1-1; it has 2-1")
        bringing()(wanted, place, scratch)

    results = list(fetch([build("cr149"), build("cr156")], Cache(tmp_path), bring=bring))
    assert [(result.build.label, result.status) for result in results] == [
        ("cr149", Status.GONE),
        ("cr156", Status.FETCHED),
    ]
    assert results[0].detail == "apt has no browser=1-1; it has 2-1"
    assert results[0].executable is None


def test_what_could_not_be_asked_is_not_said_to_be_gone(tmp_path):
    assert fetched(tmp_path, build(), failing(Unavailable("no network"))).status is Status.UNAVAILABLE


def test_nothing_is_left_of_a_build_that_was_refused(tmp_path):
    result = fetched(tmp_path, build(), failing(CensusError("it has the SHA-256 00, not 11")))
    assert (result.status, result.detail) == (Status.REFUSED, "it has the SHA-256 00, not 11")
    assert list(tmp_path.iterdir()) == []


def test_a_build_that_says_another_version_is_refused(tmp_path):
    result = fetched(tmp_path, build(), bringing("155.0.0.0"))
    assert (result.status, result.executable) == (Status.REFUSED, None)
    assert "155.0.0.0, not 156.0.1.2" in result.detail
    assert Cache(tmp_path).executable(build()) is None


def test_a_build_whose_executable_is_not_in_it_is_refused(tmp_path):
    def bring(_: ListedBuild, place: Path, __: Path) -> None:
        put_executable(place / "elsewhere", "156.0.1.2")

    assert fetched(tmp_path, build(), bring).status is Status.REFUSED


def test_a_damaged_executable_is_brought_again(tmp_path):
    executable = fetched(tmp_path, build(), bringing()).executable
    assert executable is not None
    executable.write_text("#!/bin/sh\necho Chromium 156.0.1.2 damaged\n")
    assert fetched(tmp_path, build(), bringing()).status is Status.FETCHED
    assert "damaged" not in executable.read_text()


def test_another_entry_of_the_same_label_is_another_build(tmp_path):
    fetched(tmp_path, build(), bringing())
    newer = build(version="156.0.1.3")
    assert Cache(tmp_path).executable(newer) is None
    assert fetched(tmp_path, newer, bringing("156.0.1.3")).status is Status.FETCHED
