"""One tool in any of the notations in use: WebMCP, MCP, OpenAI, Anthropic, and what the census reads from a browser."""

from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from census.errors import CensusError
from census.vocabulary import Kind
from measure.lint.manifest import ManifestTool


class _Tool(BaseModel):
    """The members that count; every notation has more of its own, which are none of the rules' business."""

    model_config = ConfigDict(extra="ignore", strict=True)

    name: str
    title: str | None = None
    description: str | None = None
    annotations: dict[str, JsonValue] | None = None
    declarative: bool | None = None
    kind: str | None = None


def tool_of(value: JsonValue, source: str, place: str) -> ManifestTool:
    """Read one tool; CensusError names the place in the file when it is none.

    OpenAI's wrapper (`{"type": "function", "function": {…}}`) is opened. A missing description is empty, for a rule
    to find; a schema of any kind is kept as it is.
    """
    inner = value
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        inner, place = value["function"], f"{place}.function"
    try:
        # Not checked against the recursive type of a JSON value: it is one, and may be deeper than the check goes.
        tool = _Tool.model_validate(_shallow(inner))
    except ValidationError as error:
        first = error.errors()[0]
        # The library would name our own class here.
        said = "is no object" if "dict" in first["type"] or "model" in first["type"] else first["msg"].lower()
        where = ".".join([place, *(str(each) for each in first["loc"])])
        raise CensusError(
            f"{source}: {where}: {said}; a tool is an object with a name, a description and an inputSchema"
        ) from None
    schema = _schema(inner)
    kind = (
        Kind.FORM if tool.declarative or tool.kind == Kind.FORM else Kind.SCRIPT if tool.declarative is False else None
    )
    return ManifestTool(
        name=tool.name,
        description=tool.description or "",
        title=tool.title or "",
        input_schema=schema,
        annotations=tool.annotations,
        kind=kind,
    )


_SCHEMAS = ("inputSchema", "input_schema", "parameters")


def _shallow(value: Any) -> Any:
    return {key: each for key, each in value.items() if key not in _SCHEMAS} if isinstance(value, dict) else value


def _schema(value: Any) -> JsonValue:
    return next((value[key] for key in _SCHEMAS if value.get(key) is not None), None)
