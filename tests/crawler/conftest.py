"""What the crawler's tests share: the command line in a process of its own, and what a RUN holds."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from census.run import FRONTIER, Run
from census.visit import ControlVisit, Visit
from tests.crawler.harvest_command import harvest, harvest_from  # noqa: F401 -- fixtures
from tests.crawler.postgres_server import database_url, postgres_server  # noqa: F401 -- fixtures
from tests.crawler.s3_server import s3, s3_server  # noqa: F401 -- fixtures
from tests.sites.server import RESOLVER_RULES, SmallWeb

REACHABLE = ("--allow-private", "--host-resolver-rules", RESOLVER_RULES)
"""Lets a crawl reach a `SmallWeb`."""
QUICK = (*REACHABLE, "--delay", "0", "--retry-delay", "0.1", "--settle-cap", "1")
"""Reads each page a second after its commit: enough where the truth does not depend on settling."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


class Command:
    """`webmcp-census` under way, in a session of its own, as in a terminal of its own."""

    def __init__(self, arguments: Sequence[str | Path], folder: Path, program: Sequence[str]) -> None:
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        self._family: dict[int, psutil.Process] = {}
        self.temporary = temporary
        self.process = subprocess.Popen(
            [sys.executable, *program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(temporary)},
            start_new_session=True,
        )

    def result(self, timeout: float = 150) -> Done:
        """Wait for the end."""
        out, err = self.process.communicate(timeout=timeout)
        return Done(self.process.returncode, out, err)

    def family(self) -> list[psutil.Process]:
        """The process and all that it started and that still runs."""
        try:
            parent = psutil.Process(self.process.pid)
            for each in (parent, *parent.children(recursive=True)):
                self._family[each.pid] = each
        except psutil.NoSuchProcess:
            return []
        return alive(self._family.values())

    def family_seen(self) -> list[psutil.Process]:
        """All that was ever seen of it, ended or not."""
        return list(self._family.values())

    def watch(self, seconds: float) -> None:
        """Let it run on, and see what it starts meanwhile."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            self.family()
            time.sleep(0.05)

    def browsers(self) -> list[psutil.Process]:
        """The browser processes themselves, without their renderers and helpers."""
        found = []
        for each in self.family():
            try:
                line = each.cmdline()
            except psutil.Error:
                continue
            if any(word.startswith("--user-data-dir=") for word in line) and not any(
                word.startswith("--type=") for word in line
            ):
                found.append(each)
        return found

    def ctrl_c(self) -> None:
        """What a terminal does on Ctrl-C: the whole foreground group gets the signal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self, *, whole_group: bool) -> None:
        """Kill -9, of the crawler's process alone or with all that is in its group."""
        self.family()
        if whole_group and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """End whatever is left of it."""
        if self.process.poll() is None:
            self.kill(whole_group=True)
        for each in alive(self._family.values()):
            each.kill()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


class Cli:
    """Runs `webmcp-census` in a folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[Command] = []

    def start(self, *arguments: str | Path, program: Sequence[str] = ("-m", "webmcp_census")) -> Command:
        """Start a command and go on."""
        command = Command(arguments, self.folder, program)
        self._started.append(command)
        return command

    def __call__(self, *arguments: str | Path, timeout: float = 150) -> Done:
        """Run a command to its end."""
        return self.start(*arguments).result(timeout)

    def list(self, urls: Iterable[str], name: str = "targets.txt") -> Path:
        """A target list."""
        path = self.folder / name
        path.write_text("".join(f"{url}\n" for url in urls))
        return path

    def end(self) -> None:
        """End what was started and still runs."""
        for command in self._started:
            command.end()


@pytest.fixture
def cli(tmp_path: Path) -> Iterator[Cli]:
    cli = Cli(tmp_path)
    yield cli
    cli.end()


@pytest.fixture(scope="module")
def module_cli(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    """For one crawl that all tests of a module read."""
    folder = tmp_path_factory.mktemp("crawl")
    cli = Cli(folder)
    yield cli
    cli.end()
    shutil.rmtree(folder, ignore_errors=True)


def alive(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those that still run; one that ended and that nobody has asked after does not."""
    found = []
    for each in processes:
        try:
            if each.is_running() and each.status() != psutil.STATUS_ZOMBIE:
                found.append(each)
        except psutil.NoSuchProcess:
            continue
    return found


def wait_until(holds: Callable[[], object], what: str, timeout: float = 60) -> None:
    """Wait for something that another process does."""
    until = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < until, f"{what}: not within {timeout:.0f} s"
        time.sleep(0.02)


def final_visits(run: Path) -> dict[str, Visit]:
    """The final visit of each target, by its URL."""
    visits = list(Run(run).final_visits())
    found = {visit.target.url: visit for visit in visits}
    assert len(found) == len(visits), "a target has two final visits"
    return found


def controls(run: Path) -> list[ControlVisit]:
    """The control visits, in order."""
    return Run(run).controls()


def tool_names(visit: Visit) -> set[str]:
    """The tools that either view shows."""
    listed = {tool.name for document in visit.documents for tool in (*document.tools, *document.on_request)}
    return listed | {tool.name for tool in visit.browser_tools}


def query(run: Path, sql: str) -> list[tuple[object, ...]]:
    """Ask the frontier of a RUN."""
    with closing(sqlite3.connect(f"file:{run / FRONTIER}?mode=ro", uri=True)) as database:
        return database.execute(sql).fetchall()


def assert_nothing_lost(run: Path, targets: int) -> None:
    """Every target has exactly one final outcome, of a visit of its own that was recorded once."""
    rows = query(
        run,
        "SELECT targets.id, state, final_visit, visits.target_id FROM targets"
        " LEFT JOIN visits ON visits.visit_id = final_visit",
    )
    assert len(rows) == targets
    assert {state for _, state, _, _ in rows} == {"finished"}
    assert all(visited == target for target, _, _, visited in rows)
    assert len({visit for _, _, visit, _ in rows}) == targets
    assert len(final_visits(run)) == targets


def pages_asked(web: SmallWeb) -> int:
    """How many requests for something other than rules a web has got."""
    return sum(request.path != "/robots.txt" for request in web.log)


@pytest.fixture
def kill_browsers() -> Callable[..., int]:
    """Kills the browser of a crawl each time it has asked for so many pages; returns how many it killed."""

    def kill(crawl: Command, web: SmallWeb, after_pages: Sequence[int]) -> int:
        killed = 0
        for pages in after_pages:
            wait_until(lambda pages=pages: pages_asked(web) >= pages, f"{pages} pages asked for")
            wait_until(crawl.browsers, "a browser")
            for browser in crawl.browsers():
                browser.kill()
                killed += 1
        return killed

    return kill
