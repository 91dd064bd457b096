import asyncio

import pytest

from measure.evals.after_failure import AfterFailure, after_failure
from measure.evals.judging import Matcher
from measure.evals.made import MadeCall
from measure.evals.outcome import CaseOutcome, Outcome, Repeat
from measure.evals.static_run import run_case
from measure.evals.verdict import Verdict
from measure.judges.judge import Call
from measure.lint.manifest import ManifestTool
from tests.measure.evals.judges import Says
from tests.measure.evals.plans import call, case_of

NAMES = frozenset(["coupon", "pay", "look"])


def of(*calls):
    """Calls as (step, name, failed)."""
    made = [MadeCall(step, name, {}, error="no" if failed else None, offered=NAMES) for step, name, failed in calls]
    return after_failure(made, {"look"})


@pytest.mark.parametrize(
    ("calls", "way"),
    [
        ([], None),
        ([(1, "coupon", False), (2, "pay", False)], None),
        ([(1, "coupon", True)], AfterFailure.STOPPED),
        ([(1, "coupon", True), (2, "look", False)], AfterFailure.STOPPED),
        ([(1, "coupon", True), (2, "pay", False)], AfterFailure.CARRIED_ON),
        ([(1, "coupon", True), (2, "pay", True)], AfterFailure.CARRIED_ON),
        ([(1, "coupon", True), (2, "look", False), (3, "pay", False)], AfterFailure.CARRIED_ON),
        ([(1, "coupon", True), (2, "coupon", False)], AfterFailure.RECOVERED),
        ([(1, "coupon", True), (2, "coupon", True)], AfterFailure.STOPPED),
        ([(1, "coupon", True), (2, "coupon", False), (3, "pay", False)], AfterFailure.RECOVERED),
        ([(1, "coupon", True), (2, "pay", False), (3, "coupon", False)], AfterFailure.CARRIED_ON),
        # Made before the failure was known.
        ([(1, "coupon", True), (1, "pay", False)], AfterFailure.STOPPED),
        ([(1, "pay", False), (2, "coupon", True)], AfterFailure.STOPPED),
        # A tool that there is not fails, and is no failure of the page.
        ([(1, "made_up", True), (2, "pay", False)], None),
        ([(1, "coupon", True), (2, "made_up", True)], AfterFailure.STOPPED),
    ],
)
def test_how_a_run_went_on(calls, way):
    assert of(*calls) is way


def test_free_pizza_at_full_price():
    """The coupon fails and the checkout completes: the chain ran on."""
    tools = tuple(ManifestTool(name, name) for name in ("coupon", "pay"))
    case = case_of(call("coupon"), mocks=[call("coupon", error="expired")], forbidden=[call("pay")])
    run = asyncio.run(run_case(case, tools, Says([Call("coupon", {})], [Call("pay", {})]), max_steps=5))
    assert after_failure(run.made, frozenset()) is AfterFailure.CARRIED_ON


def test_the_shares_are_of_the_runs_in_which_something_failed():
    ways = [AfterFailure.STOPPED, AfterFailure.STOPPED, AfterFailure.CARRIED_ON, None]
    cases = tuple(CaseOutcome("s", case_of(call("a")), (Repeat(Verdict(), after_failure=way),)) for way in ways)
    found = Outcome("judge", Matcher.DEFAULT, 30, None, 1.0, cases).after_failure()
    assert {way: (share.k, share.n) for way, share in found.items()} == {
        AfterFailure.CARRIED_ON: (1, 3),
        AfterFailure.STOPPED: (2, 3),
        AfterFailure.RECOVERED: (0, 3),
    }
    assert Outcome("judge", Matcher.DEFAULT, 30, None, 1.0, cases[3:]).after_failure() == {}
