"""The tools of a page as a model is shown them: names, descriptions, parameters. Nothing is called."""

from collections.abc import Iterable

from pydantic import JsonValue

from census.signature import signature as signature_of
from measure.lint.manifest import ManifestTool


def agent_view(tools: Iterable[ManifestTool]) -> list[JsonValue]:
    """What goes into a model's request: the tools that the browser offers, with what it is told of each."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
        for tool in tools
        if tool.callable is not False
    ]


def signature(tool: ManifestTool) -> str:
    """Write a tool as a call (`census.signature`)."""
    return signature_of(tool.name, tool.input_schema)
