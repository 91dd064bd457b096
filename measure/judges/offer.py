"""Tools as the model endpoints take them: they allow fewer names and fewer schemas than a page does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from measure.judges.judge import Cause, JudgeFault, ToolOffer
from measure.lint.schema_walk import MAX_DEPTH, depth

_ENDPOINT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST = 64


@dataclass(frozen=True)
class Aliases:
    """What each tool is called at the endpoint, and back."""

    by_tool: dict[str, str]

    def alias(self, name: str) -> str:
        """Give the endpoint's name; a name that was never offered is made to fit."""
        return self.by_tool.get(name) or _fitting(name)

    def tool(self, alias: str) -> str:
        """Give the tool's own name; what is no alias stays as the model wrote it (a made-up tool)."""
        return next((tool for tool, known in self.by_tool.items() if known == alias), alias)


def aliases(tools: Sequence[ToolOffer]) -> Aliases:
    """Find an endpoint's name for each tool: its own where that fits, else made to fit and kept apart by a number.

    Endpoints take `[A-Za-z0-9_-]`, 64 characters; a WebMCP name may have dots and 128 characters.
    """
    names = [tool.name for tool in tools]
    taken = {name for name in names if _ENDPOINT_NAME.fullmatch(name)}
    by_tool = {name: name for name in taken}
    for name in names:
        if name in by_tool:
            continue
        alias, number = _fitting(name), 2
        while alias in taken:
            alias = f"{_fitting(name)[: _LONGEST - 4]}_{number}"
            number += 1
        taken.add(alias)
        by_tool[name] = alias
    return Aliases(by_tool)


def object_schema(schema: JsonValue) -> dict[str, JsonValue]:
    """Give the schema as endpoints want it: an object's. A page's schema may be none, or no object's.

    Without a `type` it gets `object`; what is no schema of an object at all is shown as an object of anything.
    """
    if not isinstance(schema, dict):
        return {"type": "object", "properties": {}}
    if "type" not in schema:
        return {"type": "object", **schema}
    return schema if schema["type"] == "object" else {"type": "object", "properties": {}}


def refuse_deep(tools: Sequence[ToolOffer]) -> None:
    """Raise JudgeFault for a schema that is too deep to be written as JSON; browsers take thousands of levels."""
    for tool in tools:
        if depth(tool.input_schema, MAX_DEPTH) >= MAX_DEPTH:
            raise JudgeFault(
                Cause.REFUSED_REQUEST,
                f"the schema of {tool.name[:128]} is nested {MAX_DEPTH} levels deep or more, and no model is shown it",
            )


def _fitting(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:_LONGEST] or "_"
