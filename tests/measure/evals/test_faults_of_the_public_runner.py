"""What is known to go wrong with the public runner, and does not go wrong here. One test for each."""

import asyncio
import json
from pathlib import Path
from time import perf_counter

import pytest

import webmcp_census
from census.errors import CensusError
from measure.evals.judging import Matcher, verdict_of
from measure.evals.matching import match
from measure.evals.outcome import CaseOutcome, Ending, Outcome, Repeat
from measure.evals.running import Judges, Settings, run_suites
from measure.evals.static_run import run_case
from measure.evals.suite import read_suite
from measure.evals.verdict import Constraint, Verdict, Violation
from measure.judges.judge import Call, Cause
from measure.judges.opening import JudgeOptions
from measure.lint.manifest import ManifestTool
from tests.measure.evals.judges import Says
from tests.measure.evals.plans import ASKED, call, case_of, made

TOOLS = (ManifestTool("pay", "Pays."),)


@pytest.mark.parametrize("operator", ["$eqq", "$equals", "$regex", "$Gt"])
def test_an_unknown_operator_does_not_pass(operator):
    text = json.dumps([{"messages": ASKED, "expectedCall": [call("pay", {"sum": {operator: 1}})]}])
    with pytest.raises(CensusError, match=r"cases\[0\]\.expectedCall\[0\]\.arguments\.sum"):
        read_suite(text, "suite.json")


def files(folder: Path, *cases) -> list[str]:
    suite, tools = folder / "evals.json", folder / "tools.json"
    suite.write_text(json.dumps(list(cases)))
    tools.write_text(json.dumps([{"name": "pay", "description": "Pays for the order."}]))
    return [str(suite), "--tools", str(tools)]


def exit_code(*arguments: str) -> int:
    command = webmcp_census.cli.get_command(None, "eval")
    return command.main([*arguments], standalone_mode=False)


def test_failing_cases_do_not_exit_with_0(tmp_path):
    given = files(tmp_path, {"messages": ASKED, "expectedCall": [call("pay", {"sum": 1})]})
    assert exit_code(*given, "--judge", "lexical") == 1
    assert exit_code(*given, "--judge", "oracle") == 0


@pytest.mark.parametrize("matcher", Matcher)
def test_a_made_up_tool_does_not_pass_a_negative_case(matcher):
    case = case_of(expectedCall=None)
    run = asyncio.run(run_case(case, TOOLS, Says([Call("made_up", {})]), max_steps=5))
    assert not verdict_of(case, run, TOOLS, matcher).passed


def test_interleaved_and_parallel_calls_do_not_fail_a_nested_group():
    pairs = [{"ordered": [call("search", {"q": item}), call("details", {"q": item})]} for item in ("jacket", "jeans")]
    case = case_of({"unordered": pairs})
    answers = [[Call(tool, {"q": item}) for item in ("jacket", "jeans")] for tool in ("search", "details")]
    tools = tuple(ManifestTool(name, name) for name in ("search", "details"))
    run = asyncio.run(run_case(case, tools, Says(*answers), max_steps=5))
    assert verdict_of(case, run, tools, Matcher.DEFAULT).passed
    assert not verdict_of(case, run, tools, Matcher.COMPAT).passed


def test_an_optional_call_is_not_greedy():
    case = case_of(call("look", optional=True), call("look", {"at": 1}))
    assert match(case, made(("look", {"at": 1}))).passed


def test_one_early_extra_call_does_not_fail_all_that_follow():
    case = case_of(*(call(name) for name in "abcdef"))
    assert len(match(case, made("x", *"abcdef")).violations) == 1


@pytest.mark.parametrize("judged", [Matcher.DEFAULT, Matcher.COMPAT])
def test_nested_groups_are_not_factorial(judged):
    members = [{"ordered": [call(f"{name}{step}") for step in "123"]} for name in "abcdefghijkl"]
    case = case_of({"unordered": members})
    sequence = [f"{name}{step}" for name in "lkjihgfedcba" for step in "123"]
    tools = tuple(ManifestTool(name, name) for name in sequence)
    run = asyncio.run(run_case(case, tools, Says([Call(name, {}) for name in sequence]), max_steps=2))
    begun = perf_counter()
    assert verdict_of(case, run, tools, judged).passed
    assert perf_counter() - begun < 3


def test_the_text_of_an_error_reaches_the_judge():
    judge = Says([Call("pay", {})])
    case = case_of(call("pay"), mocks=[call("pay", error="the card has expired")])
    asyncio.run(run_case(case, TOOLS, judge, max_steps=5))
    assert "the card has expired" in judge.seen[-1][-1].content


def test_nothing_of_one_case_is_left_for_the_next():
    text = json.dumps(
        {
            "mocks": [{"functionName": "pay", "result": "paid", "times": 1}],
            "cases": [{"messages": ASKED, "expectedCall": [call("pay", result="paid")]}] * 2,
        }
    )
    judges = Judges("oracle", JudgeOptions())
    outcomes = run_suites([(read_suite(text, "suite.json"), TOOLS)], judges, Settings(repeats=2))
    results = [repeat.run.made[0].result for outcome in outcomes for repeat in outcome.repeats]
    assert results == ["paid"] * 4


def outcome(*cases: tuple[int, int]) -> Outcome:
    """An outcome of cases with so many steps each, of which so many failed."""
    found = []
    for steps, failed in cases:
        violations = tuple(Violation(Constraint.MISSING, "") for _ in range(failed))
        repeat = Repeat(Verdict(violations, {f"{step}": step for step in range(steps)}))
        found.append(CaseOutcome("s", case_of(call("pay")), (repeat,)))
    return Outcome("judge", Matcher.DEFAULT, 30, None, 1.0, tuple(found))


def test_the_headline_counts_cases_with_an_interval_and_not_steps():
    rate = outcome((9, 0), (1, 1)).rate()
    assert (rate.k, rate.n) == (1, 2)
    # Wilson's interval of 1 in 2, by hand: (1/2 + z²/4 ± z·sqrt(1/8 + z²/16)) / (1 + z²/2), z = 1.959964.
    assert (rate.low, rate.high) == (0.094531, 0.905469)


def test_a_judge_that_fails_is_no_failed_case():
    missing = CaseOutcome("s", case_of(call("pay")), (Repeat(cause=Cause.RATE_LIMITED, message="slow down"),))
    passed = outcome((1, 0)).cases[0]
    found = Outcome("judge", Matcher.DEFAULT, 30, None, 1.0, (missing, passed))
    assert missing.ending is Ending.MISSING
    assert (found.rate().k, found.rate().n) == (1, 1)
    assert found.exit_code == 2
