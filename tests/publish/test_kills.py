"""A publisher that is killed (-9) at one of its requests: readers find the old version or the new one."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from tests.publish.fault_proxy import Fault
from tests.publish.racer import publish_at_once
from tests.publish.series import Series
from tests.publish.shelves import HubShelf, S3Shelf

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.publish.racer"])


@pytest.fixture
def series(remote: S3Shelf | HubShelf, tmp_path: Path) -> Series:
    return Series(remote, tmp_path)


def publish_and_kill(series: Series, number: int) -> None:
    """Publish in a process of its own, which is killed at a request; every other one the server still does."""
    to = f"s3://{series.shelf.bucket}/{series.shelf.prefix}" if isinstance(series.shelf, S3Shelf) else series.shelf.to
    environment = {name: os.environ[name] for name in os.environ if name.startswith(("AWS_", "HF_"))}
    # Both must outlive the start: the other process opens them by name.
    barrier, answers = _CONTEXT.Barrier(1), _CONTEXT.SimpleQueue()
    process = _CONTEXT.Process(
        target=publish_at_once, args=(to, series.new.folder, environment, barrier, answers), daemon=True
    )

    def kill(each: int, _request: str) -> Fault | None:
        if each != number:
            return None
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        return Fault.CUT_AFTER if number % 2 else Fault.CUT_BEFORE

    series.shelf.proxy.count()
    series.shelf.proxy.rule = kill
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def kill_at(series: Series, every: int) -> None:
    for number in range(0, len(series.requests()), every):
        publish_and_kill(series, number)
        series.assert_old_or_new()
        series.go_on()


def test_a_publisher_that_is_killed_leaves_the_old_version_or_the_new_one(series: Series) -> None:
    kill_at(series, every=4)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_publisher_may_be_killed_at_any_request(series: Series) -> None:
    kill_at(series, every=1)
