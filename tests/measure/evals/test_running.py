import asyncio
import json

import pytest

from census.errors import CensusError
from measure.evals.outcome import Ending
from measure.evals.running import Judges, Settings, run_suites
from measure.evals.suite import read_suite
from measure.judges.judge import Answer, Call, Cause, JudgeFault
from measure.judges.opening import JudgeOptions
from measure.lint.manifest import ManifestTool
from tests.measure.evals.plans import call

TOOLS = (ManifestTool("order", "Orders."), ManifestTool("look", "Looks."))


def suite(*texts: str, **case):
    cases = [
        {"expectedCall": [call("order")], **case, "messages": [{"role": "user", "content": text}]} for text in texts
    ]
    return [(read_suite(json.dumps(cases), "suite.json"), TOOLS)]


class Slow:
    """Orders once; counts how many ask it at the same time."""

    name = "slow"

    def __init__(self) -> None:
        self.now = self.most = 0
        self.closed = False

    def judge(self, case, tools, repeat, clock):
        return self

    async def answer(self, messages, tools):
        self.now += 1
        self.most = max(self.most, self.now)
        text = messages[1].content
        # The later cases answer first.
        await asyncio.sleep(0.02 if text == "first" else 0.005)
        self.now -= 1
        if text == "broken":
            raise JudgeFault(Cause.UNAVAILABLE, "gone")
        return Answer((Call("order", {}),) if messages[-1].role == "user" else (), "", None)

    async def aclose(self) -> None:
        self.closed = True


def test_cases_run_at_the_same_time_and_keep_their_order():
    judge, done = Slow(), []
    outcomes = run_suites(suite("first", "second", "third"), judge, Settings(at_a_time=2), done.append)
    assert judge.most == 2
    assert [each.case.name for each in outcomes] == ["first", "second", "third"]
    assert [each.ending for each in outcomes] == [Ending.PASSED] * 3
    assert {each.case.name for each in done} == {"first", "second", "third"}
    assert judge.closed


def test_one_at_a_time_unless_told_otherwise():
    judge = Slow()
    run_suites(suite("first", "second", "third"), judge, Settings())
    assert judge.most == 1


def test_a_judge_that_fails_in_one_case_leaves_the_others():
    outcomes = run_suites(suite("first", "broken", "third"), Slow(), Settings(at_a_time=3))
    assert [each.ending for each in outcomes] == [Ending.PASSED, Ending.MISSING, Ending.PASSED]
    [missing] = outcomes[1].repeats
    assert (missing.cause, missing.message) == ("unavailable", "gone")


def test_an_error_of_another_kind_ends_the_run_and_is_itself():
    class Broken(Slow):
        async def answer(self, messages, tools):
            raise CensusError("the conversation is wrong, so mend it")

    judge = Broken()
    with pytest.raises(CensusError, match="so mend it"):
        run_suites(suite("first", "second"), judge, Settings(at_a_time=2))
    assert judge.closed


def test_each_repeat_is_a_draw_of_its_own():
    judges = Judges("noisy-oracle:p=0.5,seed=1", JudgeOptions())
    [outcome] = run_suites(suite("first"), judges, Settings(repeats=40))
    endings = [repeat.ending for repeat in outcome.repeats]
    # 40 fair draws: fewer than 5 or more than 35 of one kind have a chance below one in a million.
    assert 5 <= endings.count(Ending.PASSED) <= 35
    assert outcome.ending is Ending.FAILED
    assert (outcome.passes().k, outcome.passes().n) == (endings.count(Ending.PASSED), 40)


def test_an_oracle_that_finds_no_example_leaves_the_case_without_a_measurement():
    cases = suite("first", expectedCall=[call("order", {"x": {"$gt": 1, "$lt": 1}})])
    [outcome] = run_suites(cases, Judges("oracle", JudgeOptions()), Settings())
    assert outcome.repeats[0].cause == "no_example"
    assert outcome.ending is Ending.MISSING
