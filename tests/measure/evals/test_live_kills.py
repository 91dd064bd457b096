"""A run on a page that is killed (-9) at any time goes on where it was, and ends as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.sites.pages import journeys
from tests.sites.registry import sites_of
from tests.sites.server import SmallWeb

PIZZA = str(Path(__file__).parent / "suites" / "pizza.json")


def arguments(url: str, checkpoint: Path) -> list[str]:
    return [
        sys.executable, "webmcp_census.py", "eval", PIZZA, "--url", url, "--allow-private", "--allow-writes",
        "--judge", "noisy-oracle:p=0.7,seed=4", "--repeats", "2", "--visit-deadline", "240", "--json",
        "--checkpoint", str(checkpoint),
    ]  # fmt: skip


def measured(said: str) -> dict[str, object]:
    """What a run says, without the milliseconds that each call took: no two runs have the same."""
    found = json.loads(said)
    for case in found["cases"]:
        for repeat in case["repeats"]:
            for call in repeat["calls"]:
                del call["ms"]
    return found


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kill_after(command: list[str], checkpoint: Path, wanted: int) -> None:
    """Run until so many lines are kept, then kill it with all that it started, in the middle of the next repeat."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 600
        while lines(checkpoint) < wanted and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        assert lines(checkpoint) >= wanted, "it did not come so far"
        assert process.poll() is None, "it ended before it could be killed"
        children = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    for child in children:
        if child.is_running():
            child.kill()


@pytest.mark.long
@pytest.mark.timeout(2400)
def test_a_killed_run_goes_on_and_says_what_an_undisturbed_one_says(tmp_path: Path) -> None:
    with SmallWeb(sites_of(journeys.PAGES)) as web:
        whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
        undisturbed = subprocess.run(arguments(web.url("forno"), whole), capture_output=True, text=True, timeout=600)
        # The first line has the conditions; the repeats are eight.
        for wanted in (2, 5):
            kill_after(arguments(web.url("forno"), broken), broken, wanted)
        before = broken.read_text().splitlines()
        assert 5 <= len(before) < 9
        resumed = subprocess.run(arguments(web.url("forno"), broken), capture_output=True, text=True, timeout=600)
    assert undisturbed.returncode in (0, 1), undisturbed.stderr
    assert resumed.returncode == undisturbed.returncode
    assert measured(resumed.stdout) == measured(undisturbed.stdout)
    after = broken.read_text().splitlines()
    assert after[: len(before)] == before
    assert len(after) == 9
