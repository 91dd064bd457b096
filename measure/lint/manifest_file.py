"""Manifests from a file, in any of the shapes in use."""

from collections.abc import Iterator

from pydantic import JsonValue

from census.errors import CensusError
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.strict_json import read_json
from measure.lint.tool_shapes import tool_of

_SHAPES = (
    "a list of tools, an object with `tools`, an MCP tools/list result, or a set of `variants` and `ablations`;"
    " a tool in the notation of WebMCP, MCP, OpenAI or Anthropic"
)

Object = dict[str, JsonValue]


def read_manifests(text: str, source: str) -> list[Manifest]:
    """The manifests of a JSON text: one, or as many as a set of arms has.

    Shapes: an array of tools; `{"tools": […]}`; an MCP result or response (`{"result": {"tools": […]}}`); a single
    tool; `{"variants": {name: […]}, "ablations": {name: {"basedOn": variant, "tools": […]}}}`. An ablation is its
    variant with each of its tools in the place of the one with that name, or added at the end when none has it. The
    source of a manifest out of a set is `SOURCE#name`.

    Raises CensusError that names the source and the place for anything else.
    """
    value = read_json(text, source)
    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        value = value["result"]
    if isinstance(value, dict) and ("variants" in value or "ablations" in value):
        return list(_arms(value, source))
    if isinstance(value, dict) and "tools" not in value and "name" in value:
        return [Manifest(source, (tool_of(value, source, "the tool"),))]
    if isinstance(value, dict) and "tools" not in value and "function" in value:
        return [Manifest(source, (tool_of(value, source, "the tool"),))]
    tools = value.get("tools") if isinstance(value, dict) else value
    if not isinstance(tools, list):
        raise CensusError(f"{source} holds no tools; give {_SHAPES}")
    return [Manifest(source, _tools(tools, source, "tools"))]


def _tools(value: JsonValue, source: str, place: str) -> tuple[ManifestTool, ...]:
    if not isinstance(value, list):
        raise CensusError(f"{source}: {place} is no list; give a list of tools")
    return tuple(tool_of(each, source, f"{place}[{index}]") for index, each in enumerate(value))


def _member(value: Object, key: str, source: str, place: str) -> Object:
    member = value.get(key, {})
    if not isinstance(member, dict):
        raise CensusError(f"{source}: {place} is no object; give its members by name")
    return member


def _arms(value: Object, source: str) -> Iterator[Manifest]:
    variants = {
        name: _tools(tools, source, f"variants.{name}")
        for name, tools in _member(value, "variants", source, "variants").items()
    }
    for name, tools in variants.items():
        yield Manifest(f"{source}#{name}", tools)
    for name, ablation in _member(value, "ablations", source, "ablations").items():
        place = f"ablations.{name}"
        if not isinstance(ablation, dict):
            raise CensusError(f"{source}: {place} is no object; give `basedOn` and `tools`")
        base = ablation.get("basedOn")
        if not isinstance(base, str) or base not in variants:
            known = ", ".join(sorted(variants)) or "none"
            raise CensusError(f"{source}: {place}.basedOn is {base!r}, which is no variant; there are: {known}")
        own = _tools(ablation.get("tools"), source, f"{place}.tools")
        yield Manifest(f"{source}#{name}", _composed(variants[base], own))


def _composed(base: tuple[ManifestTool, ...], own: tuple[ManifestTool, ...]) -> tuple[ManifestTool, ...]:
    by_name = {tool.name: tool for tool in own}
    names = {tool.name for tool in base}
    return (*(by_name.get(tool.name, tool) for tool in base), *(tool for tool in own if tool.name not in names))
