"""Lines of tools in manifest files; the expected ones are counted by eye."""

import pytest

from measure.tool_lines import ToolLines

PLAIN = """{
 "tools": [
  {
   "name": "search",
   "inputSchema": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     },
     "a/b": {"type": "array", "items": [
       {"type": "number"}]}
    }
   }
  },
  {"name": "pay",
   "description": "x"}
 ]
}
"""


@pytest.mark.parametrize(
    ("tool", "pointer", "line"),
    [
        ("search", "", 3),
        ("search", "/0", 3),
        ("search", "/0/description", 3),
        ("search", "/0/inputSchema", 5),
        ("search", "/0/inputSchema/properties/name", 8),
        ("search", "/0/inputSchema/properties/name/type", 8),
        ("search", "/0/inputSchema/properties/a~1b", 11),
        ("search", "/0/inputSchema/properties/a~1b/items/0", 12),
        ("pay", "/1", 16),
        ("missing", "/2", None),
    ],
)
def test_a_plain_manifest(tool, pointer, line):
    assert ToolLines(PLAIN).line(tool, pointer) == line


def test_other_shapes_of_a_tool():
    function = '[\n{"type": "function",\n "function": {"name": "pay",\n  "parameters": {\n "properties": {"x":\n{}}}}}]'
    assert ToolLines(function).line("pay") == 2
    assert ToolLines(function).line("pay", "/0/inputSchema") == 4
    assert ToolLines(function).line("pay", "/0/inputSchema/properties/x") == 6
    snake = '[{"name": "pay",\n"input_schema":\n{"type": "object"}}]'
    assert ToolLines(snake).line("pay", "/0/inputSchema") == 3


def test_the_same_name_again():
    twice = '[{"name": "pay"},\n{"name": "x"},\n{"name": "pay"}]'
    assert [ToolLines(twice).line("pay", nth=nth) for nth in range(3)] == [1, 3, None]


def test_one_manifest_of_several():
    arms = """{"variants": {"clean": [
{"name": "pay"},
{"name": "search"}]},
"ablations": {"bad": {"basedOn": "clean", "tools": [
{"name": "pay"}]}}}"""
    lines = ToolLines(arms)
    assert lines.line("pay", arm="clean") == 2
    assert lines.line("pay", arm="bad") == 5
    assert lines.line("search", arm="bad") == 3, "an ablation has the other tools of its variant"
    assert lines.line("pay", arm="none") is None


def test_a_byte_order_mark_and_windows_line_ends_count_as_an_editor_counts_them():
    assert ToolLines('\ufeff[\r\n{"name": "pay"}]').line("pay") == 2


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "nonsense", "[" * 500 + "]" * 500])
def test_what_is_no_manifest_has_no_lines(text):
    assert ToolLines(text).line("pay") is None
