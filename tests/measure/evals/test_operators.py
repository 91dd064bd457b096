import json
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.evals.compat_arguments import compat_holds
from measure.evals.expected import holds, mismatches
from measure.evals.operators import OPERATORS, PUBLIC
from measure.evals.suite import read_suite
from tests.measure.evals.plans import ASKED, call

HOLD_IN_BOTH = [
    # expected, actual, whether it holds: by the public suites' documentation of their operators
    ({"$pattern": "Bob.*Smith"}, "It is Bob J. Smith", True),
    ({"$pattern": "Bob.*Smith"}, "Bob", False),
    ({"$pattern": "^a$"}, "ba", False),
    ({"$pattern": "(?i)COLOU?R"}, "the color", True),
    ({"$pattern": "(?i)COLOU?R"}, "the clor", False),
    ({"$pattern": "(?y)b"}, "ab", False),
    ({"$pattern": r"^\p{L}$"}, "pLLL", False),
    ({"$pattern": "5"}, 5, False),
    ({"$contains": "anniversary"}, "our anniversary!", True),
    ({"$contains": "anniversary"}, "our Anniversary!", False),
    ({"$contains": "a"}, ["a"], False),
    ({"$gt": 1}, 1, False),
    ({"$gt": 1}, 1.5, True),
    ({"$gte": 1}, 1, True),
    ({"$lt": 1}, 0, True),
    ({"$lt": 1}, 1, False),
    ({"$lte": 1}, 1, True),
    ({"$gt": 0}, True, False),
    ({"$gt": 0}, "1", False),
    ({"$gte": 1, "$lt": 3}, 2, True),
    ({"$gte": 1, "$lt": 3}, 3, False),
    ({"$type": "string"}, "", True),
    ({"$type": "number"}, True, False),
    ({"$type": "number"}, 1.5, True),
    ({"$type": "array"}, [], True),
    ({"$type": "object"}, {}, True),
    ({"$type": "object"}, None, False),
    ({"$type": "object"}, [], False),
    ({"$type": "null"}, None, True),
    ({"$any": True}, None, True),
    # values
    (1, 1.0, True),
    (1, True, False),
    (0, False, False),
    (None, False, False),
    ("1", 1, False),
    ({"a": 1}, {"a": 1, "more": 2}, True),
    ({"a": 1}, {"more": 2}, False),
    ({"a": {"b": {"$gt": 1}}}, {"a": {"b": 2, "c": 3}}, True),
    ({}, {"a": 1}, True),
    ({}, [], False),
    ([1, 2], [1, 2], True),
    ([1, 2], [2, 1], False),
    ([1], [1, 2], False),
    ([{"$any": True}], ["x"], True),
    ({"a": None}, {}, False),
    ({"a": {"$any": True}}, {}, False),
]


@pytest.mark.parametrize(("expected", "actual", "does"), HOLD_IN_BOTH)
def test_public_operators_and_values_hold_alike_in_both_matchers(expected, actual, does):
    assert holds(expected, actual, {}) is does
    assert compat_holds(expected, actual) is does


@pytest.mark.parametrize(
    ("expected", "actual", "does"),
    [
        ({"$eq": {"a": 1}}, {"a": 1, "b": 2}, False),
        ({"$eq": {"a": 1}}, {"a": 1.0}, True),
        ({"$eq": {"$gt": 1}}, {"$gt": 1}, True),
        ({"$eq": [1]}, [1, 2], False),
        ({"$eq": True}, 1, False),
        ({"$in": ["a", {"$gt": 5}]}, 6, True),
        ({"$in": ["a", {"$gt": 5}]}, "a", True),
        ({"$in": ["a", {"$gt": 5}]}, 5, False),
        ({"$not": {"$contains": "Dell"}}, "HP", True),
        ({"$not": {"$contains": "Dell"}}, "a Dell", False),
        ({"$not": "Dell"}, None, True),
        ({"$all": ["b", "a"]}, ["a", "x", "b"], True),
        ({"$all": ["b", "a"]}, ["a", "x"], False),
        ({"$all": [{"id": 1}]}, [{"id": 1, "n": 2}], True),
        ({"$all": ["a"]}, "a", False),
        ({"$length": 2}, ["a", "b"], True),
        ({"$length": 2}, "🫑🧅", True),
        ({"$length": {"$gte": 2}}, [1], False),
        ({"$length": 0}, {}, False),
        ({"$close": {"value": 0.2, "within": 0.1}}, 0.3, True),
        ({"$close": {"value": 0.2, "within": 0.1}}, 0.31, False),
        ({"$close": {"value": 2, "within": 0}}, 2, True),
        ({"$close": {"value": 1, "within": 1}}, True, False),
    ],
)
def test_operators_of_our_own(expected, actual, does):
    assert holds(expected, actual, {}) is does


def test_every_operator_is_tried_in_this_file():
    text = Path(__file__).read_text()
    assert [name for name in OPERATORS if f'"{name}"' not in text] == []


def test_a_mismatch_says_where_and_what():
    expected = {"size": {"$in": ["S", "M"]}, "items": [{"id": 1}], "a/b": 2}
    actual = {"size": "L", "items": [{"id": 7}], "a/b": 3}
    assert {(each.pointer, each.expected, each.actual) for each in mismatches(expected, actual, {})} == {
        ("/size", '$in ["S", "M"]', '"L"'),
        ("/items/0/id", "1", "7"),
        ("/a~1b", "2", "3"),
    }


@pytest.mark.parametrize(
    ("source", "result", "argument", "does"),
    [
        ("history#/orders/0/id", {"orders": [{"id": 7}]}, 7, True),
        ("history#/orders/0/id", {"orders": [{"id": 7}]}, "7", False),
        ("history#/orders/1/id", {"orders": [{"id": 7}]}, 7, False),
        ("history#/orders/0/id", '{"orders": [{"id": 7}]}', 7, True),
        ("history#", 7, 7, True),
        ("history#/a~1b", {"a/b": "x"}, "x", True),
        ("history", {"orders": [{"id": 7}, {"id": 8}]}, 8, True),
        ("history", {"orders": [{"id": 7}]}, 9, False),
        ("history", "Your last order was no. 4711.", 4711, True),
        ("history", "Your last order was no. 4711.", "4711", True),
        ("history", "Your last order was no. 4711.", 471, False),
        ("history", "Your last order was no. 4711.", True, False),
        ("history", "4711", "4711", True),
        ("history", "4711", 4711, True),
        ("history", '{"id": 7}', "id", False),
        ("history", "anything", "", False),
        ("history", None, 7, False),
    ],
)
def test_a_value_comes_from_an_earlier_result(source, result, argument, does):
    assert holds({"id": {"$from": source}}, {"id": argument}, {"history": result}) is does


def test_where_a_value_comes_from_is_not_judged_before_the_result_is_known():
    assert holds({"id": {"$from": "history#/0"}}, {"id": "anything"}, {})


@pytest.mark.parametrize(
    ("arguments", "place", "said"),
    [
        ({"a": {"$equals": 1}}, "arguments.a.$equals", "$equals is no operator; there are: $pattern, $contains"),
        ({"a": [{"$patern": "x"}]}, "arguments.a[0].$patern", "is no operator"),
        ({"a": {"$gt": "1"}}, "arguments.a.$gt", 'takes a number, not "1"'),
        ({"a": {"$gt": True}}, "arguments.a.$gt", "takes a number, not true"),
        ({"a": {"$pattern": "("}}, "arguments.a.$pattern", "takes a regular expression"),
        ({"a": {"$pattern": "(?x)a"}}, "arguments.a.$pattern", "takes a regular expression"),
        ({"a": {"$type": "integer"}}, "arguments.a.$type", "takes one of string, number"),
        ({"a": {"$any": False}}, "arguments.a.$any", "takes true"),
        ({"a": {"$in": []}}, "arguments.a.$in", "takes a list"),
        ({"a": {"$in": [{"$nope": 1}]}}, "arguments.a.$in[0].$nope", "is no operator"),
        ({"a": {"$not": {"$gt": None}}}, "arguments.a.$not.$gt", "takes a number"),
        ({"a": {"$close": {"value": 1}}}, "arguments.a.$close", "takes an object"),
        ({"a": {"$close": {"value": 1, "within": -1}}}, "arguments.a.$close", "takes an object"),
        ({"a": {"b": 1, "$gt": 1}}, "arguments.a.$gt", "stands among plain members"),
        ({"a": {"$in": [{"$from": "x"}]}}, "arguments.a.$in[0].$from", "inside another operator"),
        ({"a": {"$from": "x", "$gt": 1}}, "arguments.a.$from", "beside other operators"),
        ({"a": {"$from": "#/x"}}, "arguments.a.$from", "takes the id"),
        ({"a": {"$from": "x#y"}}, "arguments.a.$from", "no JSON pointer"),
        ({"a": {"$from": "x"}}, "", "is the id of no other call"),
        ({"a": {"$ref": "#/definitions/x"}}, "arguments.a.$ref", "names no definition"),
    ],
)
def test_what_is_no_operator_is_refused_with_its_place(arguments, place, said):
    with pytest.raises(CensusError) as refused:
        read_suite(json.dumps([{"messages": ASKED, "expectedCall": [call("a", arguments)]}]), "suite.json")
    assert str(refused.value).startswith(f"suite.json: cases[0].expectedCall[0]{'.' if place else ''}{place}")
    assert said in str(refused.value)


def test_the_public_operators_are_the_eight_of_the_public_suites():
    assert set("$pattern $contains $gt $gte $lt $lte $type $any".split()) == PUBLIC
