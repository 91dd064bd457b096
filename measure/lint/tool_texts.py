"""Every text of a tool that a model is shown, with its place."""

from collections.abc import Iterable, Iterator

from measure.lint.manifest import ManifestTool
from measure.lint.schema_walk import Path, Place

_VALUES = 500
"""Values of an enum that are looked at."""


def texts_of(tool: ManifestTool, places: Iterable[Place]) -> Iterator[tuple[Path, str]]:
    """The description, the title, and the strings of the schema that are written for a reader."""
    yield ("description",), tool.description
    if tool.title:
        yield ("title",), tool.title
    for place in places:
        for keyword in ("title", "description", "$comment"):
            text = place.fields.get(keyword)
            if isinstance(text, str):
                yield (*place.path, keyword), text
        values = place.fields.get("enum")
        if isinstance(values, list):
            for index, value in enumerate(values[:_VALUES]):
                if isinstance(value, str):
                    yield (*place.path, "enum", index), value
