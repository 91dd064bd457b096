"""A crawl of a thousand gold and hostile pages: does memory stay flat, is every record right, is nothing left behind.

Several small webs serve the same pages on ports of their own, all in one crawl. Prints a line a sample and the
verdict, and exits 1 when a record is not as written by hand, a target is unfinished, a process is left, or memory
grows. `--figure` draws what was sampled.

Example: python benchmarks/soak.py --webs 4 --figure docs/images/soak.svg
"""

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.sites.compare import Record, differences
from tests.sites.registry import HEAVY, LIGHT, sites_of
from tests.sites.server import RESOLVER_RULES, SmallWeb

PAGES = LIGHT + HEAVY
EVERY = 3.0
WARM_UP = 0.5
"""Share of the crawl after which memory has to be flat: each of the largest pages was there at least once by then."""
MOST_GROWTH = 0.10
"""Of the median, from the third quarter of the crawl to the last."""
_LEAST = 50 * 2**20
"""Bytes below which a sample shows a process that begins or ends, and is not drawn."""
LONG_LIVED = ("crawler", "driver")


@dataclass(frozen=True, slots=True)
class Sample:
    """One moment of the crawl: how many targets are finished, and the memory (PSS, bytes) of each kind of process."""

    finished: int
    memory: dict[str, int]


def main() -> int:
    """Crawl, compare, print."""
    options = _options()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="soak-")))
        webs = [stack.enter_context(SmallWeb(sites_of(PAGES))) for _ in range(options.webs)]
        lines = [json.dumps({"url": page.target(web), "project": page.name}) for web in webs for page in PAGES]
        (folder / "targets.jsonl").write_text("\n".join(lines) + "\n")
        samples, left = _crawl(folder, options.concurrency)
        _command("build", folder / "run", "--out", folder / "release")
        problems = [*left, *_wrong_records(folder / "release", webs), *_growth(samples)]
    if options.figure:
        _draw(samples, options.figure)
    print(f"{len(lines)} targets, {samples[-1].finished} finished")
    print("\n".join(problems) or "every record as written, no process left, memory flat")
    return 1 if problems else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", type=int, default=4, help="how many times each page is visited [%(default)s]")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--figure", type=Path, metavar="SVG")
    return parser.parse_args()


def _crawl(folder: Path, concurrency: int) -> tuple[list[Sample], list[str]]:
    """The samples, and what the crawl left behind or unfinished."""
    arguments = ["--allow-private", "--delay", "0", "--concurrency", str(concurrency), "--retry-delay", "0.2"]
    arguments += ["--host-resolver-rules", RESOLVER_RULES, "--navigation-timeout", "8", "--json"]
    command = [sys.executable, "-m", "webmcp_census", "crawl", folder / "targets.jsonl", "--out", folder / "run"]
    samples: list[Sample] = []
    seen: dict[int, psutil.Process] = {}
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        crawl = subprocess.Popen([*map(str, command), *arguments], stdout=out, stderr=err)
        root = psutil.Process(crawl.pid)
        while crawl.poll() is None:
            time.sleep(EVERY)
            samples.append(_sample(root, seen, folder / "run" / "frontier.sqlite"))
            memory = "  ".join(f"{kind} {size / 2**20:.0f} MiB" for kind, size in samples[-1].memory.items())
            print(f"{samples[-1].finished:5} finished  {memory}", file=sys.stderr)
    time.sleep(2)
    problems = [f"process {pid} is left: {process.name()}" for pid, process in seen.items() if process.is_running()]
    if crawl.returncode != 0:
        problems.append(f"the crawl ended with {crawl.returncode}: {(folder / 'err').read_text()[-500:]}")
    counts = json.loads((folder / "out").read_text() or "{}")
    if counts.get("finished") != counts.get("targets"):
        problems.append(f"{counts.get('finished')} of {counts.get('targets')} targets are finished")
    samples.append(Sample(counts.get("finished", 0), samples[-1].memory))
    return samples, problems


def _sample(root: psutil.Process, seen: dict[int, psutil.Process], frontier: Path) -> Sample:
    memory: dict[str, int] = defaultdict(int)
    try:
        family = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        family = []
    for process in family:
        try:
            memory[_kind(process, root)] += process.memory_full_info().pss
            seen[process.pid] = process
        except psutil.Error:
            continue
    return Sample(_finished(frontier), dict(memory))


def _kind(process: psutil.Process, root: psutil.Process) -> str:
    if process == root:
        return "crawler"
    return "driver" if Path(process.exe()).name == "node" else "browsers"


def _finished(frontier: Path) -> int:
    if not frontier.exists():
        return 0
    with closing(sqlite3.connect(f"{frontier.as_uri()}?mode=ro", uri=True)) as db:
        query = "SELECT count(*) FROM targets WHERE final_visit IS NOT NULL AND pass = 'main'"
        return int(db.execute(query).fetchone()[0])


def _wrong_records(release: Path, webs: list[SmallWeb]) -> list[str]:
    pages, frames, tools = (
        pl.read_parquet(release / "data" / f"{table}.parquet") for table in ("pages", "frames", "tools")
    )
    by_url = {row["target_url"]: row for row in pages.iter_rows(named=True)}
    by_visit = {
        name: table.partition_by("visit_id", as_dict=True) for name, table in (("frames", frames), ("tools", tools))
    }
    wrong = []
    for web in webs:
        for page in PAGES:
            row = by_url[page.target(web)]
            rows = [by_visit[name].get((row["visit_id"],), pl.DataFrame()).to_dicts() for name in ("frames", "tools")]
            found = differences(page, Record(row, *rows), web)
            wrong += [f"{page.name}: {difference}" for difference in found]
    return wrong


def _growth(samples: list[Sample]) -> list[str]:
    """How much the long-lived processes grew over the second half of the crawl, where that is too much.

    What a process cannot give back is its lowest reading between two collections of garbage, so the lowest ones of
    the third and of the last quarter are compared.
    """
    total = samples[-1].finished
    problems = []
    for kind in LONG_LIVED:
        quarters = [
            [s.memory[kind] for s in samples[:-1] if s.memory.get(kind, 0) > _LEAST and start < s.finished <= end]
            for start, end in ((total * WARM_UP, total * 0.75), (total * 0.75, total))
        ]
        growth = min(quarters[1]) - min(quarters[0])
        median = float(np.median(quarters[0] + quarters[1]))
        print(
            f"{kind}: median {median / 2**20:.0f} MiB; lowest in the third quarter {min(quarters[0]) / 2**20:.0f} MiB,"
            f" in the last {min(quarters[1]) / 2**20:.0f} MiB"
        )
        if growth > MOST_GROWTH * median:
            problems.append(f"the {kind} grows")
    return problems


def _draw(samples: list[Sample], path: Path) -> None:
    rows = [
        {"visits": sample.finished, "MiB": size / 2**20, "process": kind}
        for sample in samples[:-1]
        for kind, size in sample.memory.items()
        if size >= _LEAST
    ]
    chart = (
        alt.Chart(pl.DataFrame(rows))
        .mark_line()
        .encode(
            x=alt.X("visits:Q", title="finished visits"),
            y=alt.Y("MiB:Q", title="memory (PSS, MiB)", scale=alt.Scale(type="log", domainMin=_LEAST / 2**20)),
            color=alt.Color("process:N", legend=alt.Legend(title=None, orient="bottom")),
        )
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    chart.properties(width=560, height=240, title="Memory over one crawl of gold and hostile pages").save(path)


def _command(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "webmcp_census", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
