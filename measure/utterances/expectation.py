"""What expected arguments may say, and whether a tool could ever be called with them.

They are JSON. An object holds of an object that has at least its members, an array of an equal one, everything else of
its equal. In the place of any value there may be an operator, an object of one key: `{"$pattern": "^x"}`, `$contains`,
`$gt`, `$gte`, `$lt`, `$lte`, `$type`, `$any`. These are the operators of the public eval format for WebMCP.
"""

from collections.abc import Iterator

from pydantic import JsonValue

from measure.lint.json_schema import pattern_fault, refusal

_TYPES = ("string", "number", "boolean", "array", "object", "null")
OPERATORS = ("$pattern", "$contains", "$gt", "$gte", "$lt", "$lte", "$type", "$any")


def misfits(arguments: dict[str, JsonValue], schema: JsonValue) -> Iterator[str]:
    """Say what is wrong with expected arguments: an operator that is none, a value that the tool's schema refuses.

    Members that the schema requires may be missing, since an object holds of more than itself. A schema that is none,
    or that points elsewhere (`$ref`), refuses nothing.
    """
    yield from _object_misfits("", arguments, schema if isinstance(schema, dict) else {})


def _object_misfits(place: str, value: dict[str, JsonValue], schema: dict[str, JsonValue]) -> Iterator[str]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    patterned = "patternProperties" in schema or "$ref" in schema or "allOf" in schema
    for name, each in value.items():
        here = f"{place}/{name}"
        if name not in known and schema.get("additionalProperties") is False and not patterned:
            yield f"{here}: the schema has no such property, and takes no other"
        below = known.get(name)
        yield from _value_misfits(here, each, below if isinstance(below, dict) else {})


def _value_misfits(place: str, value: JsonValue, schema: dict[str, JsonValue]) -> Iterator[str]:
    if isinstance(value, dict) and any(key.startswith("$") for key in value):
        yield from _operator_misfits(place, value)
        return
    if isinstance(value, dict):
        refused = refusal({"type": schema["type"]}, {}) if "type" in schema else None
        if refused is not None:
            yield f"{place}: {refused}"
        yield from _object_misfits(place, value, schema)
        return
    if isinstance(value, list) and any(_has_operator(each) for each in value):
        items = schema.get("items")
        for index, each in enumerate(value):
            yield from _value_misfits(f"{place}/{index}", each, items if isinstance(items, dict) else {})
        return
    refused = refusal(schema, value)
    if refused is not None:
        yield f"{place}: {refused}"


def _has_operator(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(key.startswith("$") or _has_operator(each) for key, each in value.items())
    return isinstance(value, list) and any(map(_has_operator, value))


def _operator_misfits(place: str, value: dict[str, JsonValue]) -> Iterator[str]:
    if len(value) > 1:
        yield f"{place}: an operator stands alone in its object, not beside {sorted(value)}"
        return
    name, operand = next(iter(value.items()))
    if name not in OPERATORS:
        yield f"{place}: {name} is no operator; there are {' '.join(OPERATORS)}"
    elif name == "$pattern":
        fault = pattern_fault(operand) if isinstance(operand, str) else "it is no text"
        if fault:
            yield f"{place}: {name} takes a regular expression of JavaScript: {fault}"
    elif name == "$contains" and not isinstance(operand, str):
        yield f"{place}: {name} takes a text"
    elif name in ("$gt", "$gte", "$lt", "$lte") and (isinstance(operand, bool) or not isinstance(operand, int | float)):
        yield f"{place}: {name} takes a number"
    elif name == "$type" and operand not in _TYPES:
        yield f"{place}: $type takes one of {' '.join(_TYPES)}"
    elif name == "$any" and operand is not True:
        yield f"{place}: $any takes true"
