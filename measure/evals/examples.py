"""A value for an expected one: what somebody who knows what is expected would write."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from pydantic import JsonValue

from measure.evals.expected import FROM, Results, holds, is_test, source_of
from measure.evals.json_values import as_json, at_pointer, shown
from measure.evals.patterns import pattern_found
from measure.lint.json_schema import refusal

_DEFAULTS: dict[str, JsonValue] = {
    "string": "text", "number": 1, "integer": 1, "boolean": True, "array": [], "object": {}, "null": None,
}  # fmt: skip
_BOUNDS = ("$gt", "$gte", "$lt", "$lte")
_FLAGS = re.compile(r"^\(\?[a-z]+\)")


class NoExampleError(ValueError):
    """No value was found for which an expected one holds."""


def example(expected: JsonValue, schema: JsonValue = None, results: Results | None = None) -> JsonValue:
    """A value for which `expected` holds, and which fits the schema where one of those tried does.

    `results`: of the calls that `$from` takes values from. Raises NoExampleError when nothing that was tried holds.
    """
    if is_test(expected):
        assert isinstance(expected, dict)
        return _of_test(expected, schema, results or {})
    if isinstance(expected, dict):
        return {key: example(value, _member(schema, key), results) for key, value in expected.items()}
    if isinstance(expected, list):
        items = schema.get("items") if isinstance(schema, dict) else None
        return [example(each, items, results) for each in expected]
    return expected


def _member(schema: JsonValue, key: str) -> JsonValue:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties.get(key) if isinstance(properties, dict) else None


def _of_test(test: dict[str, JsonValue], schema: JsonValue, results: Results) -> JsonValue:
    found = [
        each for each in [*_candidates(test, schema, results), *_by_schema(schema), *_DEFAULTS.values()]
        if holds(test, each, results)
    ]  # fmt: skip
    if not found:
        raise NoExampleError(f"no value was found that {shown(test)} holds of")
    fitting = (each for each in found if not isinstance(schema, dict) or refusal(schema, each) is None)
    return next(fitting, found[0])


def _candidates(test: dict[str, JsonValue], schema: JsonValue, results: Results) -> Iterator[JsonValue]:
    for name, operand in test.items():
        yield from _given(str(operand), results) if name == FROM else _for_operator(name, operand, schema)
    bounds = [operand for name, operand in test.items() if name in _BOUNDS]
    if len(bounds) == 2:
        yield sum(bounds) / 2  # type: ignore[arg-type]
    length = test.get("$length")
    if "$contains" in test and isinstance(length, int):
        yield str(test["$contains"]).ljust(length, "x")


def _for_operator(name: str, operand: JsonValue, schema: JsonValue) -> Iterator[JsonValue]:
    if name in ("$eq", "$contains"):
        yield operand
    elif name in _BOUNDS:
        assert isinstance(operand, int | float)
        yield from (operand, operand + 1, operand - 1)
    elif name == "$pattern":
        yield from _matching(str(operand))
    elif name == "$type":
        yield _DEFAULTS[str(operand)]
    elif name == "$close":
        assert isinstance(operand, dict)
        yield operand["value"]
    elif name == "$length":
        yield from _of_length(example(operand))
    elif name in ("$in", "$all"):
        assert isinstance(operand, list)
        items = [example(each, schema if name == "$in" else None) for each in operand]
        yield from items if name == "$in" else [items]


def _given(source: str, results: Results) -> Iterator[JsonValue]:
    call, pointer = source_of(source)
    if call not in results:
        return
    if pointer is not None:
        there, value = at_pointer(results[call], pointer)
        yield from [value] if there else []
        return
    waiting = [as_json(results[call])]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)
        else:
            yield each
    if not isinstance(as_json(results[call]), dict | list):
        yield results[call]


class _Least(Random):
    """Chooses what comes first, and as few as may be: texts that are short and the same every time."""

    def randint(self, a: int, b: int) -> int:
        return a

    def choice(self, seq: Any) -> Any:
        return seq[0]


def _matching(pattern: str) -> Iterator[str]:
    # Only whoever asks for an example needs the library.
    import rstr

    plain = _FLAGS.sub("", pattern)
    for random in (_Least(), Random(0)):  # noqa: S311
        try:
            text = rstr.Rstr(random).xeger(plain)
        except (re.error, KeyError, ValueError, IndexError):
            # The library reads Python's expressions; what only ECMA-262 has, it does not know.
            continue
        if pattern_found(pattern, text):
            yield text


def _of_length(length: JsonValue) -> Iterator[JsonValue]:
    if isinstance(length, int | float) and 0 <= length <= 10_000:
        yield "x" * int(length)
        yield [None] * int(length)


def _by_schema(schema: JsonValue) -> Iterator[JsonValue]:
    if not isinstance(schema, dict):
        return
    for key in ("default", "const"):
        if key in schema:
            yield schema[key]
    for key in ("examples", "enum"):
        values = schema.get(key)
        yield from values if isinstance(values, list) else []
    kind = schema.get("type")
    for each in kind if isinstance(kind, list) else [kind]:
        if isinstance(each, str) and each in _DEFAULTS:
            yield _DEFAULTS[each]
