"""A disk that is full in the middle of a crawl: it stops and says so, and goes on when there is room again."""

import pytest

from census.vocabulary import Outcome
from tests.crawler.conftest import QUICK, Cli, assert_nothing_lost, final_visits
from tests.sites.gold import document, registering
from tests.sites.server import Site, SmallWeb

SITES = [Site(f"s{i}", {"/": document(f"Site {i}", registering(f"tool_{i}"))}) for i in range(6)]

# The command line, in which nothing can be written to a file any more (EFBIG, as ENOSPC on a full disk) from the third
# record on: before it is saved, or between its saving and its acknowledgement in the frontier.
FULL = """
import resource
import sys
import census.run
import webmcp_census

before = sys.argv.pop(1) == "evidence"
save, saved = census.run.EvidenceStore.save, []

def fill():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

def until_full(self, visit):
    saved.append(visit)
    if len(saved) == 3 and before:
        fill()
    digest = save(self, visit)
    if len(saved) == 3:
        fill()
    return digest

census.run.EvidenceStore.save = until_full
webmcp_census.main()
"""


@pytest.mark.parametrize("where", ["evidence", pytest.param("frontier", marks=pytest.mark.long)])
def test_a_crawl_whose_disk_is_full_stops_says_so_and_can_go_on(cli: Cli, where: str):
    (cli.folder / "full.py").write_text(FULL)
    with SmallWeb(SITES) as web:
        arguments = (
            "crawl",
            cli.list(web.url(site.name) for site in SITES),
            "--out",
            "run",
            *QUICK,
            "--concurrency",
            "2",
        )
        stopped = cli.start(where, *arguments, program=("full.py",)).result(timeout=60)
        assert stopped.code == 2
        assert "the crawl stopped" in stopped.err
        assert "what was recorded is kept, run the same command again" in stopped.err
        assert "Traceback" not in stopped.err
        kept = final_visits(cli.folder / "run")
        assert len(kept) == 2
        done = cli(*arguments)
    assert done.code == 0, done.err
    assert_nothing_lost(cli.folder / "run", len(SITES))
    visits = final_visits(cli.folder / "run")
    assert {visit.outcome for visit in visits.values()} == {Outcome.CAPTURED}
    assert all(visits[url] == visit for url, visit in kept.items()), "what was recorded stands"
