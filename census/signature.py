"""A tool written as a call, for people: `book(date: string, size?: "small" | "large")`, where `?` may be left out."""

from pydantic import JsonValue

_MOST_CHOICES = 6
_DEEPEST = 4
_ELSEWHERE = {"$ref", "allOf", "anyOf", "oneOf"}
"""Keywords that can bring parameters which `properties` does not show."""


def signature(name: str, schema: JsonValue) -> str:
    """Write a tool by its name and its input schema; None is no schema."""
    return f"{name}(no schema)" if schema is None else f"{name}({parameters(schema)})"


def parameters(schema: JsonValue, depth: int = 0) -> str:
    """Write what stands between the brackets; `…` where the schema does not show it."""
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
        return f"{{{parameters(schema, depth)}}}"
    return str(kind) if isinstance(kind, str) else "any"
