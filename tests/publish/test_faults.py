"""Every request of a publication spoiled in turn: readers find the old version or the new one, whole."""

from pathlib import Path

import pytest
from huggingface_hub.utils import http_backoff

from census.errors import CensusError
from publish.payload import Payload
from publish.places import s3_objects
from publish.publication import Status
from tests.publish.fake_hub import Repository
from tests.publish.fault_proxy import Fault
from tests.publish.payloads import OLD, small_release
from tests.publish.series import Series
from tests.publish.shelves import DATASET, HubShelf, S3Shelf, assert_whole

FAULTS = [Fault.CUT_BEFORE, Fault.CUT_AFTER, 409, 412, 429, 500]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request is made a second time, so each fault reaches the publisher."""
    monkeypatch.setattr(s3_objects, "ATTEMPTS", 1)
    monkeypatch.setattr("publish.places.s3.ATTEMPTS", 1)
    monkeypatch.setattr("publish.places.hub._ATTEMPTS", 1)
    # The library's own patience, the same function under many names.
    assert http_backoff.__kwdefaults__
    monkeypatch.setitem(http_backoff.__kwdefaults__, "max_retries", 0)


@pytest.fixture
def release(tmp_path: Path) -> Payload:
    return small_release(tmp_path / "one", OLD)


@pytest.fixture
def series(remote: S3Shelf | HubShelf, tmp_path: Path) -> Series:
    return Series(remote, tmp_path)


@pytest.fixture
def s3_series(s3_shelf: S3Shelf, tmp_path: Path) -> Series:
    return Series(s3_shelf, tmp_path)


def spoil_each(series: Series, fault: Fault | int, every: int, first: int) -> None:
    """Spoil one request of a publication, each n-th in turn, and publish again after it."""
    requests = series.requests()
    assert len(requests) > 10
    failed = 0
    for number in range(first, len(requests), every):
        series.shelf.proxy.spoil(number, fault)
        error = series.attempt()
        if error:
            failed += 1
            assert "again" in error or "see " in error
            series.assert_old_or_new()
        else:
            series.assert_published()
        series.go_on()
    # On a hub a 412 says that the branch moved, which is looked up and not given up.
    assert failed > 0 or fault == 412


@pytest.mark.parametrize("fault", FAULTS, ids=str)
@pytest.mark.usefixtures("impatient")
def test_a_request_that_fails_leaves_the_old_version_or_the_new_one_whole(series: Series, fault: Fault | int) -> None:
    spoil_each(series, fault, every=len(FAULTS), first=FAULTS.index(fault))


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS, ids=str)
@pytest.mark.usefixtures("impatient")
def test_any_request_may_fail_in_any_way(series: Series, fault: Fault | int) -> None:
    spoil_each(series, fault, every=1, first=0)


def test_one_fault_is_got_over_without_being_noticed(series: Series, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _seconds: None)
    requests = series.requests()
    for number in range(0, len(requests), 4):
        series.shelf.proxy.spoil(number, 500 if number % 8 else Fault.CUT_AFTER)
        assert series.attempt() is None, requests[number]
        series.assert_published()
        series.go_on()


@pytest.mark.usefixtures("impatient")
def test_bytes_that_change_on_the_way_never_become_a_version(series: Series) -> None:
    # Of a commit's small files the hub has no digest beforehand; they are compared when the version is looked at again.
    data = [number for number, each in enumerate(series.requests()) if each.startswith("PUT ")]
    assert data
    for number in data:
        series.shelf.proxy.spoil(number, Fault.SPOIL_REQUEST)
        assert series.attempt()
        series.assert_old_or_new()
        assert series.shelf.latest() == series.before.release_version
        series.go_on()


@pytest.mark.usefixtures("impatient")
def test_what_the_store_sends_back_is_held_against_what_was_sent(s3_series: Series) -> None:
    requests = s3_series.requests()
    first = next(number for number, each in enumerate(requests) if each.startswith("GET ") and "parquet" in each)
    s3_series.shelf.proxy.spoil(first, Fault.SPOIL_ANSWER)
    assert s3_series.attempt()
    s3_series.assert_old_or_new()
    assert s3_series.shelf.version(s3_series.new.release_version) is None


@pytest.mark.usefixtures("impatient")
def test_what_is_there_is_not_sent_again(series: Series) -> None:
    def sent() -> list[str]:
        return [each for each in series.shelf.proxy.requests if each.startswith("PUT ") and "latest" not in each]

    requests = series.requests()
    uploads = [number for number, each in enumerate(requests) if each.startswith("PUT ") and "latest" not in each]
    # Everything before the last upload went well.
    series.shelf.proxy.spoil(uploads[-1], Fault.CUT_BEFORE)
    assert series.attempt()
    series.shelf.proxy.count()
    assert series.attempt() is None
    assert len(sent()) <= 2, sent()
    series.assert_published()
    assert_whole(series.shelf.version(series.new.release_version) or {})


def test_a_store_that_is_not_there_is_said(remote: S3Shelf | HubShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = "HF_ENDPOINT" if isinstance(remote, HubShelf) else "AWS_ENDPOINT_URL"
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _seconds: None)
    with pytest.raises(CensusError):
        remote.place().latest()


@pytest.mark.parametrize("token", ["", "hf_wr0ngT0ken"])
def test_a_token_that_does_not_do_is_said_and_never_printed(
    hub_shelf: HubShelf, release: Payload, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(CensusError, match="HF_TOKEN") as refused:
        hub_shelf.place().publish(release)
    assert not token or token not in str(refused.value)
    assert hub_shelf.hub.repositories == {}


def test_a_repository_that_holds_something_else_is_left_alone(hub_shelf: HubShelf, release: Payload) -> None:
    hub_shelf.hub.repositories[DATASET] = repository = Repository()
    repository.add("main", "mine", {"train.csv": b"a,b\n"}, None)
    for what in (hub_shelf.place().publish, hub_shelf.place().plan):
        with pytest.raises(CensusError, match=r"holds train\.csv and is no dataset of webmcp-census"):
            what(release)
    assert hub_shelf.hub.files(DATASET, "main") == {"train.csv": b"a,b\n"}


def test_files_of_a_stranger_below_a_version_are_said(s3_shelf: S3Shelf, release: Payload) -> None:
    s3_shelf._client.put_object(Bucket=s3_shelf.bucket, Key=f"{s3_shelf.prefix}/{OLD}/notes.txt", Body=b"x")
    with pytest.raises(CensusError, match=r"notes.txt is no file of this release"):
        s3_shelf.place().publish(release)
    assert s3_shelf.latest() is None


def test_a_version_that_was_begun_with_other_bytes_says_so(
    s3_shelf: S3Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(s3_objects, "ATTEMPTS", 1)
    first, other = small_release(tmp_path / "a", OLD), small_release(tmp_path / "b", OLD, "second")
    s3_shelf.proxy.rule = lambda _, request: 500 if "manifest.json" in request else None
    with pytest.raises(CensusError, match="cannot be written"):
        s3_shelf.place().publish(first)
    s3_shelf.proxy.count()
    with pytest.raises(CensusError, match=r"was begun with other bytes.* Publish that release again to finish it"):
        s3_shelf.place().publish(other)
    assert s3_shelf.place().publish(first).status is Status.PUBLISHED
