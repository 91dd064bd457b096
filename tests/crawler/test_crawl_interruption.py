"""Ctrl-C: ends soon whatever a page does, says how to go on, loses nothing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from census.run import Run
from census.vocabulary import Outcome
from tests.crawler.conftest import (
    QUICK,
    Cli,
    Command,
    alive,
    assert_nothing_lost,
    final_visits,
    pages_asked,
    query,
    wait_until,
)
from tests.sites.gold import document, registering
from tests.sites.server import Manner, Reply, Site, SmallWeb

LONGEST = 10.0
"""Seconds from Ctrl-C to the end."""

BUSY = "<script>document.modelContext.registerTool({name: 'x', description: 'x', execute() {}}); for (;;);</script>"


class Stubborn:
    """A page that hangs, one that never loads, one that never yields (until told otherwise), and three good ones."""

    def __init__(self) -> None:
        self.patient = False
        good = document("Good", registering("good"))
        self.sites = (
            Site("hangs", {"/": lambda _: good if self.patient else Reply(manner=Manner.HANG)}),
            Site("drips", {"/": lambda _: good if self.patient else Reply("<p>", manner=Manner.DRIP)}),
            Site("spins", {"/": lambda _: good if self.patient else document("Spins", BUSY)}),
            *(Site(f"good-{i}", {"/": good}) for i in range(3)),
        )


def interrupt(crawl: Command, signum: int = signal.SIGINT) -> tuple[float, int, str]:
    """Seconds to the end, the exit code, and the results."""
    crawl.family()
    began = time.monotonic()
    if signum == signal.SIGINT:
        crawl.ctrl_c()
    else:
        crawl.process.send_signal(signum)
    done = crawl.result(timeout=60)
    took = time.monotonic() - began
    assert "Traceback" not in done.err
    wait_until(lambda: not alive(crawl.family_seen()), "the end of the browser", timeout=10)
    return took, done.code, done.out


def test_a_crawl_that_is_interrupted_twice_ends_soon_says_how_to_go_on_and_loses_nothing(cli: Cli):
    stubborn = Stubborn()
    with SmallWeb(stubborn.sites) as web:
        targets = cli.list(web.url(site.name) for site in stubborn.sites)
        arguments = ("crawl", targets, "--out", "my run", *QUICK, "--concurrency", "6", "--navigation-timeout", "60")
        run = cli.folder / "my run"

        crawl = cli.start(*arguments)
        wait_until(lambda: pages_asked(web) >= len(stubborn.sites), "all pages asked for")
        wait_until(lambda: query(run, "SELECT count(*) FROM visits")[0][0] >= 3, "three pages captured")
        took, code, said = interrupt(crawl, signal.SIGTERM)
        assert code == 2
        assert took < LONGEST
        assert "interrupted; run the same command again to go on" in said
        good = {visit.visit_id for url, visit in final_visits(run).items() if "//good-" in url}
        assert len(good) == 3
        assert good <= Run(run).vouched(), "an interrupted crawl makes the control visit that it owes"

        resumed = cli.start(*arguments)
        wait_until(lambda: len(web.requests("hangs")) == 4, "rules and page of the one that hangs asked for again")
        took, code, said = interrupt(resumed)
        assert code == 2
        assert took < LONGEST

        stubborn.patient = True
        command = said[said.index("webmcp-census crawl") :].strip()
        end = subprocess.run(
            ["sh", "-c", command], cwd=cli.folder, capture_output=True, text=True, timeout=120, check=False,
            env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        )  # fmt: skip
        assert end.returncode == 0, end.stderr
        assert_nothing_lost(run, len(stubborn.sites))
        visits = final_visits(run)
        assert {visit.outcome for visit in visits.values()} == {Outcome.CAPTURED}
        assert visits[web.url("hangs")].attempt == 1, "an interrupted visit uses no attempt up"
        goods = [r for r in web.log if r.host.startswith("good-") and r.path == "/"]
        assert len(goods) == 3, "what was captured before the interruption is not asked for again"

        asked = len(web.log)
        again = cli(*arguments)
        assert (again.code, again.out) == (0, end.stdout), "a crawl that is finished says so again"
        assert len(web.log) == asked, "and visits nothing"
