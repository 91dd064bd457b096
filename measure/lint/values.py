"""Rules on what a schema says of values: limits that exclude each other, and defaults and examples that do not fit."""

from collections.abc import Iterator
from typing import Any

import regex
from pydantic import JsonValue

from census.finding import Severity
from measure.lint import bounded
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.json_schema import refusal
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.schema_walk import Place
from measure.lint.text import quoted, value_shown

_BOUNDS = (
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_STRINGS, _NUMBERS = frozenset({"string"}), frozenset({"number", "integer"})
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_APPLIES = {
    **dict.fromkeys(("minLength", "maxLength", "pattern"), _STRINGS),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), _NUMBERS),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems", "items", "prefixItems"), frozenset({"array"})),
    **dict.fromkeys(("properties", "required", "additionalProperties"), frozenset({"object"})),
}
_EXAMPLE = regex.compile(
    r"(?i)\b(?:e\.?\s?g\.?|for example|such as|example|like)[\s:,]*"
    r"((?:[\"'`“][^\"'`”]{1,60}[\"'`”]\s*,?\s*(?:(?:or|and)\s+)?)+)"
)
_QUOTATION = regex.compile(r"[\"'`“]([^\"'`”]{1,60})[\"'`”]")
_SOME = 50
"""Values of an enum, or examples, that are judged."""
_SEARCHED = 2_000


def _places(analysis: Analysis) -> Iterator[tuple[ToolAnalysis, Place]]:
    return ((each, place) for each in analysis.offered for place in each.places)


def _of(each: ToolAnalysis, place: Place) -> str:
    return f"{quoted(place.name)} of {quoted(each.name)}" if place.name else quoted(each.name)


def _types(place: Place) -> frozenset[str]:
    kind = place.fields.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return frozenset(each for each in kinds if isinstance(each, str))


def _without(place: Place, *keywords: str) -> dict[str, JsonValue]:
    return {key: value for key, value in place.fields.items() if key not in keywords}


def _nothing_fits(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        for low, high in _BOUNDS:
            least, most = place.fields.get(low), place.fields.get(high)
            if not _number(least) or not _number(most):
                continue
            excluded = "exclusive" in low + high and least == most
            if least > most or excluded:  # type: ignore[operator]
                yield Hit(
                    each.index,
                    (*place.path, low),
                    f"Nothing fits {_of(each, place)}: {low} {least} {'leaves none below' if excluded else 'is over'}"
                    f" {high} {most}.",
                    f"Swap {quoted(low)} and {quoted(high)}, or correct one.",
                )
        values = place.fields.get("enum")
        if isinstance(values, list) and len(values) <= _SOME:
            rest = _without(place, "enum", "anyOf", "oneOf", "allOf")
            if all(refusal(rest, value) is not None for value in values):
                why = "its enum is empty" if not values else "the schema refuses every value of its enum"
                yield Hit(
                    each.index,
                    (*place.path, "enum"),
                    f"Nothing fits {_of(each, place)}: {why}.",
                    "Make `type`, `pattern` and limits fit the values of the enum, or leave the enum alone.",
                )


def _number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _default(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        if "default" not in place.fields:
            continue
        value = place.fields["default"]
        why = refusal(place.fields, value)
        if why is not None:
            yield Hit(
                each.index,
                (*place.path, "default"),
                f"The default {value_shown(value)} of {_of(each, place)} contradicts its schema: {quoted(why, 120)}.",
                f"Give a default that the schema takes, or correct the schema of {quoted(place.name or each.name)}.",
            )


def _enum(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        values = place.fields.get("enum")
        if not isinstance(values, list) or len(values) > _SOME:
            continue
        rest = _without(place, "enum", "anyOf", "oneOf", "allOf")
        refused = [index for index, value in enumerate(values) if refusal(rest, value) is not None]
        if refused and len(refused) < len(values):
            value = values[refused[0]]
            kinds = " or ".join(sorted(_types(place))) or "schema"
            yield Hit(
                each.index,
                (*place.path, "enum", refused[0]),
                f"The enum of {_of(each, place)} holds {value_shown(value)}, which its {kinds} refuses.",
                f'Take it out, or allow it: `"type": ["{kinds}", "null"]`.' if value is None else "Take it out.",
            )


def _examples(place: Place) -> list[JsonValue]:
    given = place.fields.get("examples")
    values: list[JsonValue] = list(given[:_SOME]) if isinstance(given, list) else []
    text = place.fields.get("description")
    if isinstance(text, str) and "string" in _types(place):
        for found in bounded.each(_EXAMPLE, text, _SEARCHED):
            values.extend(_QUOTATION.findall(found[1]))
    return values


def _rejects_example(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        keywords = {"pattern", "format", "minLength", "maxLength", "enum", "minimum", "maximum", "type"} & set(
            place.fields
        )
        if keywords <= {"type"} and "examples" not in place.fields:
            continue
        for value in _examples(place):
            why = refusal({key: place.fields[key] for key in keywords}, value)
            if why is not None:
                yield Hit(
                    each.index,
                    place.path,
                    f"{_of(each, place)} gives {value_shown(value)} as an example, and its schema refuses it:"
                    f" {quoted(why, 120)}.",
                    "Correct the pattern, format or limit, or the example.",
                )
                break


def _without_effect(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        types = _types(place)
        for keyword in sorted(place.fields.keys() & _APPLIES.keys()) if types else ():
            kinds = _APPLIES[keyword]
            # What is no type at all is a finding of its own, and says nothing of the keywords beside it.
            if types <= _TYPES and types.isdisjoint(kinds):
                yield Hit(
                    each.index,
                    (*place.path, keyword),
                    f"{quoted(keyword)} of {_of(each, place)} has no effect: the type is {' or '.join(sorted(types))}.",
                    f"Make the type {' or '.join(sorted(kinds))}, or take {quoted(keyword)} out.",
                )


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def _one(**schema: Any) -> Manifest:
    return manifest(tool("find_products", _TEXT, {"value": {"description": "What to look for.", **schema}}))


RULES = (
    Rule(
        "schemas/nothing-fits",
        Severity.ERROR,
        "No value meets the schema, so every call is wrong.",
        "JSON Schema validation 6.1.2 to 6.5; judged by a JSON Schema library.",
        "Correct the limits or the enum.",
        fires=_one(type="integer", enum=["1", "2"]),
        silent=_one(type="string", enum=["1", "2"]),
        check=_nothing_fits,
    ),
    Rule(
        "schemas/default-contradicts",
        Severity.WARNING,
        "A model copies the default, and what checks arguments refuses it.",
        "JSON Schema validation 9.2: a default should be valid against its schema.",
        "Give a default that fits.",
        fires=_one(type="number", minimum=1, default="1"),
        silent=_one(type="number", minimum=1, default=1),
        check=_default,
    ),
    Rule(
        "schemas/enum-contradicts",
        Severity.WARNING,
        "A value is offered that the same schema refuses.",
        "JSON Schema validation 6.1: type and enum both have to hold. Real pages have `null` in an enum of strings.",
        "Take the value out, or allow its type.",
        fires=_one(type="string", enum=["red", "blue", None]),
        silent=_one(type=["string", "null"], enum=["red", "blue", None]),
        check=_enum,
    ),
    Rule(
        "schemas/rejects-its-example",
        Severity.WARNING,
        "The description tells a model to give what the schema refuses.",
        "JSON Schema validation 6.3 and 9.5; judged by a JSON Schema library. Quotations after “e.g.” and the like"
        " count as examples, and so does `examples`.",
        "Correct one of the two.",
        fires=_one(type="string", pattern="^[0-9]{5}$", description="ZIP code, e.g. 'D-10115'."),
        silent=_one(type="string", pattern="^[0-9]{5}$", description="ZIP code, e.g. '10115'."),
        check=_rejects_example,
    ),
    Rule(
        "schemas/without-effect",
        Severity.WARNING,
        "A limit for another type than the declared one is ignored.",
        "JSON Schema validation 6: each keyword applies to one type.",
        "Correct the type or the keyword.",
        fires=_one(type="integer", minLength=1),
        silent=_one(type="integer", minimum=1),
        check=_without_effect,
    ),
)
