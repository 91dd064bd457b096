"""A conversation in turns: the user says the next thing when the judge has come to an end, and each turn is judged."""

import asyncio
import json

import pytest

from census.errors import CensusError
from measure.evals.compat_verdict import check_compat
from measure.evals.judging import Matcher, verdict_of
from measure.evals.outcome import Ending
from measure.evals.plan_judge import PlanJudge
from measure.evals.running import Judges, Settings, run_suites
from measure.evals.static_run import run_case
from measure.evals.suite import read_suite
from measure.judges.judge import Answer, Call
from measure.judges.opening import JudgeOptions
from measure.lint.manifest import ManifestTool
from tests.measure.evals.judges import Says
from tests.measure.evals.plans import call, case_of

TOOLS = (
    ManifestTool("history", "Lists orders.", annotations={"readOnlyHint": True}),
    ManifestTool("order", "Orders."),
    ManifestTool("coupon", "Applies a coupon."),
)


def said(text):
    return {"role": "user", "content": text}


def case(first, second, **more):
    messages = [said("What did I have?"), {"expectedCall": first}, said("That again.")]
    return case_of(messages=messages, expectedCall=second, **more)


REORDER = case(
    [call("history", id="history")],
    [call("order", {"id": {"$from": "history#/id"}})],
    mocks=[call("history", result={"id": 7})],
)
HISTORY, ORDER = Call("history", {}), Call("order", {"id": 7})


def run(case, judge, **settings):
    return asyncio.run(run_case(case, TOOLS, judge, **{"max_steps": 5, **settings}))


def broken(case, *answers, **settings):
    found = verdict_of(case, run(case, Says(*answers), **settings), TOOLS, Matcher.DEFAULT)
    return [each.constraint.value for each in found.violations]


def test_the_user_goes_on_when_the_judge_has_come_to_an_end():
    judge = Says([HISTORY], Answer((), "A Sidamo.", None), [ORDER], Answer((), "Ordered.", None))
    done = run(REORDER, judge)
    assert [(each.role, each.content) for each in judge.seen[-1][1:]] == [
        ("user", "What did I have?"),
        ("assistant", ""),
        ("tool", '{"id": 7}'),
        ("assistant", "A Sidamo."),
        ("user", "That again."),
        ("assistant", ""),
        ("tool", "{}"),
    ]
    assert [(each.name, each.turn, each.step) for each in done.made] == [("history", 1, 1), ("order", 2, 3)]
    assert (done.said, done.text, done.steps, done.stopped) == (("A Sidamo.",), "Ordered.", 4, True)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([[HISTORY], [], [ORDER]], []),
        ([[HISTORY], [], [Call("order", {"id": 8})]], ["dataflow"]),
        # Before the user said so:
        ([[HISTORY], [ORDER], [], []], ["missing", "extra"]),
        ([[HISTORY], [], []], ["missing"]),
        # A read-only tool once more is as harmless in a turn as anywhere, and does not stand for the first turn's.
        ([[HISTORY], [], [HISTORY], [ORDER]], []),
        ([[], [HISTORY], [ORDER]], ["missing", "dataflow"]),
    ],
)
def test_a_call_counts_in_its_own_turn_only(answers, expected):
    assert broken(REORDER, *answers) == expected


def test_no_call_may_be_made_in_a_turn_that_expects_none():
    talk = case(None, [call("order")])
    assert broken(talk, [], [Call("order", {})]) == []
    assert broken(talk, [HISTORY], [], [Call("order", {})]) == ["unwanted"]
    assert broken(talk, [Call("made_up", {})], [], [Call("order", {})]) == ["unknown_tool"]
    thanks = case([call("order")], None)
    assert broken(thanks, [Call("order", {})], [], []) == []
    assert broken(thanks, [Call("order", {})], [], [Call("order", {})]) == ["unwanted"]
    assert case(None, None).plan is None


def test_a_turn_without_an_end_ends_the_run_and_each_turn_has_its_own_steps():
    assert broken(REORDER, [HISTORY], [HISTORY], max_steps=2) == ["missing", "endless"]
    assert broken(REORDER, [HISTORY], [], [ORDER], max_steps=2) == []
    assert broken(REORDER, Answer((), "", None, malformed="no JSON")) == ["missing", "missing", "malformed"]


def test_what_the_user_asks_for_after_a_failure_is_not_carrying_on():
    free = case([call("coupon")], [call("order")], mocks=[call("coupon", error="expired")])
    judge = Says([Call("coupon", {})], [], [Call("order", {})])
    judged = run_suites([(read_suite_of(free), TOOLS)], Handed(judge), Settings())
    assert judged[0].repeats[0].after_failure == "stopped_correctly"
    assert judged[0].ending is Ending.PASSED


class Handed:
    name = "says"

    def __init__(self, judge):
        self._judge = judge

    def judge(self, *_):
        return self._judge

    async def aclose(self):
        pass


def read_suite_of(case):
    suite = read_suite(json.dumps([{"messages": [said("x")], "expectedCall": None}]), "suite.json")
    return type(suite)(suite.source, (case,))


@pytest.mark.parametrize("judge", ["oracle", "noisy-oracle:p=1,seed=1"])
def test_an_oracle_plays_every_turn(judge):
    # The user says the same twice: turns are told by their number.
    twice = case_of(
        messages=[said("Once more."), {"expectedCall": [call("order", {"id": 1})]}, said("Once more.")],
        expectedCall=[call("order", {"id": 2}), call("coupon")],
    )
    suite = type(read_suite_of(twice))("suite.json", (REORDER, twice))
    outcomes = run_suites([(suite, TOOLS)], Judges(judge, JudgeOptions()), Settings())
    assert [each.ending for each in outcomes] == [Ending.PASSED] * 2
    assert [[call.turn for call in each.repeats[0].run.made] for each in outcomes] == [[1, 2], [1, 2, 2]]


def test_the_judge_of_a_page_plays_every_turn_and_takes_what_came_in_an_earlier_one():
    done = run(REORDER, PlanJudge(REORDER))
    assert [(each.name, each.arguments, each.turn) for each in done.made] == [
        ("history", {}, 1),
        ("order", {"id": 7}, 2),
    ]


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        ([{"expectedCall": None}, said("b")], r"messages\[0\]: nobody asks"),
        ([said("a"), {"expectedCall": None}], r"messages\[2\]: nobody asks"),
        (
            [said("a"), {"expectedCall": None}, {"role": "model", "content": "So."}, said("b")],
            r"messages\[2\]: after an",
        ),
        (
            [said("a"), {"expectedCall": None}, {"name": "order", "arguments": {}}, {"name": "order", "response": 1}],
            r"messages\[2\]: after an",
        ),
        (
            [said("a"), {"expectedCall": [{"functionName": "order", "args": 1}]}, said("b")],
            r"messages\[1\].expectedCall\[0\].args",
        ),
        ([said("a"), {"expectedCall": None, "role": "user"}, said("b")], r"messages\[1\].role: there is no such key"),
    ],
)
def test_turns_that_make_no_conversation_are_refused(messages, place):
    with pytest.raises(CensusError, match=place):
        case_of(call("order"), messages=messages)


def test_the_places_of_a_turns_calls_are_those_of_the_file():
    assert [(each.place, each.turn) for each in REORDER.plan] == [
        ("cases[0].messages[1].expectedCall[0]", 1),
        ("cases[0].expectedCall[0]", 2),
    ]


def test_compat_refuses_turns():
    with pytest.raises(CensusError, match=r"cases\[0\]\.messages: an expectedCall among them"):
        check_compat([REORDER], "suite.json")
