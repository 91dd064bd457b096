"""The control page between real visits: what it vouches for, and what happens when it reads a tool."""

import pytest

from census.run import Run
from census.vocabulary import Outcome
from tests.crawler.conftest import QUICK, assert_nothing_lost, controls, final_visits, pages_asked, query, tool_names
from tests.sites.gold import document, registering
from tests.sites.server import Site, SmallWeb
from tests.sites.switches import WITHOUT_API, browser_with

SITES = [Site(f"s{i}", {"/": document(f"Site {i}", registering(f"tool_{i}"))}) for i in range(9)]

# The command line, with a control page that registers a tool when it is asked for the first so many times, and
# with each browser's process id written down: to the crawler it looks like a browser that leaks.
LEAKS = """
import sys
import crawler.control_page as control_page
import crawler.handler as handler
import webmcp_census

clean = control_page._BODY
leaky = clean + b"<script>document.modelContext.registerTool({name: 'leaked', description: 'x', execute() {}})</script>"
times = int(sys.argv.pop(1))
answer, pid_of = control_page.ControlPage._answer, handler._pid

async def leaks_at_first(self, reader, writer):
    global times
    self._body = leaky if times > 0 else clean
    times -= 1
    await answer(self, reader, writer)

async def noted(browser):
    pid = await pid_of(browser)
    with open("browsers.txt", "a") as file:
        print(pid, file=file)
    return pid

control_page.ControlPage._answer, handler._pid = leaks_at_first, noted
webmcp_census.main()
"""


def test_a_control_that_reads_a_tool_replaces_the_browser_and_repeats_the_visits_it_does_not_vouch_for(cli):
    (cli.folder / "leaks.py").write_text(LEAKS)
    with SmallWeb(SITES) as web:
        targets = cli.list(web.url(site.name) for site in SITES)
        done = cli.start(
            "1", "crawl", targets, "--out", "run", *QUICK, "--control-every", "4", "--concurrency", "2",
            program=("leaks.py",),
        ).result()  # fmt: skip
        assert done.code == 0, done.err
        run = cli.folder / "run"
        assert_nothing_lost(run, len(SITES))
        bad, *good = controls(run)
        assert (bad.good, bad.detail) == (False, "1 tools on a page that registers none: leaked")
        assert bad.vouches_for >= 4
        assert all(control.good for control in good)
        repeated = [visit for visit in final_visits(run).values() if visit.attempt == 2]
        # What was under way when the leak was found is repeated as well.
        assert bad.vouches_for <= len(repeated) <= bad.vouches_for + 2
        assert pages_asked(web) == len(SITES) + len(repeated)
        assert sum(control.vouches_for for control in good) == len(SITES), "each final visit is vouched for"
        assert Run(run).vouched() == {visit.visit_id for visit in final_visits(run).values()}
    assert len(set((cli.folder / "browsers.txt").read_text().split())) == 2
    assert f"{bad.vouches_for} visits are done again in another browser" in done.err
    for visit in final_visits(run).values():
        assert tool_names(visit) == {f"tool_{visit.target.url.partition('.')[0].removeprefix('http://s')}"}


def test_a_crawl_with_a_browser_that_has_no_webmcp_stops_and_says_so(cli, tmp_path):
    browser = browser_with(tmp_path, None, WITHOUT_API)
    with SmallWeb(SITES[:3]) as web:
        done = cli(
            "crawl", cli.list([web.url(f"s{i}") for i in range(3)]), "--out", "run", *QUICK, "--browser", browser,
        )  # fmt: skip
    assert done.code == 2
    assert "has no WebMCP" in done.err
    assert "webmcp-census doctor" in done.err
    assert final_visits(cli.folder / "run") == {}, "no page is on record as one without tools"


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_page_that_no_control_ever_vouches_for_ends_too(cli):
    (cli.folder / "leaks.py").write_text(LEAKS)
    with SmallWeb(SITES[:1]) as web:
        done = cli.start(
            "1000", "crawl", cli.list([web.url("s0")]), "--out", "run", *QUICK, program=("leaks.py",)
        ).result(timeout=500)
        assert done.code == 2, "no outcome but one of ours"
        assert "1 targets have an outcome that is ours" in done.err
        (visit,) = final_visits(cli.folder / "run").values()
        assert visit.outcome is Outcome.BROWSER_FAILED
        assert "none of them final" in visit.outcome_detail
        assert query(cli.folder / "run", "SELECT count(*) FROM visits WHERE outcome = 'captured'") == [(12,)]
