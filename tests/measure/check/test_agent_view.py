"""Tools as a model is shown them, and as a person reads them."""

import pytest

from measure.check.agent_view import agent_view, signature
from measure.lint.manifest import ManifestTool


def tool(schema: object, name: str = "book") -> ManifestTool:
    return ManifestTool(name, "Books a table.", input_schema=schema)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        (None, "book(no schema)"),
        ({}, "book()"),
        ({"type": "object", "properties": {}}, "book()"),
        ({"properties": {"date": {"type": "string"}}, "required": ["date"]}, "book(date: string)"),
        ({"properties": {"a": {"type": "number"}, "b": {}}, "required": ["b"]}, "book(a?: number, b: any)"),
        ({"properties": {"size": {"enum": ["small", "large", 3]}}}, 'book(size?: "small" | "large" | 3)'),
        ({"properties": {"n": {"enum": list(range(9))}}}, "book(n?: 0 | 1 | 2 | 3 | 4 | 5 | …)"),
        ({"properties": {"c": {"const": "x"}}}, 'book(c?: "x")'),
        ({"properties": {"l": {"type": "array", "items": {"type": "string"}}}}, "book(l?: string[])"),
        ({"properties": {"l": {"type": "array"}}}, "book(l?: any[])"),
        ({"properties": {"u": {"type": ["string", "null"]}}}, "book(u?: string | null)"),
        (
            {"properties": {"o": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}}},
            "book(o?: {x: number})",
        ),
        ({"anyOf": [{"properties": {"a": {}}}]}, "book(…)"),
        ([], "book(…)"),
        ({"properties": {"a": True}, "required": "a"}, "book(a?: any)"),
        ({"properties": 5}, "book()"),
    ],
)
def test_a_tool_is_written_as_a_call(schema, shown):
    assert signature(tool(schema)) == shown


def test_a_deep_schema_ends_somewhere():
    schema: dict[str, object] = {"type": "string"}
    for _ in range(2000):
        schema = {"type": "object", "properties": {"a": schema}}
    assert signature(tool(schema)).count("{") < 10


def test_an_agent_is_shown_what_the_browser_offers_and_no_more():
    offered, unknown = ManifestTool("a", "A."), ManifestTool("b", "B.", callable=None, input_schema={"type": "object"})
    dead = ManifestTool("c", "C.", callable=False)
    assert agent_view([offered, unknown, dead]) == [
        {"name": "a", "description": "A.", "input_schema": None},
        {"name": "b", "description": "B.", "input_schema": {"type": "object"}},
    ]
