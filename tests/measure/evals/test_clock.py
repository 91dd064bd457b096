"""A pinned clock: every document of the page sees that time, timers run on, and a judge is told the day."""

import json

import pytest

from census.optout import OptOut
from measure.evals.live_stages import Live, LiveStages
from measure.evals.running import Judges, Settings, run_suites
from measure.evals.suite import read_suite
from measure.judges.opening import JudgeOptions
from tests.measure.evals.plans import call
from tests.measure.live.opening import quick_visits
from tests.sites.gold import document
from tests.sites.server import Site, SmallWeb

TOOL = """
<script>document.modelContext.registerTool({
  name: "NAME", description: "Says what the time is here.", annotations: { readOnlyHint: true },
  execute: async () => {
    const begun = Date.now();
    await new Promise((done) => setTimeout(done, 50));
    const called = Date();
    return { now: Date.now(), made: new Date().toISOString(), passed: Date.now() - begun, year: called.slice(11, 15) };
  },
});</script>
"""
FRAMES = '<iframe src="/inner"></iframe><iframe src="{{elsewhere}}/" allow="tools"></iframe>'
SITES = [
    Site(
        "clocks",
        {
            "/": document("Clocks", TOOL.replace("NAME", "top") + FRAMES),
            "/inner": document("Inner", TOOL.replace("NAME", "same_origin")),
        },
    ),
    Site("elsewhere", {"/": document("Elsewhere", TOOL.replace("NAME", "other_origin"))}),
]
PINNED = {"now": 1_772_359_200_000, "made": "2026-03-01T10:00:00.000Z", "passed": 0, "year": "2026"}
"""1 March 2026, ten o'clock: 1772359200 seconds after 1970 (`date -u -d 2026-03-01T10:00 +%s`)."""


@pytest.fixture(scope="module")
def web():
    with SmallWeb(SITES) as small_web:
        yield small_web


@pytest.mark.parametrize("clock", ["2026-03-01T10:00:00", "2026-03-01T11:00:00+01:00"])
def test_every_document_sees_the_time_and_its_timers_run(web, clock):
    path, browser, visit = quick_visits()
    names = ["top", "same_origin", "other_origin"]
    case = {
        "messages": [{"role": "user", "content": "What time is it?"}],
        "expectedCall": [call(name, result=PINNED) for name in names],
        "clock": clock,
    }
    live = Live(web.url("clocks"), path, browser, visit, OptOut())
    suite = read_suite(json.dumps([case]), "suite.json")
    judges = Judges("oracle", JudgeOptions(), live=True)
    [outcome] = run_suites([(suite, ())], judges, Settings(smoke=True), stages=LiveStages(live))
    [repeat] = outcome.repeats
    assert repeat.message is None
    assert [(made.name, made.result) for made in repeat.run.made] == [(name, PINNED) for name in names]
    assert repeat.verdict.passed
