"""JSON Schema as its library judges it, within bounds that a hostile page cannot stretch.

`jsonschema-rs` checks a schema against the meta-schema in about 10 microseconds (the `jsonschema` package needs 1.2 ms
for draft 2020-12, so six seconds for a page of 5,000 tools), matches patterns in linear time, and is told to fetch
nothing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jsonschema_rs
import regress
from pydantic import JsonValue

from measure.lint.schema_walk import MAX_DEPTH, depth
from measure.lint.text import well_formed

_DRAFTS = {
    "draft-04": jsonschema_rs.Draft4Validator,
    "draft-06": jsonschema_rs.Draft6Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
}
_MAX_PATTERN = 2_000


class Fault(NamedTuple):
    """Where a schema breaks the meta-schema, and how."""

    path: tuple[str | int, ...]
    message: str


def _meta_uri(draft: str) -> str:
    if draft in ("2019-09", "2020-12"):
        return f"https://json-schema.org/draft/{draft}/schema"
    return f"http://json-schema.org/{draft}/schema#"


_CHECKERS = {
    draft: validator({"$ref": _meta_uri(draft)}, offline=True)
    for draft, validator in {**_DRAFTS, "2020-12": jsonschema_rs.Draft202012Validator}.items()
}


def draft_of(schema: dict[str, JsonValue]) -> str:
    """The draft that `$schema` names; 2020-12, which MCP and WebMCP take, when it names none that is known."""
    named = schema.get("$schema")
    return next((draft for draft in _DRAFTS if isinstance(named, str) and draft in named), "2020-12")


def faults(schema: dict[str, JsonValue], limit: int = 3) -> list[Fault]:
    """The first places where a schema breaks its draft's meta-schema, one for a place.

    A schema nested deeper than `MAX_DEPTH` levels is not judged. Patterns are judged apart (`pattern_fault`).
    """
    if depth(schema, MAX_DEPTH) >= MAX_DEPTH:
        return []
    checker = _CHECKERS[draft_of(schema)]
    judged = clean(schema)
    if checker.is_valid(judged):
        return []
    found: dict[tuple[str | int, ...], str] = {}
    for error in checker.iter_errors(judged):
        path = _present(judged, error.instance_path)
        if path not in found and not (path and path[-1] == "pattern" and "regex" in error.message):
            found[path] = error.message
        if len(found) >= limit:
            break
    return [Fault(path, message) for path, message in found.items()]


def _present(schema: JsonValue, path: Sequence[str | int]) -> tuple[str | int, ...]:
    """The path as far as it leads: the library leaves keys that are empty out of its paths."""
    at, kept = schema, list[str | int]()
    for part in path:
        held: Any = at[part : part + 1] if isinstance(at, list) and isinstance(part, int) else None
        if isinstance(at, dict) and part in at:
            at = at[str(part)]
        elif held:
            [at] = held
        else:
            break
        kept.append(part)
    return tuple(kept)


def clean(value: JsonValue) -> JsonValue:
    """The value with lone surrogates replaced, which the library refuses. Not for values deeper than `MAX_DEPTH`."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {well_formed(key): clean(each) for key, each in value.items()}
    return value


_ABOUT_VALUES = frozenset(
    [
        "type",
        "enum",
        "const",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "anyOf",
        "oneOf",
        "allOf",
        "items",
    ]
)


def refusal(schema: dict[str, JsonValue], value: JsonValue) -> str | None:
    """Why a schema refuses a value, in the library's words; None when it takes it or cannot be judged.

    References are not followed, and a schema that the library cannot compile judges nothing.
    """
    relevant = {key: each for key, each in schema.items() if key in _ABOUT_VALUES}
    if not relevant or depth([relevant, value], MAX_DEPTH) >= MAX_DEPTH or _has_reference(relevant):
        return None
    try:
        cleaned: Any = clean(relevant)
        validator = jsonschema_rs.Draft202012Validator(cleaned, offline=True, validate_formats=True)
        error = next(iter(validator.iter_errors(clean(value))), None)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
    return None if error is None else error.message


def _has_reference(value: JsonValue) -> bool:
    layer: list[JsonValue] = [value]
    while layer:
        each = layer.pop()
        if isinstance(each, dict):
            if "$ref" in each or "$dynamicRef" in each:
                return True
            layer.extend(each.values())
        elif isinstance(each, list):
            layer.extend(each)
    return False


def pattern_fault(pattern: str, flags: str = "u") -> str | None:
    """What is wrong with a regular expression by ECMA-262, which JSON Schema takes patterns from; None when nothing.

    JSON Schema, core 6.4: patterns are to be read with the `u` flag.
    """
    if len(pattern) > _MAX_PATTERN:
        return None
    try:
        regress.Regex(well_formed(pattern), flags)
    except regress.RegressError as error:
        return str(error)
    return None
