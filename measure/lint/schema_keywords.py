"""Rules on words in a schema that are no keywords: misspelt ones, and parameters in the wrong place."""

from collections.abc import Iterator
from typing import Any

from pydantic import JsonValue
from rapidfuzz import fuzz, process

from census.finding import Severity
from measure.lint.analysis import Analysis
from measure.lint.examples import manifest, tool
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.schema_walk import Place
from measure.lint.text import listed, quoted

_TYPO = 75.0
"""Similarity (normalised indel, percent) from which an unknown keyword is taken for a known one, misspelt."""
_KEYWORDS = frozenset(
    [
        "$schema",
        "$id",
        "$ref",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$vocabulary",
        "$comment",
        "$defs",
        "definitions",
        "id",
        "type",
        "enum",
        "const",
        "multipleOf",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "minLength",
        "pattern",
        "maxItems",
        "minItems",
        "uniqueItems",
        "maxContains",
        "minContains",
        "maxProperties",
        "minProperties",
        "required",
        "dependentRequired",
        "dependencies",
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "items",
        "prefixItems",
        "additionalItems",
        "contains",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "unevaluatedItems",
        "unevaluatedProperties",
        "title",
        "description",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "examples",
        "format",
        "contentMediaType",
        "contentEncoding",
        "contentSchema",
    ]
)
_EXTENSIONS = frozenset(
    [
        "nullable",
        "example",
        "discriminator",
        "xml",
        "externalDocs",
        "enumNames",
        "enumDescriptions",
        "markdownDescription",
        "errorMessage",
        "defaultSnippets",
        "order",
        "propertyOrdering",
        "propertyOrder",
        "label",
        "placeholder",
        "help",
        "hint",
        "unit",
        "units",
        "widget",
    ]
)
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})


def _unknown_keyword(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in each.places:
            for keyword in _unknown(place):
                match = _misspelt(keyword)
                if match:
                    yield Hit(
                        each.index,
                        (*place.path, keyword),
                        f"{quoted(keyword)} in {quoted(place.name or each.name)} is no keyword of JSON Schema, so it is"
                        " ignored.",
                        f"Did you mean {quoted(match)}?",
                    )


def _unknown(place: Place) -> Iterator[str]:
    return (key for key in place.fields if key not in _KEYWORDS and key not in _EXTENSIONS and key[:2] != "x-")


def _misspelt(keyword: str) -> str | None:
    """The keyword that was meant; None when the word is like none."""
    if len(keyword) < 4:
        return None
    match = process.extractOne(keyword, _KEYWORDS, scorer=fuzz.ratio, score_cutoff=_TYPO)
    return match[0] if match else None


def _beside_properties(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in each.places:
            stray = [key for key in _unknown(place) if _is_a_property(place.fields[key]) and not _misspelt(key)]
            if stray:
                verb = "stands" if len(stray) == 1 else "stand"
                yield Hit(
                    each.index,
                    (*place.path, stray[0]),
                    f"{listed(stray)} of {quoted(each.name)} {verb} among the keywords of the schema and not in its"
                    " `properties`, so the tool takes no such parameter.",
                    f"Move {listed(stray)} into `properties` of an object schema.",
                )


def _is_a_property(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str) and value["type"] in _TYPES


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def _one(properties: dict[str, Any] | None = None, **schema: Any) -> Manifest:
    return manifest(tool("find_products", _TEXT, properties, schema=schema))


RULES = (
    Rule(
        "schemas/misspelt-keyword",
        Severity.WARNING,
        "An unknown keyword is ignored, so what it was meant to say is lost.",
        "JSON Schema, core 4.3.1. Fires only when the word is close to a keyword; extensions are none of its business.",
        "Spell it as the keyword.",
        fires=_one({"words": {"type": "string", "desciption": "What to look for."}}),
        silent=_one({"words": {"type": "string", "x-desciption": "What to look for."}}),
        check=_unknown_keyword,
    ),
    Rule(
        "schemas/outside-properties",
        Severity.WARNING,
        "A parameter beside `properties` is an unknown keyword, which is ignored: the tool has no such parameter.",
        "JSON Schema, core 4.3.1. Fires on a word that is no keyword and whose value is a schema with a type.",
        "Move it into `properties`.",
        fires=manifest(tool("find_products", _TEXT, input_schema={"type": "object", "words": {"type": "string"}})),
        silent=_one({"words": {"type": "string"}}, **{"x-words": {"type": "string"}}),
        check=_beside_properties,
    ),
)
