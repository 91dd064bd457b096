"""Our CPU seconds for a visit over those of Playwright alone, on a page of 1 KiB and on one of 61 requests.

Example: python benchmarks/visit_cost.py --blocks 10 --visits 20
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from blocks import Block, settle_seconds
from process_tree import ProcessTree, become_subreaper
from scipy.stats import bootstrap

from crawler.browser import find_browser

PAGES = {"small": "1 KiB", "ordinary": "61 requests"}
SEED = 20261101


@dataclass(slots=True)
class Measured:
    """One page's figures: CPU seconds for a visit, a value a block."""

    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    dwell: list[float] = field(default_factory=list)
    accounted: list[float] = field(default_factory=list)
    """For each block, the tree's readings over the kernel's own count for the processes that ended."""
    by_kind: list[dict[str, float]] = field(default_factory=list)

    def ratio(self) -> tuple[float, float, float]:
        """The ratio of the medians and its 95 % bootstrap interval; blocks that ran side by side are drawn together."""
        ratio = _ratio_of_medians(np.array(self.ours), np.array(self.bare))
        if len(self.ours) < 2:
            return ratio, float("nan"), float("nan")
        interval = bootstrap(
            (self.ours, self.bare), _ratio_of_medians, paired=True, vectorized=False, method="percentile",
            rng=np.random.default_rng(SEED),
        ).confidence_interval  # fmt: skip
        return ratio, float(interval.low), float(interval.high)


def _ratio_of_medians(ours: np.ndarray, bare: np.ndarray) -> float:
    return float(np.median(ours) / np.median(bare))


def main() -> None:
    """Measure the pages and print a line for each."""
    options = _options()
    become_subreaper()
    browser = str(find_browser(options.browser))
    results: dict[str, Measured] = {}
    with _server() as (port, pid):
        tree = ProcessTree(pid)
        for page in options.page or PAGES:
            measured = Measured()
            for number in range(options.blocks):
                _pair(measured, tree, browser, _urls(page, port, number, options.visits), proxied=options.proxied)
                _progress(page, number, measured)
            results[page] = measured
    for page, measured in results.items():
        print(_line(page, measured))
    if options.json:
        Path(options.json).write_text(json.dumps({page: asdict(m) for page, m in results.items()}, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--blocks", type=int, default=10, help="blocks of each kind and page, alternating [%(default)s]"
    )
    parser.add_argument("--visits", type=int, default=20, help="visits that count in a block [%(default)s]")
    parser.add_argument("--browser", metavar="PATH", help="browser of both [the one that `doctor` finds]")
    parser.add_argument("--page", choices=PAGES, action="append", help="only this page")
    parser.add_argument("--proxied", action="store_true", help="ours through the address proxy, as on the public web")
    parser.add_argument("--json", metavar="FILE", help="write every block's figures there")
    return parser.parse_args()


def _urls(page: str, port: int, block: int, visits: int) -> list[str]:
    """A host for each visit, as in a list of projects: each is a site of its own, with a robots.txt of its own."""
    return [f"http://page{number}.test:{port}/{page}?block={block}" for number in range(visits + 1)]


def _pair(measured: Measured, tree: ProcessTree, browser: str, urls: list[str], *, proxied: bool) -> None:
    """One block of ours, then one of Playwright alone that stays on each page as long as ours did."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        measured.ours.append(_block(measured, tree, Block("ours", urls, browser, str(run), proxied=proxied)))
        measured.dwell.append(settle_seconds(run))
        bare = Block("bare", urls, browser, folder, dwell=measured.dwell[-1])
        measured.bare.append(_block(measured, tree, bare))


def _block(measured: Measured, tree: ProcessTree, block: Block) -> float:
    """CPU seconds for a visit of the block, start-up and warm-up excluded."""
    started = tree.cpu_seconds()
    process = subprocess.Popen(block.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    _await_mark(process, "begin")
    begin, kinds = tree.cpu_seconds(), tree.by_kind()
    _go_on(process)
    _await_mark(process, "end")
    end, kinds_after = tree.cpu_seconds(), tree.by_kind()
    _go_on(process)
    _await_mark(process, "closed")
    closed = tree.cpu_seconds()
    _go_on(process)
    measured.accounted.append((closed - started) / tree.wait_for_all(process.pid))
    visits = len(block.urls) - 1
    measured.by_kind.append(
        {kind: (seconds - kinds.get(kind, 0.0)) / visits for kind, seconds in sorted(kinds_after.items())}
    )
    return (end - begin) / visits


def _await_mark(process: "subprocess.Popen[str]", name: str) -> None:
    assert process.stdout is not None
    said = process.stdout.readline().strip()
    if said != name:
        raise RuntimeError(f"a block said {said!r} instead of {name!r}; its own message is above")


def _go_on(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@contextmanager
def _server() -> Iterator[tuple[int, int]]:
    """The pages' server, in a process that is not measured: its port and process id."""
    command = [sys.executable, str(Path(__file__).with_name("ordinary_pages.py"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline()), server.pid
        finally:
            server.kill()


def _line(page: str, measured: Measured) -> str:
    ratio, low, high = measured.ratio()
    return (
        f"{PAGES[page]}: {statistics.median(measured.ours):.3f} CPU s a visit, Playwright alone"
        f" {statistics.median(measured.bare):.3f}, {len(measured.ours)} blocks each,"
        f" {min(measured.accounted):.3f} to {max(measured.accounted):.3f} of the kernel's count accounted for:"
        f" ratio {ratio:.2f}x [{low:.2f}, {high:.2f}]"
    )


def _progress(page: str, number: int, measured: Measured) -> None:
    print(
        f"{page}, block {number + 1}: ours {measured.ours[-1]:.3f}, bare {measured.bare[-1]:.3f},"
        f" dwell {measured.dwell[-1]:.2f} s, load {os.getloadavg()[0]:.1f}",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    main()
