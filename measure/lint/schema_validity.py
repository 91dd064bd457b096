"""Rules on whether an input schema is JSON Schema at all: its keywords, their values, its references."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from pydantic import JsonValue

from census.finding import Severity
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.json_schema import Fault, draft_of, faults
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.text import quoted

_ROOT = ("inputSchema",)


def _schemas(analysis: Analysis) -> Iterator[tuple[ToolAnalysis, dict[str, JsonValue]]]:
    for each in analysis.offered:
        if isinstance(each.tool.input_schema, dict):
            yield each, each.tool.input_schema


_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_MEANT = {
    **dict.fromkeys(("str", "text", "char", "varchar", "date", "datetime", "uuid", "url", "email"), "string"),
    **dict.fromkeys(("int", "int32", "int64", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "numeric"), "number"),
    **dict.fromkeys(("bool",), "boolean"),
    **dict.fromkeys(("dict", "map", "record", "json"), "object"),
    **dict.fromkeys(("list", "tuple", "set"), "array"),
}
"""What other languages call JSON's types."""


def _words_of(fault: Fault) -> tuple[str, str]:
    """What is wrong, and what to do; of a `type`, in other words than `anyOf` of the meta-schema."""
    if not fault.path or fault.path[-1] != "type" or "'anyOf'" not in fault.message:
        return fault.message, ""
    value = fault.message.partition(" is not valid")[0]
    named = value.strip('"').lower()
    meant = named if named in _TYPES else _MEANT.get(named)
    return f"{value} is none of the types {', '.join(_TYPES)}", f'Write `"type": "{meant}"`. ' if meant else ""


def _invalid(analysis: Analysis) -> Iterator[Hit]:
    for each, schema in _schemas(analysis):
        for fault in faults(schema):
            place = f" at {quoted('/'.join(map(str, fault.path)))}" if fault.path else ""
            said, remedy = _words_of(fault)
            yield Hit(
                each.index,
                (*_ROOT, *fault.path),
                f"The input schema of {quoted(each.name)} is no valid JSON Schema (draft {draft_of(schema)}){place}:"
                f" {quoted(said, 160)}.",
                f"{remedy}Mend that keyword: model APIs refuse a request with an invalid schema, and the browser says"
                " nothing.",
            )


def _unresolved(analysis: Analysis) -> Iterator[Hit]:
    for each, schema in _schemas(analysis):
        known: set[str] | None = None
        for place in each.places:
            reference = place.fields.get("$ref")
            if not isinstance(reference, str):
                continue
            if known is None:
                known = _identifiers(each)
            if reference not in known and not _resolves(schema, reference):
                outside = not reference.startswith("#")
                why = "points outside the schema, where no model can look" if outside else "points at nothing"
                yield Hit(
                    each.index,
                    (*place.path, "$ref"),
                    f"The reference {quoted(reference)} in {quoted(each.name)} {why}.",
                    "Write the schema out at this place, or put it under `$defs` and refer to `#/$defs/…`.",
                )


def _identifiers(each: ToolAnalysis) -> set[str]:
    found = {"#"}
    for place in each.places:
        for keyword in ("$id", "id", "$anchor", "$dynamicAnchor"):
            value = place.fields.get(keyword)
            if isinstance(value, str):
                found |= {value, f"#{value}"}
    return found


def _resolves(schema: JsonValue, reference: str) -> bool:
    if not reference.startswith("#/"):
        return False
    at = schema
    for part in unquote(reference[2:]).split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, dict) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        else:
            return False
    return True


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def _one(properties: dict[str, Any] | None = None, **schema: Any) -> Manifest:
    return manifest(tool("find_products", _TEXT, properties, schema=schema))


RULES = (
    Rule(
        "schemas/invalid",
        Severity.ERROR,
        "The browser takes any object; model APIs validate the schema and refuse the request.",
        "JSON Schema, the meta-schema of the draft in `$schema` (2020-12 without one). Measured on Chromium 156: no"
        " schema validation whatever.",
        "Mend the keyword.",
        fires=_one({"words": {"type": "text"}}),
        silent=_one({"words": {"type": ["string", "null"]}}),
        check=_invalid,
    ),
    Rule(
        "schemas/unresolved-reference",
        Severity.ERROR,
        "A model sees a reference and not what it stands for; validators refuse the schema.",
        "JSON Schema, core 8.2.3. Measured on Chromium 156: `$ref` is passed on as it is.",
        "Write it out, or refer to `#/$defs/…`.",
        fires=_one({"words": {"$ref": "#/$defs/text"}}),
        silent=_one({"words": {"$ref": "#/$defs/text"}}, **{"$defs": {"text": {"type": "string"}}}),
        check=_unresolved,
    ),
)
