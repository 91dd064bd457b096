"""The commands of a shared crawl, each in a process of its own; none of these needs a browser."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from census.errors import CensusError
from census.optout import OptOut
from census.run import EvidenceStore, Run
from census.target import Target
from census.visit import Visit
from census.vocabulary import Outcome
from crawler.frontier import Report
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import PostgresFrontier
from crawler.postgres.shared_run import read
from crawler.settings import CrawlSettings, VisitSettings
from crawler.shared_crawl import begin_shared
from crawler.target_list import Counts, TargetList
from tests.crawler.conftest import Cli, assert_nothing_lost, final_visits, query

ROOT = Path(__file__).parents[2]
URLS = ("https://a.org/1", "https://a.org/2", "https://b.org/")
TARGETS = TargetList(tuple(Target(url=url) for url in URLS), Counts(3, 0, 0, 0), ())
SETTINGS = CrawlSettings(visit=VisitSettings("agent", viewport=(640, 480)), browser="Chromium 1.2.3 (headless-shell)")
OPTED_OUT = OptOut(frozenset({"out.org"}))


class SharedCrawl:
    """A crawl of three targets, visited by hand."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.address = FrontierAddress.parse(url)
        self.evidence = EvidenceStore(folder / "store")
        self.place = str(folder / "store")
        begin_shared(self.address, TARGETS, "targets.txt", SETTINGS, OPTED_OUT, self.place)

    def visit(self, outcomes: list[Outcome]) -> None:
        """Visit so many targets, with these outcomes."""
        frontier = PostgresFrontier(Database(self.address), "by-hand")
        for outcome in outcomes:
            lease = frontier.claim()
            assert lease is not None
            visit = Visit(
                visit_id=f"v-{lease.target_id}-{lease.attempt}", target=lease.target, attempt=lease.attempt,
                visited_at=datetime(2026, 11, 30, tzinfo=UTC), browser=None, outcome=outcome,
            )  # fmt: skip
            report = Report(visit.visit_id, outcome, self.evidence.save(visit), None)
            frontier.acknowledge(lease, report, delay=0.0)
        frontier.close()


@pytest.fixture
def crawl(database_url, tmp_path):
    return SharedCrawl(database_url, tmp_path)


def test_the_workers_settings_are_the_ones_it_was_begun_with(crawl):
    database = Database(crawl.address)
    shared = read(database)
    database.close()
    assert shared.settings == SETTINGS
    assert (shared.optout.sites, shared.evidence, shared.draining) == (OPTED_OUT.sites, crawl.place, False)


@pytest.mark.parametrize(
    ("targets", "settings", "place", "said"),
    [
        (TARGETS, replace(SETTINGS, delay=9.0), None, "delay: RUN has 2.0, this command 9.0"),
        (TargetList(TARGETS.targets[:2], Counts(2, 0, 0, 0), ()), SETTINGS, None, "targets: RUN has targets.txt"),
        (TARGETS, SETTINGS, "elsewhere", "not to"),
    ],
)
def test_another_crawl_in_the_same_database_is_refused_and_changes_nothing(
    crawl, tmp_path, targets, settings, place, said
):
    where = str(tmp_path / place) if place else crawl.place
    with pytest.raises(CensusError, match=said):
        begin_shared(crawl.address, targets, "targets.txt", settings, OptOut(), where)
    database = Database(crawl.address)
    assert read(database).optout.sites == OPTED_OUT.sites
    database.close()


def test_beginning_again_adds_nothing_and_brings_the_new_opt_out_list(crawl):
    begin_shared(crawl.address, TARGETS, "targets.txt", SETTINGS, OptOut(frozenset({"new.org"})), crawl.place)
    database = Database(crawl.address)
    assert read(database).optout.sites == {"new.org"}
    assert PostgresFrontier(database, "w").counts().targets == 3
    database.close()


def test_a_worker_with_another_browser_or_settings_of_its_own_is_refused(cli: Cli, crawl):
    other = cli("crawl", "--worker", "--frontier", crawl.url)
    assert other.code == 2
    assert "the crawl is made with Chromium 1.2.3 (headless-shell), and this machine's browser is" in other.err
    own = cli("crawl", "--worker", "--frontier", crawl.url, "--delay", "0", "--no-robots")
    assert own.code == 2
    assert "leave out --delay, --robots" in own.err
    assert "--worker needs --frontier" in cli("crawl", "--worker").err
    assert "name it with --frontier" in cli("crawl", "x.txt", "--out", "run", "--add-only").err


def test_a_crawl_is_looked_at_requeued_drained_and_collected(cli: Cli, crawl):
    crawl.visit([Outcome.GAVE_UP, Outcome.CAPTURED])
    look = cli("crawl", "status", "--frontier", crawl.url)
    assert look.code == 2
    assert "2 of 3 targets have their outcome" in look.out
    assert "buried: 1" in look.out
    assert "https://a.org/1" in look.out

    part = cli("crawl", "collect", "--frontier", crawl.url, "--out", "run")
    assert (part.code, "2 of 3 targets" in part.out) == (2, True)
    run = Run(cli.folder / "run")
    assert (run.targets(), run.unfinished()) == (3, 1)

    assert "1 targets are visited again" in cli("crawl", "requeue", "--frontier", crawl.url).out
    assert "0 visits are under way" in cli("crawl", "drain", "--wait", "--frontier", crawl.url).out
    assert json.loads(cli("crawl", "status", "--frontier", crawl.url, "--json").out)["draining"] is True
    assert cli("crawl", "drain", "--off", "--frontier", crawl.url).code == 0

    crawl.visit([Outcome.CAPTURED, Outcome.NOT_HTML])
    whole = cli("crawl", "collect", "--frontier", crawl.url, "--out", "run")
    assert whole.code == 0, whole.err
    assert_nothing_lost(cli.folder / "run", 3)
    visits = final_visits(cli.folder / "run")
    assert [visits[url].outcome for url in URLS].count(Outcome.CAPTURED) == 2
    assert query(cli.folder / "run", "SELECT count(*) FROM visits") == [(4,)], "earlier visits are kept too"
    assert cli("crawl", "status", "--frontier", crawl.url).code == 0


def test_another_crawls_run_is_not_written_over(cli: Cli, crawl, postgres_server, tmp_path):
    assert cli("crawl", "collect", "--frontier", crawl.url, "--out", "run").code == 2
    other = SharedCrawl(postgres_server.url(postgres_server.database()), tmp_path)
    refused = cli("crawl", "collect", "--frontier", other.url, "--out", "run")
    assert refused.code == 2
    assert "give another --out" in refused.err


def test_missing_evidence_is_said_and_no_run_is_made_of_it(cli: Cli, crawl):
    crawl.visit([Outcome.CAPTURED])
    for record in Path(crawl.place).rglob("*.gz"):
        record.unlink()
    done = cli("crawl", "collect", "--frontier", crawl.url, "--out", "run")
    assert done.code == 2
    assert "cannot be read" in done.err
    assert not (cli.folder / "run" / "run.json").exists()


def test_a_crawl_of_one_machine_needs_neither_driver():
    program = (
        "import sys; sys.modules |= {'psycopg': None, 'boto3': None}\n"
        "from click.testing import CliRunner\n"
        "from crawler.crawl_command import crawl_command\n"
        "import crawler.crawl\n"
        "said = CliRunner().invoke(crawl_command, ['status', '--frontier', 'postgresql://h/d'])\n"
        "print(said.exception)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "needs `pip install 'webmcp-census[workers]'`" in done.stdout
