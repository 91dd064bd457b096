"""Rules on what a model is told of each parameter."""

from collections.abc import Iterator
from typing import Any

from census.finding import Severity
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.listed_values import listed_values
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.schema_walk import Place, Role
from measure.lint.text import listed, quoted
from measure.lint.vocabulary import STOP_WORDS
from measure.lint.words import name_words, stem

_TYPED = frozenset(
    [
        "type",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "$ref",
        "$dynamicRef",
        "properties",
        "items",
        "prefixItems",
        "patternProperties",
    ]
)
_EXPLAINS = frozenset(
    [
        "description",
        "title",
        "enum",
        "const",
        "default",
        "examples",
        "pattern",
        "format",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$dynamicRef",
    ]
)
"""Keywords that tell a model something about what to give, beyond the type."""
_SELF_EXPLAINING = frozenset({"title", "enum", "const", "pattern", "format", "examples", "$ref", "$dynamicRef"})
"""Keywords with which a parameter needs no description to be given rightly."""
_GUESSES = 3
_UNDESCRIBED = 6
_MANY = 20


def _properties(each: ToolAnalysis) -> Iterator[Place]:
    return (place for place in each.places if place.role is Role.PROPERTY)


def _described(place: Place) -> bool:
    text = place.fields.get("description")
    return isinstance(text, str) and bool(text.strip())


def _explained(place: Place) -> bool:
    return not _EXPLAINS.isdisjoint(place.fields) or place.fields.get("type") == "boolean"


def _named_in_description(each: ToolAnalysis, place: Place) -> bool:
    own = {stem(word) for word in name_words(place.name) if word not in STOP_WORDS}
    return bool(own & each.content_stems)


def _guesses_of(each: ToolAnalysis) -> list[Place]:
    """The required top-level parameters of which a model is told only the name, and that not in the description."""
    return [
        place
        for place in each.parameters
        if place.required and not _explained(place) and not _named_in_description(each, place)
    ]


def _blind(each: ToolAnalysis) -> list[Place]:
    """The guesses of a tool that has too many of them; none of any other."""
    blind = _guesses_of(each)
    return blind if len(blind) >= _GUESSES and len(_undescribed_of(each)) >= _UNDESCRIBED else []


def _undescribed_of(each: ToolAnalysis) -> list[Place]:
    return [place for place in each.parameters if not _described(place) and "enum" not in place.fields]


def _over_parameterised(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        names = [place.name for place in _blind(each)]
        if names:
            yield Hit(
                each.index,
                ("inputSchema", "properties"),
                f"{quoted(each.name)} requires {listed(names)} and says nothing of what to give for them; of"
                f" {len(each.parameters)} parameters, {len(_undescribed_of(each))} have no description.",
                f"Take {listed(names)} out of `required` with a default each, or list their values as `enum`; drop"
                " parameters that no user's request ever names.",
            )


def _many(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if len(each.parameters) > _MANY:
            yield Hit(
                each.index,
                ("inputSchema", "properties"),
                f"{quoted(each.name)} has {len(each.parameters)} parameters; all are paid for in every request.",
                f"Split {quoted(each.name)} by what users ask for, or drop parameters that no request names.",
            )


def _required_undescribed(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        told = {place.path for place in _blind(each)}
        for place in _properties(each):
            bare = place.required and not _described(place) and _SELF_EXPLAINING.isdisjoint(place.fields)
            if bare and place.path not in told and place.name.lower() not in each.words:
                yield Hit(
                    each.index,
                    place.path,
                    f"{quoted(each.name)} requires {quoted(place.name)} and does not say what it is.",
                    f"Add a `description` to {quoted(place.name)}: what it stands for, its form or unit, an example,"
                    " and where it comes from if another tool returns it.",
                )


def _undescribed(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        bare = [
            place
            for place in _properties(each)
            if not place.required and not _described(place) and _SELF_EXPLAINING.isdisjoint(place.fields)
        ]
        if bare:
            names = [place.name for place in bare]
            verb = "has" if len(names) == 1 else "have"
            yield Hit(
                each.index,
                bare[0].path,
                f"Of {quoted(each.name)}, {listed(names)} {verb} no description.",
                f"Say of {listed(names)} when to give it and in which form; a model leaves out what it does not know.",
            )


def _untyped(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in _properties(each):
            if place.schema is True or (isinstance(place.schema, dict) and _TYPED.isdisjoint(place.schema)):
                yield Hit(
                    each.index,
                    place.path,
                    f"{quoted(place.name)} of {quoted(each.name)} has no type, so a model may give anything.",
                    f'Add `"type"` to {quoted(place.name)}, or an `enum` of its values; the browser checks neither, but'
                    " models follow them.",
                )


def _no_enum(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in _properties(each):
            text = place.fields.get("description")
            free = place.fields.get("type", "string") == "string" and {
                "enum", "const", "anyOf", "oneOf", "allOf", "pattern", "format", "$ref", "items", "properties",
            }.isdisjoint(place.fields)  # fmt: skip
            values = listed_values(text) if free and isinstance(text, str) else []
            if values:
                shown = ", ".join(f'"{value}"' for value in values[:6])
                yield Hit(
                    each.index,
                    place.path,
                    f"The description of {quoted(place.name)} in {quoted(each.name)} lists its values"
                    f" ({listed(values)}) and the schema takes any text.",
                    f'Add `"enum": [{shown}{", …" if len(values) > 6 else ""}]` to {quoted(place.name)}.',
                )


def _nameless(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in _properties(each):
            if not place.name.strip():
                where = "give the form's field a `name`" if each.is_form else "give the property a name"
                yield Hit(
                    each.index,
                    place.path,
                    f"{quoted(each.name)} has a parameter without a name.",
                    f"Say what it is: {where}.",
                )


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def _one(properties: dict[str, Any], required: tuple[str, ...] = ()) -> Manifest:
    return manifest(tool("find_products", _TEXT, properties, schema={"required": list(required)} if required else {}))


_TEXT_TYPE = {"type": "string"}
_SIX = dict.fromkeys(("mode", "strategy", "layout", "locale", "page", "verbose"), _TEXT_TYPE)

RULES = (
    Rule(
        "schemas/over-parameterised",
        Severity.ERROR,
        "Parameters that must be given and that nothing explains: a model invents them or does not call at all.",
        "Measured: three required parameters of which only a name was known, among nine, left 48.3 % of 99.3 (one"
        " judge, one tool). Fires from three such parameters among six undescribed ones; a parameter that the tool's"
        " description names, or with an enum, default, format, pattern or example, does not count.",
        "Make them optional with a default, or list their values.",
        fires=_one(_SIX, ("mode", "strategy", "layout")),
        silent=_one(_SIX, ("mode",)),
        check=_over_parameterised,
    ),
    Rule(
        "schemas/many-parameters",
        Severity.NOTE,
        "Each parameter costs tokens in every request and is one more that can be wrong.",
        "No effect of the number alone was measured; 20 is twice what the larger public suites have.",
        "Split the tool, or drop parameters.",
        fires=_one({f"filter_{each}": {**_TEXT_TYPE, "description": "A filter."} for each in range(21)}),
        silent=_one({f"filter_{each}": {**_TEXT_TYPE, "description": "A filter."} for each in range(20)}),
        check=_many,
    ),
    Rule(
        "schemas/required-undescribed",
        Severity.WARNING,
        "A value that must be given is guessed from its name.",
        "Chrome's guidance on evals (wrong arguments): a description on each property that says how to map the user's"
        " words. A title, enum, format, pattern or example says enough, and so does the tool's description when it"
        " names the parameter.",
        "Add a description.",
        fires=_one({"item_id": _TEXT_TYPE}, ("item_id",)),
        silent=_one({"size": {"enum": ["small", "large"]}}, ("size",)),
        check=_required_undescribed,
    ),
    Rule(
        "schemas/undescribed",
        Severity.NOTE,
        "A model leaves out an optional parameter that it does not understand.",
        "Chrome's guidance on evals (wrong arguments). One finding for a tool, nested properties included.",
        "Add descriptions.",
        fires=_one(
            {"place": {"type": "object", "description": "Where.", "properties": {"radius": {"type": "number"}}}}
        ),
        silent=_one(
            {"place": {"type": "object", "description": "Where.", "properties": {"kind": {"enum": ["a", "b"]}}}}
        ),
        check=_undescribed,
    ),
    Rule(
        "schemas/untyped",
        Severity.WARNING,
        "Without a type a model gives text where a number is meant, or an object where an id is.",
        "JSON Schema, core 4.3.2: `{}` takes everything. An enum, const, $ref, anyOf, oneOf or allOf gives the type.",
        "Add a type or an enum.",
        fires=_one({"category": {"description": "A category."}}),
        silent=_one({"category": {"enum": ["shoes", "hats"]}}),
        check=_untyped,
    ),
    Rule(
        "schemas/no-enum",
        Severity.WARNING,
        "Values that stand only in prose are given in other words, or with another case.",
        "Chrome's guidance on evals (wrong arguments): enums. Lists after “for example” are open and no finding.",
        "Add an `enum`.",
        fires=_one({"order": {"type": "string", "description": 'Must be "price", "name" or "rating".'}}),
        silent=_one({"order": {"type": "string", "description": 'A property of products, e.g. "price", "name".'}}),
        check=_no_enum,
    ),
    Rule(
        "schemas/nameless-parameter",
        Severity.WARNING,
        "A parameter without a name cannot be told from anything.",
        'Measured on Chromium 156: a form\'s field without a `name` becomes the property `""`.',
        "Give it a name.",
        fires=_one({"": _TEXT_TYPE}),
        silent=_one({"words": _TEXT_TYPE}),
        check=_nameless,
    ),
)
