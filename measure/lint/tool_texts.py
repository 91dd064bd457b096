"""Every text of a tool that a model is shown, with its place."""

from collections.abc import Iterator

from measure.lint.analysis import ToolAnalysis
from measure.lint.rule import Path


def texts(tool: ToolAnalysis) -> Iterator[tuple[Path, str]]:
    """The title, the description, and the strings of the schema that are written for a reader."""
    yield ("description",), tool.tool.description
    if tool.tool.title:
        yield ("title",), tool.tool.title
    for place in tool.places:
        for keyword in ("title", "description", "$comment"):
            text = place.fields.get(keyword)
            if isinstance(text, str):
                yield (*place.path, keyword), text
        values = place.fields.get("enum")
        if isinstance(values, list):
            for index, value in enumerate(values[:500]):
                if isinstance(value, str):
                    yield (*place.path, "enum", index), value
