"""Whether what a suite expects of arguments can be, by the input schemas of the tools."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.expected import FROM, is_test
from measure.evals.json_values import escaped, shown
from measure.evals.lint_rule import SuiteHit, SuiteRule
from measure.evals.operators import OPERATORS
from measure.lint.json_schema import clean
from measure.lint.manifest import ManifestTool
from measure.lint.schema_walk import MAX_DEPTH, depth

_COUNTING = ("required", "minProperties", "dependentRequired", "dependencies", "dependentSchemas")
_DROPPED = object()
_JSON_TYPES = {"integer": "number"}


def argument_findings(case: Case, place: str, expected: JsonValue, tool: ManifestTool) -> Iterator[SuiteHit]:
    """What of some expected arguments the tool's schema rules out. Members that are not expected are not missed."""
    schema = tool.input_schema
    if (
        not isinstance(expected, dict)
        or not isinstance(schema, dict)
        or depth([schema, expected], MAX_DEPTH) >= MAX_DEPTH
    ):
        return
    yield from _refused(case, place, expected, tool)
    plain = expected.get("$eq") if is_test(expected) else expected
    if isinstance(plain, dict):
        yield from _walked(case, place, plain, schema, tool.name)


def _refused(case: Case, place: str, expected: JsonValue, tool: ManifestTool) -> Iterator[SuiteHit]:
    try:
        relaxed: Any = clean(_relaxed(tool.input_schema))
        validator = jsonschema_rs.Draft202012Validator(relaxed, offline=True)
        values: Any = clean(_values(expected))
        errors = list(validator.iter_errors(values))
    except (ValueError, jsonschema_rs.ReferencingError):
        return
    for error in errors:
        where = "".join(f"/{escaped(step)}" for step in error.instance_path)
        yield SuiteHit(
            SuiteRule.BAD_ARGUMENTS,
            case.name,
            place,
            f"{tool.name!r} does not take {where or 'the arguments'}: {shown(error.message, 160)[1:-1]}",
            "Expect a value that the schema takes, or correct the schema.",
        )


def _relaxed(schema: JsonValue) -> JsonValue:
    """The schema without what asks for members: an expected object is only a part of the actual one."""
    if isinstance(schema, list):
        return [_relaxed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _relaxed(value)
        for key, value in schema.items()
        # A property may be called `required`; its schema is an object, or true, and never a list or a number.
        if not (key in _COUNTING and (isinstance(value, list | int) and not isinstance(value, bool)))
    }


def _values(expected: JsonValue) -> JsonValue:
    """The members that are expected as values; a list with an operator in it is left out whole."""
    kept = _kept(expected)
    return {} if kept is _DROPPED else kept


def _kept(expected: JsonValue) -> Any:
    if is_test(expected):
        assert isinstance(expected, dict)
        return expected.get("$eq", _DROPPED)
    if isinstance(expected, dict):
        members = {key: _kept(value) for key, value in expected.items()}
        return {key: value for key, value in members.items() if value is not _DROPPED}
    if isinstance(expected, list):
        items = [_kept(each) for each in expected]
        return _DROPPED if any(each is _DROPPED for each in items) else items
    return expected


def _walked(case: Case, place: str, expected: dict[str, JsonValue], schema: JsonValue, tool: str) -> Iterator[SuiteHit]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(schema, dict) or not isinstance(properties, dict):
        return
    for key, value in expected.items():
        at = f"{place}.{key}"
        member = properties.get(key)
        if key not in properties:
            if not _takes_more(schema):
                yield SuiteHit(
                    SuiteRule.UNKNOWN_ARGUMENT,
                    case.name,
                    at,
                    f"the schema of {tool!r} has no {key!r}; it has {', '.join(properties) or 'nothing'}",
                    "Expect an argument that the schema has, or add it there.",
                )
        elif is_test(value):
            assert isinstance(value, dict)
            yield from _never(case, at, value, member, tool)
        elif isinstance(value, dict):
            yield from _walked(case, at, value, member, tool)


def _takes_more(schema: dict[str, JsonValue]) -> bool:
    """Whether members beside `properties` are described elsewhere, or welcome in so many words."""
    told = ("additionalProperties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf")
    return any(key in schema and schema[key] is not False for key in told)


def _never(case: Case, place: str, test: dict[str, JsonValue], schema: JsonValue, tool: str) -> Iterator[SuiteHit]:
    kind = schema.get("type") if isinstance(schema, dict) else None
    kinds = {_JSON_TYPES.get(str(each), str(each)) for each in (kind if isinstance(kind, list) else [kind]) if each}
    for name, operand in test.items():
        if name == FROM or not kinds:
            continue
        types = {str(operand)} if name == "$type" else OPERATORS[name].types
        if kinds.isdisjoint(types):
            yield SuiteHit(
                SuiteRule.NEVER_HOLDS,
                case.name,
                place,
                f"{name} holds of no {' or '.join(sorted(kinds))}, which is what {tool!r} takes here",
                f"Expect a value, or use an operator for {' or '.join(sorted(kinds))}.",
            )
