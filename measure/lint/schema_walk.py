"""The subschemas of an input schema, with their places; without recursion, since a page may nest as it likes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

Path = tuple[str | int, ...]

MAX_DEPTH = 100
"""JSON levels that are looked at. Readers of JSON give up between 128 and 1,000 levels."""
MAX_SUBSCHEMAS = 5_000
"""Subschemas of one tool that are looked at."""

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = (
    "items",
    "additionalProperties",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
)


class Role(StrEnum):
    """What a subschema is to the one that holds it."""

    ROOT = "root"
    PROPERTY = "property"
    ITEM = "item"
    OTHER = "other"
    """A branch of a combination, a definition, a condition."""


@dataclass(frozen=True, slots=True)
class Place:
    """A subschema and where it stands, from the tool down."""

    path: Path
    schema: JsonValue
    role: Role
    name: str = ""
    """The property's name, of the nearest property around it; empty at the root."""
    required: bool = False
    fields: dict[str, JsonValue] = field(init=False)
    """The keywords; none for `true` and `false`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", self.schema if isinstance(self.schema, dict) else {})


def subschemas(schema: JsonValue) -> Iterator[Place]:
    """Walk the schema of a tool, the root first, each subschema before its own; stops at the stated limits."""
    stack = [Place(("inputSchema",), schema, Role.ROOT)]
    seen = 0
    while stack and seen < MAX_SUBSCHEMAS:
        place = stack.pop()
        seen += 1
        yield place
        if len(place.path) < MAX_DEPTH:
            stack.extend(reversed(list(_children(place))))


def _children(place: Place) -> Iterator[Place]:
    fields = place.fields
    required = fields.get("required")
    names = {each for each in required if isinstance(each, str)} if isinstance(required, list) else set()
    for keyword in _MAPS:
        held = fields.get(keyword)
        if isinstance(held, dict):
            role = Role.PROPERTY if keyword == "properties" else Role.OTHER
            for name, child in held.items():
                shown = name if role is Role.PROPERTY else place.name
                yield Place((*place.path, keyword, name), child, role, shown, name in names and role is Role.PROPERTY)
    for keyword in _SINGLE:
        held = fields.get(keyword)
        if isinstance(held, dict):
            role = Role.ITEM if keyword == "items" else Role.OTHER
            yield Place((*place.path, keyword), held, role, place.name)
    for keyword in (*_LISTS, "items"):
        held = fields.get(keyword)
        if isinstance(held, list):
            for index, child in enumerate(held):
                yield Place((*place.path, keyword, index), child, Role.OTHER, place.name)


def depth(value: JsonValue, limit: int) -> int:
    """How many levels of objects and arrays a value has, counted up to `limit`."""
    layer: list[JsonValue] = [value]
    for level in range(limit):
        layer = [
            child
            for each in layer
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not layer:
            return level
    return limit
