import asyncio

import pytest

from measure.evals.examples import NoExampleError, example
from measure.evals.expected import holds
from measure.evals.script import ScriptJudge, oracle_script
from measure.evals.static_run import run_case
from measure.lint.manifest import ManifestTool
from tests.measure.evals.plans import call, case_of


@pytest.mark.parametrize(
    "expected",
    [
        {"$pattern": "Bob.*Smith"},
        {"$pattern": r"^\d{4}-\d{2}$"},
        {"$pattern": "(?i)^colou?r$"},
        {"$pattern": "^(0-49|50-99)$"},
        {"$contains": "anniversary", "$length": 20},
        {"$gt": 1, "$lt": 1.5},
        {"$gt": -5},
        {"$lte": 0},
        {"$type": "array"},
        {"$type": "null"},
        {"$any": True},
        {"$in": [{"$gt": 4}, "x"]},
        {"$not": "text"},
        {"$not": {"$type": "string"}},
        {"$all": [1, {"id": 2}]},
        {"$length": {"$gte": 3}},
        {"$close": {"value": 2.5, "within": 0.1}},
        {"$eq": {"$gt": 1}},
        {"a": [{"b": {"$gt": 1}}, None]},
    ],
)
def test_what_is_expected_holds_of_its_example(expected):
    found = example(expected)
    assert holds(expected, found, {})
    assert example(expected) == found


def test_an_example_fits_the_schema_where_one_does():
    schema = {
        "type": "object",
        "properties": {"size": {"type": "string", "enum": ["S", "M"]}, "n": {"type": "integer"}},
    }
    assert example({"size": {"$type": "string"}, "n": {"$any": True}}, schema) == {"size": "S", "n": 1}
    assert example({"size": {"$not": "S"}}, schema) == {"size": "M"}


@pytest.mark.parametrize(
    ("result", "value"),
    [('{"orders": [{"id": "o-1"}]}', "o-1"), ({"orders": [{"id": 7}]}, 7), ("7", 7), ("o-1", "o-1"), (["a", "b"], "a")],
)
def test_a_value_out_of_a_result_is_one_that_stands_in_it(result, value):
    assert example({"$from": "history"}, None, {"history": result}) == value


@pytest.mark.parametrize("expected", [{"$gt": 1, "$lt": 1}, {"$pattern": r"^\p{Lu}{3}$"}, {"$contains": "a", "$gt": 1}])
def test_where_none_is_found_none_is_made_up(expected):
    with pytest.raises(NoExampleError):
        example(expected)


def script(case, *tools):
    turns = oracle_script(case, [ManifestTool(name, name) for name in tools])
    return {turn: [(each.name, each.arguments) for each in calls] for turn, calls in turns.items()}


def test_an_oracle_makes_the_calls_that_are_not_optional_one_an_answer():
    case = case_of(
        call("a", {"x": {"$gte": 2}}),
        {"unordered": [call("b"), call("c", optional=True)]},
        {"ordered": [call("d"), call("e")], "optional": True},
    )
    assert script(case) == {1: [("a", {"x": 2}), ("b", {})]}


def test_it_says_nothing_where_nothing_may_be_called():
    assert script(case_of(expectedCall=None)) == {}


def test_it_takes_a_value_out_of_what_the_mocks_give():
    case = case_of(
        call("history", id="h"),
        call("order", {"id": {"$from": "h#/orders/0/id"}, "by": {"$from": "who"}}),
        drive=[{"functionName": "login", "id": "who"}],
        mocks=[call("history", result={"orders": [{"id": 7}]}), call("login", result={"user": "ann"})],
    )
    assert script(case) == {1: [("history", {}), ("order", {"id": 7, "by": "ann"})]}


def test_it_takes_what_the_mock_of_that_step_gives():
    case = case_of(
        call("history", id="h"),
        call("order", {"id": {"$from": "h"}}),
        mocks=[call("history", result="a-8", step=2), call("history", result="a-7", step=1)],
    )
    assert script(case) == {1: [("history", {}), ("order", {"id": "a-7"})]}


def test_driven_calls_and_those_of_the_conversation_before_are_not_the_oracles():
    messages = [
        {"role": "user", "content": "Book, then add it to my calendar."},
        {"role": "model", "name": "book", "arguments": {}},
        {"role": "user", "name": "book", "response": {"result": "booked"}},
    ]
    case = case_of(call("add"), messages=messages, drive=[{"functionName": "login"}])
    judge = ScriptJudge(case, oracle_script(case, ()))
    run = asyncio.run(
        run_case(case, (ManifestTool("add", "Adds."), ManifestTool("login", "Logs in.")), judge, max_steps=3)
    )
    assert [each.name for each in run.made] == ["add"]
