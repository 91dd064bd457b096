"""The tools of a page as a model is shown them: names, descriptions, parameters. Nothing is called."""

from collections.abc import Iterable

from pydantic import JsonValue

from measure.lint.manifest import ManifestTool

_MOST_CHOICES = 6
_DEEPEST = 4
_ELSEWHERE = {"$ref", "allOf", "anyOf", "oneOf"}
"""Keywords that can bring parameters which `properties` does not show."""


def agent_view(tools: Iterable[ManifestTool]) -> list[JsonValue]:
    """What goes into a model's request: the tools that the browser offers, with what it is told of each."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
        for tool in tools
        if tool.callable is not False
    ]


def signature(tool: ManifestTool) -> str:
    """Write a tool as a call: `book(date: string, size?: "small" | "large")`, where `?` may be left out."""
    schema = tool.input_schema
    if schema is None:
        return f"{tool.name}(no schema)"
    return f"{tool.name}({_parameters(schema)})"


def _parameters(schema: JsonValue, depth: int = 0) -> str:
    if not isinstance(schema, dict):
        return "…"
    properties = schema.get("properties")
    required = schema.get("required")
    names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    if not isinstance(properties, dict):
        return "…" if _ELSEWHERE & schema.keys() else ""
    return ", ".join(f"{name}{'' if name in names else '?'}: {_type(of, depth + 1)}" for name, of in properties.items())


def _type(schema: JsonValue, depth: int) -> str:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return "any"
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list):
        shown = [f'"{each}"' if isinstance(each, str) else str(each) for each in choices[:_MOST_CHOICES]]
        return " | ".join([*shown, "…"] if len(choices) > _MOST_CHOICES else shown) or "nothing"
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(str(each) for each in kind)
    if kind == "array":
        return f"{_type(schema.get('items'), depth + 1)}[]"
    if kind == "object" and isinstance(schema.get("properties"), dict):
        return f"{{{_parameters(schema, depth)}}}"
    return str(kind) if isinstance(kind, str) else "any"
