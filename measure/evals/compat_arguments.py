"""Expected values exactly as the public runner judges them (webmcp-evals, commit 9626f8d).

An object whose keys all begin with `$` is a test; all of its operators have to hold. Other objects match as subsets,
arrays at full length and item by item, everything else by identity. `$type` knows the names of JavaScript's `typeof`,
so no `integer`. There, an operator that it does not know holds of everything; here a suite with one is not read.
"""

from collections.abc import Callable

from pydantic import JsonValue

from measure.evals.expected import is_test
from measure.evals.json_values import json_type
from measure.evals.patterns import pattern_found


def _pattern(operand: JsonValue, actual: JsonValue) -> bool:
    return isinstance(actual, str) and pattern_found(str(operand), actual)


def _contains(operand: JsonValue, actual: JsonValue) -> bool:
    return isinstance(actual, str) and str(operand) in actual


def _compares(holds: Callable[[float, float], bool]) -> Callable[[JsonValue, JsonValue], bool]:
    def compare(operand: JsonValue, actual: JsonValue) -> bool:
        return json_type(actual) == "number" and holds(actual, operand)  # type: ignore[arg-type]

    return compare


_HOLDS: dict[str, Callable[[JsonValue, JsonValue], bool]] = {
    "$pattern": _pattern,
    "$contains": _contains,
    "$gt": _compares(lambda actual, operand: actual > operand),
    "$gte": _compares(lambda actual, operand: actual >= operand),
    "$lt": _compares(lambda actual, operand: actual < operand),
    "$lte": _compares(lambda actual, operand: actual <= operand),
    "$type": lambda operand, actual: json_type(actual) == operand,
    "$any": lambda _, __: True,
}


def compat_holds(expected: JsonValue, actual: JsonValue) -> bool:
    """Whether the public runner takes an actual value for the expected one."""
    if is_test(expected):
        assert isinstance(expected, dict)
        return all(_HOLDS[name](operand, actual) for name, operand in expected.items())
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and compat_holds(value, actual[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(compat_holds(*pair) for pair in zip(expected, actual, strict=True))
        )
    return json_type(expected) == json_type(actual) and expected == actual
