import json
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from census.errors import CensusError
from measure.evals.plan import ABSENT, Group, Order, PlannedCall
from measure.evals.suite import read_suite
from measure.judges.judge import Call, Message
from tests.measure.evals.plans import ASKED, call


def read(value):
    return read_suite(json.dumps(value), "suite.json")


def refused(value) -> str:
    with pytest.raises(CensusError) as error:
        read(value)
    return str(error.value)


def one(**members):
    return [{"messages": ASKED, "expectedCall": None, **members}]


def test_a_list_of_cases_is_a_suite():
    suite = read([{"name": " Small ", "messages": ASKED, "expectedCall": [call("size", {"size": "S"})]}])
    [case] = suite.cases
    assert (case.name, case.place, suite.tools) == ("Small", "cases[0]", None)
    assert case.plan == (PlannedCall("cases[0].expectedCall[0]", "size", {"size": "S"}),)


def test_a_case_without_a_name_is_called_by_its_first_words():
    assert read(one()).cases[0].name == "Please."


@pytest.mark.parametrize("nothing", [None, []])
def test_null_and_an_empty_list_both_say_that_no_call_may_be_made(nothing):
    assert read(one(expectedCall=nothing)).cases[0].plan is None


def test_groups_nest():
    [case] = read(
        one(expectedCall=[{"unordered": [{"ordered": [call("a"), call("b")]}, call("c")], "optional": True}])
    ).cases
    [group] = case.plan
    assert isinstance(group, Group)
    assert (group.order, group.optional) == (Order.UNORDERED, True)
    assert group.members[0].place == "cases[0].expectedCall[0].unordered[0]"
    assert group.members[0].members[1].place == "cases[0].expectedCall[0].unordered[0].ordered[1]"


def test_null_is_a_result_and_a_mock_output_of_its_own():
    [case] = read(one(expectedCall=[call("a", result=None, mockOutput=None), call("b")])).cases
    assert (case.plan[0].result, case.plan[0].mock_output) == (None, None)
    assert (case.plan[1].result, case.plan[1].mock_output) == (ABSENT, ABSENT)


def test_messages_are_known_by_what_they_hold_when_they_have_no_type():
    [case] = read(
        one(
            messages=[
                {"role": "user", "content": "Add one onion"},
                {"role": "model", "name": "add", "arguments": {"topping": "onion"}},
                {"role": "user", "name": "add", "response": {"result": "Added."}},
                {"role": "model", "content": "Done."},
                {"role": "user", "content": "Remove it"},
            ]
        )
    ).cases
    assert case.messages == (
        Message("user", "Add one onion"),
        Message("assistant", "", (Call("add", {"topping": "onion"}, "earlier-1"),)),
        Message("tool", "Added.", call_id="earlier-1"),
        Message("assistant", "Done."),
        Message("user", "Remove it"),
    )


def test_two_earlier_calls_of_one_tool_get_each_its_own_response():
    asked = [{"role": "user", "content": "x"}]
    calls = [{"role": "model", "name": "add", "arguments": {"n": n}} for n in (1, 2)]
    responses = [{"role": "user", "name": "add", "response": {"n": n}} for n in (1, 2)]
    [case] = read(one(messages=[*asked, *calls, *responses])).cases
    assert [message.call_id for message in case.messages if message.role == "tool"] == ["earlier-1", "earlier-2"]


def test_an_object_shares_tools_mocks_definitions_and_a_clock():
    suite = read(
        {
            "tools": [{"name": "order", "description": "Orders."}],
            "definitions": {"soon": {"$pattern": "^2026-"}, "id": {"$in": [1, {"$ref": "#/definitions/soon"}]}},
            "mocks": [{"functionName": "order", "result": "ok"}],
            "clock": "2026-01-19",
            "cases": [
                {
                    "messages": ASKED,
                    "expectedCall": [call("order", {"id": {"$ref": "#/definitions/id"}})],
                    "mocks": [{"functionName": "order", "error": "no"}],
                }
            ],
        }
    )
    [case] = suite.cases
    assert [tool.name for tool in suite.tools] == ["order"]
    assert case.plan[0].arguments == {"id": {"$in": [1, {"$pattern": "^2026-"}]}}
    assert [mock.error for mock in case.mocks] == ["no", None]
    assert case.clock == datetime(2026, 1, 19)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([{"messages": ASKED}], "cases[0].expectedCall: is missing; write null when no call may be made"),
        (one(expectedCalls=[]), "cases[0].expectedCalls: there is no such key"),
        (one(expectedCall=[{"functionName": "a", "args": {}}]), "cases[0].expectedCall[0].args: there is no such key"),
        (
            one(expectedCall=[{"unordered": [{"ordered": [{"function": "a"}]}]}]),
            "cases[0].expectedCall[0].unordered[0].ordered[0].functionName: is missing",
        ),
        (one(expectedCall=[{"ordered": []}]), "cases[0].expectedCall[0].ordered: "),
        (one(expectedCall=[{"ordered": [call("a")], "unordered": []}]), "cases[0].expectedCall[0].unordered: "),
        (one(expectedCall=call("a")), "cases[0].expectedCall: "),
        (one(messages=[]), "cases[0].messages: "),
        (one(messages=[{"role": "user", "type": "mesage", "content": "x"}]), "cases[0].messages[0]: write message,"),
        (one(messages=[{"role": "robot", "content": "x"}]), "cases[0].messages[0].role: "),
        (
            one(messages=[*ASKED, {"role": "user", "name": "a", "response": {}}]),
            "cases[0].messages: the functionresponse of 'a' answers no functioncall",
        ),
        (
            one(messages=[*ASKED, {"role": "model", "name": "a", "arguments": {}}]),
            "cases[0].messages: the call of 'a' has no functionresponse",
        ),
        (one(mocks=[{"functionName": "a"}]), "cases[0].mocks[0]: give one of: a result, an error, hang, nothing"),
        (one(mocks=[{"functionName": "a", "result": 1, "error": "x"}]), "cases[0].mocks[0]: give one of"),
        (one(mocks=[{"functionName": "a", "result": 1, "times": 0}]), "cases[0].mocks[0].times: "),
        (
            one(mocks=[{"functionName": "a", "arguments": {"x": {"$no": 1}}, "result": 1}]),
            "cases[0].mocks[0].arguments.x.$no",
        ),
        (one(forbidden=[call("a", {"x": {"$from": "b"}})]), "cases[0].forbidden[0].arguments: $from has a place only"),
        (one(limits={"a": {"min": 2, "max": 1}}), "cases[0].limits.a: max 1 is under min 2"),
        (one(limits={"a": {"most": 1}}), "cases[0].limits.a.most: there is no such key"),
        (one(request="vague"), "cases[0].request: "),
        (one(expectedCall=[call("a", id="x"), call("b", id="x")]), "cases[0]: the id 'x' is used twice"),
        (one(expectedCall=[call("a", {"x": {"$from": "me"}}, id="me")]), "cases[0].expectedCall[0]: $from names 'me'"),
        ({"cases": []}, "cases: "),
        ({"case": []}, "cases: is missing"),
        ({"definitions": {"a": {"$ref": "#/definitions/a"}}, "cases": one()}, "definitions.a.$ref: "),
        ([], "cases: "),
        ("text", "the suite: "),
        ([7], "cases[0]: "),
    ],
)
def test_what_is_no_suite_is_refused_with_its_place(value, said):
    assert refused(value).startswith(f"suite.json: {said}")


@pytest.mark.parametrize("text", ["", "{", '[{"messages": 1, "messages": 2}]', "[NaN]"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(CensusError, match=r"suite\.json"):
        read_suite(text, "suite.json")


@pytest.mark.parametrize("levels", [250, 900, 5000])
def test_what_is_nested_too_deep_is_refused_in_a_line(levels):
    deep = "[" * levels + "]" * levels
    with pytest.raises(CensusError) as error:
        read_suite(f'[{{"messages": {json.dumps(ASKED)}, "expectedCall": {deep}}}]', "suite.json")
    assert str(error.value).startswith("suite.json is nested")
    assert len(str(error.value)) < 100


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=3),
        lambda below: (
            st.lists(below, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    "messages expectedCall functionName arguments ordered role content $in $from x".split()
                ),
                below,
                max_size=3,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_a_file_holds_it_is_read_or_refused(value):
    for text in (json.dumps(value), json.dumps([{"messages": ASKED, "expectedCall": [call("a", {"x": value})]}])):
        said = ""
        try:
            read_suite(text, "suite.json")
        except CensusError as error:
            said = str(error)
        assert said == "" or said.startswith("suite.json")


def test_a_reference_does_not_reach_into_what_is_meant_as_it_is():
    literal = {"$eq": {"$ref": "#/definitions/none"}}
    [case] = read(one(expectedCall=[call("a", {"x": literal})])).cases
    assert case.plan[0].arguments == {"x": literal}
