import asyncio
from datetime import datetime

import pytest

from measure.evals.judging import Matcher, read_only, verdict_of
from measure.evals.run import DriveError
from measure.evals.static_run import run_case
from measure.judges.judge import Answer, Call, Cause, JudgeFault, Message, Usage
from measure.lint.manifest import ManifestTool
from tests.measure.evals.judges import Says
from tests.measure.evals.plans import call, case_of

TOOLS = (
    ManifestTool("history", "Lists orders.", annotations={"readOnlyHint": True}),
    ManifestTool("order", "Orders.", input_schema={"type": "object", "properties": {"id": {"type": "integer"}}}),
    ManifestTool("coupon", "Applies a coupon."),
)


def run(case, judge, *, max_steps=10, clock=None):
    return asyncio.run(run_case(case, TOOLS, judge, max_steps=max_steps, clock=clock))


def verdict(case, judge, matcher=Matcher.DEFAULT, **more):
    return verdict_of(case, run(case, judge, **more), TOOLS, matcher)


REORDER = case_of(
    call("history", id="history"),
    call("order", {"id": {"$from": "history#/orders/0/id"}}),
    mocks=[{"functionName": "history", "result": {"orders": [{"id": 7}]}}],
)


def test_the_same_as_last_month_takes_the_id_from_the_history():
    assert verdict(REORDER, Says([Call("history", {})], [Call("order", {"id": 7})])).passed
    assert [
        each.constraint.value
        for each in verdict(REORDER, Says([Call("history", {})], [Call("order", {"id": 8})])).violations
    ] == ["dataflow"]
    guessed = verdict(REORDER, Says([Call("order", {"id": 7})]))
    assert {each.constraint.value for each in guessed.violations} == {"missing", "dataflow"}


def test_a_judge_is_shown_the_case_and_every_result():
    judge = Says([Call("history", {}, "x")])
    run(REORDER, judge)
    assert [tool.name for tool in judge.offered[0]] == ["history", "order", "coupon"]
    first, second = judge.seen
    assert [message.role for message in first] == ["system", "user"]
    assert first[1] == Message("user", "Please.")
    assert [message.role for message in second] == ["system", "user", "assistant", "tool"]
    assert second[3].content == '{"orders": [{"id": 7}]}'
    assert second[3].call_id == second[2].calls[0].id


def test_calls_of_one_answer_get_each_its_own_result():
    judge = Says([Call("history", {}, "same"), Call("order", {"id": 1}, "same")])
    run(case_of(mocks=[call("history", result="H"), call("order", result="O")], expectedCall=None), judge)
    [assistant, *tools] = judge.seen[1][2:]
    assert [each.content for each in tools] == ["H", "O"]
    assert [each.call_id for each in tools] == [each.id for each in assistant.calls]
    assert len({each.id for each in assistant.calls}) == 2


def test_the_text_of_an_error_reaches_the_judge():
    case = case_of(call("coupon"), mocks=[call("coupon", error="coupon expired on 1 May")])
    judge = Says([Call("coupon", {})])
    made = run(case, judge).made
    assert judge.seen[1][-1].content == "Error: coupon expired on 1 May"
    assert made[0].error == "coupon expired on 1 May"


def test_a_call_of_no_tool_is_recorded_and_answered_as_a_failure():
    judge = Says([Call("made_up", {})])
    done = run(case_of(expectedCall=None), judge)
    assert "no tool 'made_up'" in judge.seen[1][-1].content
    assert [(each.name, each.known) for each in done.made] == [("made_up", False)]


@pytest.mark.parametrize("arguments", [["a"], None, "text"])
def test_arguments_that_are_no_object_reach_no_tool(arguments):
    case = case_of(call("coupon"), mocks=[call("coupon", result="applied")])
    judge = Says([Call("coupon", arguments)])
    done = run(case, judge)
    assert judge.seen[1][-1].content.startswith("Error: ")
    assert done.made[0].error is not None


def test_arguments_that_break_the_schema_are_noted():
    done = run(case_of(call("order")), Says([Call("order", {"id": "7"})], [Call("order", {"id": 7})]))
    assert [each.misfit is None for each in done.made] == [False, True]
    assert done.made[0].misfit.startswith("/id: ")


def test_mocks_go_by_tool_and_arguments_and_the_first_that_fits_answers():
    case = case_of(
        expectedCall=None,
        mocks=[
            call("order", {"id": 1}, result="one", times=1),
            call("order", {"id": {"$lt": 3}}, result="few"),
            call("order", error="sold out"),
        ],
    )
    done = run(case, Says([Call("order", {"id": number}) for number in (1, 1, 2, 9)]))
    assert [(each.result, each.error) for each in done.made] == [
        ("one", None),
        ("few", None),
        ("few", None),
        (None, "sold out"),
    ]


def test_a_mock_output_is_for_the_call_with_the_expected_arguments_and_once():
    case = case_of(call("order", {"id": 1}, mockOutput={"paid": True}), call("order", {"id": 1}, mockOutput=None))
    done = run(case, Says([Call("order", {"id": number}) for number in (2, 1, 1, 1)]))
    assert [(each.result, each.result_known) for each in done.made] == [
        ({}, False),
        ({"paid": True}, True),
        (None, True),
        ({}, False),
    ]


def test_a_run_ends_at_its_last_step_and_that_is_said():
    judge = Says(*[[Call("history", {})]] * 9)
    case = case_of(call("history"))
    done = run(case, judge, max_steps=3)
    assert (done.steps, done.stopped, len(done.made)) == (3, False, 3)
    assert "endless" in {
        each.constraint.value for each in verdict(case, Says(*[[Call("history", {})]] * 9), max_steps=3).violations
    }


def test_a_run_that_needs_all_its_steps_is_not_endless():
    assert verdict(case_of(call("history")), Says([Call("history", {})]), max_steps=2).passed


def test_an_answer_that_is_no_valid_call_ends_the_run_and_fails_it():
    broken = Answer((Call("coupon", "{'a'"),), "", None, malformed="no JSON")
    case = case_of(call("coupon"))
    found = verdict(case, Says(broken, [Call("coupon", {})]))
    assert "malformed" in {each.constraint.value for each in found.violations}
    negative = case_of(expectedCall=None)
    silent = Answer((), "coupon(", None, malformed="no JSON")
    assert [each.constraint.value for each in verdict(negative, Says(silent)).violations] == ["malformed"]
    # The public runner sees no call, so it passes the case.
    assert verdict(negative, Says(silent), Matcher.COMPAT).passed


def test_a_fault_of_the_judge_is_no_verdict():
    class Fails:
        name = "fails"

        async def answer(self, messages, tools):
            raise JudgeFault(Cause.RATE_LIMITED, "slow down")

    with pytest.raises(JudgeFault):
        run(case_of(call("coupon")), Fails())


def test_tokens_of_all_answers_are_added():
    done = run(
        case_of(call("coupon")), Says(Answer((Call("coupon", {}),), "", Usage(10, 2)), Answer((), "", Usage(20, 3)))
    )
    assert (done.input_tokens, done.output_tokens) == (30, 5)


class TestDrive:
    """The chain is run without the judge, which is then asked for one call."""

    CASE = case_of(
        call("coupon", {"code": "FreePizza"}),
        drive=[call("history", {}, id="h"), call("order", {"id": 7})],
        mocks=[call("history", result={"id": 7}), call("order", {"id": 7}, result="in the cart")],
    )

    def test_driven_calls_stand_before_the_judge_and_are_not_its_own(self):
        judge = Says([Call("coupon", {"code": "FreePizza"})])
        done = run(self.CASE, judge)
        assert [message.role for message in judge.seen[0]] == [
            "system",
            "user",
            "assistant",
            "tool",
            "assistant",
            "tool",
        ]
        assert judge.seen[0][-1].content == "in the cart"
        assert [each.name for each in done.made] == ["coupon"]
        assert done.driven == {"h": {"id": 7}}
        assert verdict(self.CASE, Says([Call("coupon", {"code": "FreePizza"})])).passed

    def test_a_state_that_is_not_reached_is_no_verdict(self):
        case = case_of(call("coupon"), drive=[call("order", {"id": 7})], mocks=[call("order", error="sold out")])
        with pytest.raises(DriveError, match=r"drive\[0\], 'order', failed: sold out"):
            run(case, Says())


class TestClock:
    def told(self, case, clock=None):
        judge = Says()
        run(case, judge, clock=clock)
        return judge.seen[0][0].content

    def test_without_one_nothing_is_said_of_the_time(self):
        assert "It is" not in self.told(case_of(call("a")))

    def test_a_day(self):
        assert self.told(case_of(call("a"), clock="2026-01-19")).endswith("It is Monday, 19 January 2026.")

    def test_a_time_of_the_day(self):
        assert self.told(case_of(call("a"), clock="2026-01-19T08:05")).endswith("It is Monday, 19 January 2026, 08:05.")

    def test_the_case_s_own_counts(self):
        other = datetime(2020, 2, 2)  # noqa: DTZ001
        assert self.told(case_of(call("a"), clock="2026-01-19"), other).endswith("2026.")
        assert self.told(case_of(call("a")), other).endswith("It is Sunday, 2 February 2020.")


def test_a_tool_is_read_only_when_it_says_so():
    assert read_only(TOOLS) == {"history"}
