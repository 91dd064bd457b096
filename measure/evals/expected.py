"""Expected values: plain JSON, in which an object whose keys all begin with `$` is a test instead of a value.

Objects match as subsets: further members of the actual one are let pass. Arrays match item by item, at full length.
`{"$from": "history#/orders/0/id"}` is the value at that place of the result of the call with the id `history`;
without `#` it is a value that stands anywhere in that result. `{"$ref": "#/definitions/name"}` stands for what the
suite's `definitions` have under that name.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from measure.evals.json_values import at_pointer, escaped, holds_somewhere, json_equal, json_type, shown, steps_of
from measure.evals.operators import OPERATORS

FROM, REF = "$from", "$ref"
DEFINITIONS = "#/definitions/"
MAX_DEPTH = 100

Results = Mapping[str, JsonValue]
"""Results of earlier calls, by the ids of the expected calls that they were made for."""


class Mismatch(NamedTuple):
    """A place at which an actual value is not the expected one."""

    pointer: str
    """RFC 6901, into the arguments."""
    expected: str
    actual: str


class Source(NamedTuple):
    """Where `$from` takes a value from."""

    call: str
    pointer: str | None
    """RFC 6901 pointer into the result; None for anywhere in it."""


class Fault(NamedTuple):
    """What is wrong with an expected value as it is written, and where in it."""

    path: tuple[str | int, ...]
    message: str


def is_test(value: JsonValue) -> bool:
    """Whether an expected value is a test: an object with keys that all begin with `$`, and at least one."""
    return isinstance(value, dict) and bool(value) and all(key.startswith("$") for key in value)


def source_of(text: str) -> Source:
    """Read the operand of `$from`. Raises ValueError when its pointer is none."""
    call, sign, pointer = text.partition("#")
    if sign:
        steps_of(pointer)
    return Source(call, pointer if sign else None)


def sources(value: JsonValue) -> set[Source]:
    """Everything that `$from` names in an expected value without faults."""
    if isinstance(value, dict):
        if value.keys() == {FROM}:
            return {source_of(str(value[FROM]))}
        return set() if "$eq" in value else {found for each in value.values() for found in sources(each)}
    if isinstance(value, list):
        return {found for each in value for found in sources(each)}
    return set()


def mismatches(expected: JsonValue, actual: JsonValue, results: Results, pointer: str = "") -> Iterator[Mismatch]:
    """The places at which an actual value is not the expected one; none when it is.

    A `$from` whose call is not among the results holds of anything: whether it does is then not known.
    """
    if is_test(expected):
        assert isinstance(expected, dict)
        for name, operand in expected.items():
            if not _test_holds(name, operand, actual, results):
                yield Mismatch(pointer, _test_shown(name, operand, results), shown(actual))
    elif isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            place = f"{pointer}/{escaped(key)}"
            if key in actual:
                yield from mismatches(value, actual[key], results, place)
            else:
                yield Mismatch(place, shown(value), "nothing")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            yield from mismatches(*pair, results, f"{pointer}/{index}")
    elif not json_equal(expected, actual):
        yield Mismatch(pointer, shown(expected), shown(actual))


def holds(expected: JsonValue, actual: JsonValue, results: Results) -> bool:
    """Whether an actual value is the expected one."""
    return next(mismatches(expected, actual, results), None) is None


def _test_holds(name: str, operand: JsonValue, actual: JsonValue, results: Results) -> bool:
    if name == FROM:
        source = source_of(str(operand))
        return source.call not in results or _came_from(source, actual, results)
    return OPERATORS[name].holds(operand, actual, lambda wanted, value: holds(wanted, value, results))


def _came_from(source: Source, actual: JsonValue, results: Results) -> bool:
    if source.pointer is None:
        return holds_somewhere(results[source.call], actual)
    there, value = at_pointer(results[source.call], source.pointer)
    return there and json_equal(value, actual)


def _test_shown(name: str, operand: JsonValue, results: Results) -> str:
    if name != FROM:
        return f"{name} {shown(operand)}"
    source = source_of(str(operand))
    if source.pointer is None:
        return f"a value of the result of {source.call!r}"
    there, value = at_pointer(results[source.call], source.pointer)
    return f"{shown(value)} from {operand}" if there else f"a value at {operand}, where the result has none"


def faults(value: JsonValue, path: tuple[str | int, ...] = (), *, plain: bool = True) -> Iterator[Fault]:
    """What is wrong with an expected value as it is written, after its references were resolved.

    `plain`: not inside an operator's operand; there `$from` has no place.
    """
    if len(path) > MAX_DEPTH:
        yield Fault(path[:5], f"is nested deeper than {MAX_DEPTH} levels; flatten it")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from faults(each, (*path, index), plain=plain)
    elif isinstance(value, dict) and is_test(value):
        yield from _test_faults(value, path, plain)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key.startswith("$"):
                yield Fault(
                    (*path, key),
                    f"{key} stands among plain members; write operators in an object of their own, or the whole"
                    ' object as {"$eq": …} when the key is meant as it is',
                )
            else:
                yield from faults(each, (*path, key), plain=plain)


def _test_faults(value: dict[str, JsonValue], path: tuple[str | int, ...], plain: bool) -> Iterator[Fault]:
    for name, operand in value.items():
        place = (*path, name)
        if name == FROM:
            yield from _from_faults(value, operand, place, plain)
        elif name not in OPERATORS:
            known = ", ".join([*OPERATORS, FROM, REF])
            yield Fault(place, f"{name} is no operator; there are: {known}")
        elif not OPERATORS[name].takes(operand):
            yield Fault(place, f"takes {OPERATORS[name].operand}, not {shown(operand)}")
        elif OPERATORS[name].nested:
            yield from faults(operand, place, plain=False)


def _from_faults(
    value: dict[str, JsonValue], operand: JsonValue, place: tuple[str | int, ...], plain: bool
) -> Iterator[Fault]:
    if not plain:
        yield Fault(place, "$from stands inside another operator; write it where the value itself is expected")
    elif len(value) > 1:
        yield Fault(place, "$from stands beside other operators; write it alone")
    elif json_type(operand) != "string" or not str(operand).partition("#")[0]:
        yield Fault(place, 'takes the id of an expected call, "history", or a place in its result, "history#/0/id"')
    else:
        try:
            source_of(str(operand))
        except ValueError as error:
            yield Fault(place, str(error))
