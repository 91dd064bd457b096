"""The operators that an expected argument may be written with, each in one place: meaning, operand, test."""

import math
from collections.abc import Callable
from typing import NamedTuple

from pydantic import JsonValue

from measure.evals.json_values import json_equal, json_type
from measure.evals.patterns import pattern_fault, pattern_found

Holds = Callable[[JsonValue, JsonValue], bool]
"""Whether an expected value, itself perhaps with operators, holds of an actual one."""

TYPES = ("string", "number", "boolean", "array", "object", "null")
_ANY = frozenset(TYPES)


class Operator(NamedTuple):
    """An operator: `{"$name": operand}` in the place of a value."""

    meaning: str
    operand: str
    """What the operand has to be, in words for an error message."""
    takes: Callable[[JsonValue], bool]
    holds: Callable[[JsonValue, JsonValue, Holds], bool]
    """Of the operand and the actual value; the third is for what is nested."""
    types: frozenset[str] = _ANY
    """Types of a value that it can hold of."""
    nested: bool = False
    """Whether the operand may hold operators, all of it or its items."""


def _is_number(value: JsonValue) -> bool:
    return json_type(value) == "number"


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_pattern(value: JsonValue) -> bool:
    return isinstance(value, str) and pattern_fault(value) is None


def _compares(holds: Callable[[float, float], bool]) -> Callable[[JsonValue, JsonValue, Holds], bool]:
    def compare(operand: JsonValue, actual: JsonValue, _: Holds) -> bool:
        return _is_number(actual) and holds(actual, operand)  # type: ignore[arg-type]

    return compare


def _has_pattern(operand: JsonValue, actual: JsonValue, _: Holds) -> bool:
    return isinstance(actual, str) and pattern_found(str(operand), actual)


def _contains(operand: JsonValue, actual: JsonValue, _: Holds) -> bool:
    return isinstance(actual, str) and str(operand) in actual


def _all(operand: JsonValue, actual: JsonValue, holds: Holds) -> bool:
    assert isinstance(operand, list)
    return isinstance(actual, list) and all(any(holds(wanted, item) for item in actual) for wanted in operand)


def _in(operand: JsonValue, actual: JsonValue, holds: Holds) -> bool:
    assert isinstance(operand, list)
    return any(holds(wanted, actual) for wanted in operand)


def _length(operand: JsonValue, actual: JsonValue, holds: Holds) -> bool:
    return isinstance(actual, str | list) and holds(operand, len(actual))


def _is_closeness(operand: JsonValue) -> bool:
    return (
        isinstance(operand, dict)
        and operand.keys() == {"value", "within"}
        and all(_is_number(each) for each in operand.values())
        and float(operand["within"]) >= 0  # type: ignore[arg-type]
    )


def _close(operand: JsonValue, actual: JsonValue, _: Holds) -> bool:
    assert isinstance(operand, dict)
    # A hair more than asked for: 0.3 is within 0.1 of 0.2, which floating-point subtraction denies.
    return _is_number(actual) and (
        abs(actual - operand["value"]) <= operand["within"]  # type: ignore[operator]
        or math.isclose(abs(actual - operand["value"]), operand["within"], rel_tol=1e-9)  # type: ignore[operator,arg-type]
    )


_NUMBER = frozenset({"number"})
_TEXT = frozenset({"string"})

OPERATORS: dict[str, Operator] = {
    "$pattern": Operator(
        "A text in which the regular expression (ECMA-262, flags as `(?i)` before it) matches somewhere.",
        "a regular expression of ECMA-262", _is_pattern, _has_pattern, _TEXT,
    ),
    "$contains": Operator("A text that contains this one.", "a text", _is_text, _contains, _TEXT),
    "$gt": Operator("A number above this one.", "a number", _is_number, _compares(lambda a, b: a > b), _NUMBER),
    "$gte": Operator("This number or one above.", "a number", _is_number, _compares(lambda a, b: a >= b), _NUMBER),
    "$lt": Operator("A number below this one.", "a number", _is_number, _compares(lambda a, b: a < b), _NUMBER),
    "$lte": Operator("This number or one below.", "a number", _is_number, _compares(lambda a, b: a <= b), _NUMBER),
    "$type": Operator(
        "A value of this type of JSON.", f"one of {', '.join(TYPES)}",
        lambda operand: operand in TYPES, lambda operand, actual, _: json_type(actual) == operand,
    ),
    "$any": Operator(
        "Any value; only that it is there.", "true", lambda operand: operand is True, lambda *_: True,
    ),
    "$eq": Operator(
        "Exactly this value: no further members in an object, and no operator in it.",
        "a value", lambda _: True, lambda operand, actual, _: json_equal(operand, actual),
    ),
    "$in": Operator(
        "One of these values.", "a list of values with at least one",
        lambda operand: isinstance(operand, list) and bool(operand), _in, nested=True,
    ),
    "$not": Operator(
        "A value that is there and for which this does not hold.", "a value or operators",
        lambda _: True, lambda operand, actual, holds: not holds(operand, actual), nested=True,
    ),
    "$all": Operator(
        "A list in which each of these is found, in any order and among others.", "a list of values with at least one",
        lambda operand: isinstance(operand, list) and bool(operand), _all, frozenset({"array"}), nested=True,
    ),
    "$length": Operator(
        "A text of so many characters, or a list of so many items.", "a number, or operators on one",
        lambda operand: _is_number(operand) or isinstance(operand, dict),
        _length, frozenset({"string", "array"}), nested=True,
    ),
    "$close": Operator(
        "A number that is at most `within` away from `value`.", 'an object {"value": number, "within": number}',
        _is_closeness, _close, _NUMBER,
    ),
}  # fmt: skip
"""In the order of the documentation. `$ref` and `$from` name other places and are no tests; see `expected`."""

PUBLIC = frozenset(["$pattern", "$contains", "$gt", "$gte", "$lt", "$lte", "$type", "$any"])
"""Those that the public suites are written with, and that `compat` knows."""
