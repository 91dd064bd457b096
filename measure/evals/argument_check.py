"""Whether the arguments of a call fit the input schema of its tool. No browser checks this for script tools."""

from functools import cache
from typing import Any

import jsonschema_rs
from pydantic import JsonValue

from measure.evals.json_values import escaped, json_type, shown
from measure.lint.json_schema import clean
from measure.lint.manifest import ManifestTool
from measure.lint.schema_walk import MAX_DEPTH, depth


class ArgumentCheck:
    """The input schemas of a list of tools, compiled once each."""

    def __init__(self, tools: tuple[ManifestTool, ...]) -> None:
        schemas = {tool.name: tool.input_schema for tool in tools}
        self._validator = cache(lambda name: _validator(schemas.get(name)))

    def misfit(self, name: str, arguments: JsonValue) -> str | None:
        """How the arguments break the schema; None when they fit, or the schema is none that can be judged by."""
        if not isinstance(arguments, dict):
            return f"arguments have to be an object, not {json_type(arguments)}"
        validator = self._validator(name)
        if validator is None or depth(arguments, MAX_DEPTH) >= MAX_DEPTH:
            return None
        error = next(iter(validator.iter_errors(clean(arguments))), None)
        if error is None:
            return None
        place = "".join(f"/{escaped(step)}" for step in error.instance_path)
        return f"{place or 'the whole'}: {shown(error.message, 200)[1:-1]}"


def _validator(schema: JsonValue) -> jsonschema_rs.Draft202012Validator | None:
    if not isinstance(schema, dict) or depth(schema, MAX_DEPTH) >= MAX_DEPTH:
        return None
    cleaned: Any = clean(schema)
    try:
        return jsonschema_rs.Draft202012Validator(cleaned, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
