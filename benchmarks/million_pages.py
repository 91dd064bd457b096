"""A release of a million pages: how long `build` and `release verify` take, with how much memory, and is it the same.

The RUN is synthetic and seeded (`synthetic_run.py`): a tenth of the targets fails, a captured page has two documents,
one in twenty has tools. It is kept, so that the next time only what is measured is run.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from synthetic_run import make_run

BUILD_SECONDS, VERIFY_SECONDS, GIGABYTES = 90.0, 60.0, 4.0
_SAMPLE = 0.2


@dataclass(frozen=True)
class Cost:
    """What a command took, with all its processes."""

    wall_s: float
    cpu_s: float
    """User and system time: what the machine's other work cannot stretch much."""
    peak_gb: float
    """Most resident memory of all processes at one moment; what they share counts for each."""
    load: float
    """Other work: the machine's load at the end, over one minute."""


def measure(*arguments: str | Path, one_core: bool = False) -> Cost:
    """Run a command of the command line to its end. Raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "webmcp_census", *map(str, arguments)]
    environment = dict(os.environ)
    if one_core:
        command = ["taskset", "--cpu-list", "0", *command]
        environment["POLARS_MAX_THREADS"] = "1"
    before, began, peak = _ended_cpu(), time.monotonic(), 0
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    while running.poll() is None:
        peak = max(peak, _resident(running.pid))
        time.sleep(_SAMPLE)
    if running.returncode != 0:
        raise subprocess.CalledProcessError(running.returncode, command)
    load = psutil.getloadavg()[0]
    wall = time.monotonic() - began
    return Cost(round(wall, 1), round(_ended_cpu() - before, 1), round(peak / 1e9, 2), round(load, 1))


def _ended_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _resident(pid: int) -> int:
    total = 0
    try:
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            total += process.memory_info().rss
    except psutil.NoSuchProcess:
        pass  # It ended between two looks; the next look says so.
    return total


def main() -> int:
    """Measure; exit 1 when a limit is exceeded or when one core and all cores give other bytes."""
    parser = argparse.ArgumentParser(prog="python benchmarks/million_pages.py", description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dir", type=Path, default=Path("million-pages"), help="default: %(default)s")
    parser.add_argument("--one-core", action="store_true", help="build on one core too, and compare the bytes")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    run = arguments.dir / f"run-{arguments.pages}-{arguments.seed}"
    if not run.exists():
        print(f"making {run} (minutes for a million pages)", flush=True)
        draft = run.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        make_run(draft, arguments.pages, arguments.seed).rename(run)
    release = arguments.dir / "release"
    costs = {"build": measure("build", run, "--out", release), "verify": measure("release", "verify", release)}
    same = None
    if arguments.one_core:
        alone = arguments.dir / "release-one-core"
        costs["build, one core"] = measure("build", run, "--out", alone, one_core=True)
        same = (alone / "SHA256SUMS").read_bytes() == (release / "SHA256SUMS").read_bytes()
    for name, cost in costs.items():
        print(f"{name}: {cost.wall_s:.0f} s, {cost.cpu_s:.0f} CPU-s, {cost.peak_gb:.2f} GB (load {cost.load:.1f})")
    if same is not None:
        print(f"the same SHA256SUMS: {'yes' if same else 'NO'}")
    if arguments.json:
        figures = {"pages": arguments.pages, "same": same, **{name: asdict(cost) for name, cost in costs.items()}}
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    build, verify = costs["build"], costs["verify"]
    within = build.wall_s < BUILD_SECONDS and build.peak_gb < GIGABYTES and verify.wall_s < VERIFY_SECONDS
    return 0 if within and same is not False else 1


if __name__ == "__main__":
    sys.exit(main())
