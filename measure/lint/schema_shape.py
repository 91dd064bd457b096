"""Rules on the shape of an input schema: what browsers leave out, and what the APIs of models refuse."""

from collections.abc import Iterator
from typing import Any

from pydantic import JsonValue

from census.finding import Severity
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.schema_walk import MAX_DEPTH, Role, depth
from measure.lint.text import quoted, value_shown

_ROOT = ("inputSchema",)
_COMBINATORS = ("anyOf", "oneOf", "allOf")
_OPENS = frozenset({*_COMBINATORS, "$ref", "if", "patternProperties"})
"""Keywords through which a property may be defined elsewhere than in `properties`."""


def _schemas(analysis: Analysis) -> Iterator[tuple[ToolAnalysis, dict[str, JsonValue]]]:
    for each in analysis.offered:
        if isinstance(each.tool.input_schema, dict):
            yield each, each.tool.input_schema


def _not_an_object(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        schema = each.tool.input_schema
        if schema is None:
            continue
        if not isinstance(schema, dict):
            yield Hit(
                each.index,
                _ROOT,
                f"The input schema of {quoted(each.name)} is {value_shown(schema)} and no object.",
                'Give an object: `{"type": "object", "properties": {…}}`.',
            )
        elif "type" in schema and schema["type"] != "object" and not _allows_object(schema["type"]):
            yield Hit(
                each.index,
                (*_ROOT, "type"),
                f"The input of {quoted(each.name)} is declared as {value_shown(schema['type'])}; arguments are always"
                " an object.",
                'Make the root `"type": "object"` and put the value into a property with a name.',
            )


def _allows_object(kind: JsonValue) -> bool:
    return isinstance(kind, list) and "object" in kind


def _no_root_type(analysis: Analysis) -> Iterator[Hit]:
    for each, schema in _schemas(analysis):
        if "type" not in schema:
            yield Hit(
                each.index,
                _ROOT,
                f'The input schema of {quoted(each.name)} has no `"type": "object"`; MCP and model APIs ask for it.',
                'Add `"type": "object"`; a tool without arguments is `{"type": "object", "properties": {}}`.',
            )


def _root_combinator(analysis: Analysis) -> Iterator[Hit]:
    for each, schema in _schemas(analysis):
        for keyword in _COMBINATORS:
            if keyword in schema:
                yield Hit(
                    each.index,
                    (*_ROOT, keyword),
                    f"The input schema of {quoted(each.name)} has {quoted(keyword)} at its root, which Anthropic's API"
                    " refuses together with the whole request.",
                    f"Drop {quoted(keyword)} and say in the description which parameters go together, or make a tool"
                    " for each case.",
                )


def _too_deep(analysis: Analysis) -> Iterator[Hit]:
    for each, schema in _schemas(analysis):
        if depth(schema, MAX_DEPTH) >= MAX_DEPTH:
            yield Hit(
                each.index,
                _ROOT,
                f"The input schema of {quoted(each.name)} is nested {MAX_DEPTH} levels deep or more; from about 250 on"
                " the browser leaves it out of what it shows an agent.",
                "Flatten it: ask for ids or for text instead of nested objects.",
            )


def _latin1(analysis: Analysis) -> Iterator[Hit]:
    for each, schema in _schemas(analysis):
        beyond = [max(map(ord, text)) for text in _strings(schema) if not text.isascii()]
        highest = max(beyond, default=0)
        if 0x7F < highest <= 0xFF:
            yield Hit(
                each.index,
                _ROOT,
                f"The input schema of {quoted(each.name)} has letters such as {quoted(chr(highest))} and none beyond"
                " Latin-1; Chromium 156 leaves such a schema out of its DevTools view, so agents see no parameters.",
                "Write one character beyond Latin-1 into a description, such as a typographic apostrophe (\u2019) or an"
                " en dash (\u2013), or write the texts in plain ASCII, until the browser is mended.",
            )


def _strings(value: JsonValue) -> Iterator[str]:
    stack: list[JsonValue] = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            stack.extend(each)
        elif isinstance(each, dict):
            yield from each
            stack.extend(each.values())


def _array_items(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in each.places:
            if place.fields.get("type") == "array" and not {"items", "prefixItems", "contains"} & place.fields.keys():
                yield Hit(
                    each.index,
                    place.path,
                    f"The array {quoted(place.name)} of {quoted(each.name)} does not say what it holds; OpenAI's and"
                    " Google's APIs refuse such a schema.",
                    'Add `"items": {"type": "string"}`, or whatever its members are.',
                )


def _required_unknown(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in each.places:
            required, properties = place.fields.get("required"), place.fields.get("properties")
            if place.role is Role.OTHER or not isinstance(required, list) or not isinstance(properties, dict):
                continue
            open_names = not _OPENS.isdisjoint(place.fields)
            for index, name in enumerate(required):
                if isinstance(name, str) and name not in properties and not open_names:
                    yield Hit(
                        each.index,
                        (*place.path, "required", index),
                        f"{quoted(each.name)} requires {quoted(name)}, which is not among its properties.",
                        f"Add {quoted(name)} to `properties` with a type and a description, or take it out of"
                        " `required`.",
                    )


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."
_WORDS: dict[str, Any] = {"words": {"type": "string", "description": "What to look for."}}


def _one(properties: dict[str, Any] | None = None, **schema: Any) -> Manifest:
    return manifest(tool("find_products", _TEXT, properties, schema=schema))


def _raw(schema: JsonValue) -> Manifest:
    return manifest(tool("find_products", _TEXT, input_schema=schema))


def _nested(levels: int) -> JsonValue:
    schema: JsonValue = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"inner": schema}}
    return schema


RULES = (
    Rule(
        "schemas/not-an-object",
        Severity.ERROR,
        "Arguments are an object; a schema of anything else describes arguments that cannot be given.",
        "WebMCP, ModelContextTool.inputSchema (object). Measured on Chromium 156: a string, null or boolean is a"
        " TypeError; an array or another `type` is accepted and useless.",
        "Give an object with properties.",
        fires=_raw({"type": "string"}),
        silent=_raw({"type": "object", "properties": _WORDS}),
        check=_not_an_object,
    ),
    Rule(
        "schemas/no-root-type",
        Severity.WARNING,
        "A schema without `type` at its root is good JSON Schema and refused by what sits between page and model.",
        "MCP, Tool.inputSchema: `type` is always `object`; Anthropic's API requires it. Browsers do not check.",
        'Add `"type": "object"`.',
        fires=_raw({"properties": _WORDS}),
        silent=_raw({"type": "object", "properties": _WORDS}),
        check=_no_root_type,
    ),
    Rule(
        "schemas/root-combinator",
        Severity.WARNING,
        "One such schema makes every request of an agent fail, whichever tool it wants.",
        "Anthropic's API: “input_schema does not support oneOf, allOf, or anyOf at the top level”.",
        "Say in words which parameters go together.",
        fires=_one(_WORDS, anyOf=[{"required": ["words"]}]),
        silent=_one({"words": {"anyOf": [{"type": "string"}, {"type": "number"}]}}),
        check=_root_combinator,
    ),
    Rule(
        "schemas/required-unknown",
        Severity.ERROR,
        "A required name without a property has neither type nor description: a model makes something up or gives up.",
        "JSON Schema validation 6.5.3 allows it; no valid call can follow from what the schema says.",
        "Add the property, or take the name out of `required`.",
        fires=_one(_WORDS, required=["word"]),
        silent=_one(_WORDS, required=["words"]),
        check=_required_unknown,
    ),
    Rule(
        "schemas/array-without-items",
        Severity.WARNING,
        "The model has to guess what the array holds, and two vendors' APIs refuse the schema.",
        "OpenAI's API: “array schema missing items”; Google's asks for `items` likewise.",
        "Add `items`.",
        fires=_one({"sizes": {"type": "array", "description": "The sizes."}}),
        silent=_one({"sizes": {"type": "array", "description": "The sizes.", "items": {"type": "string"}}}),
        check=_array_items,
    ),
    Rule(
        "schemas/too-deep",
        Severity.WARNING,
        "Readers of JSON stop at 128 to 1,000 levels, and the browser leaves the schema out before that.",
        "Measured on Chromium 156: a schema nested 250 to 300 levels is missing from the DevTools view.",
        "Flatten the schema.",
        fires=_raw(_nested(60)),
        silent=_raw(_nested(4)),
        check=_too_deep,
    ),
    Rule(
        "schemas/latin1-dropped",
        Severity.WARNING,
        "A schema with accented letters and no other character beyond ASCII is missing where agents look.",
        "Measured on Chromium 156: the DevTools view leaves out a schema whose text is Latin-1; the page's list has"
        " it.",
        "Add one character beyond Latin-1, or write plain ASCII.",
        fires=_one({"ville": {"type": "string", "description": "Ville de départ."}}),
        silent=_one({"ville": {"type": "string", "description": "Ville de départ \u2013 sans code postal."}}),
        check=_latin1,
    ),
)
