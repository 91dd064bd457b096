import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from census.errors import CensusError
from census.vocabulary import Kind
from measure.lint.manifest import ManifestTool
from measure.lint.manifest_file import read_manifests

SCHEMA = {"type": "object", "properties": {"words": {"type": "string"}}}
WEBMCP = {"name": "find", "description": "Finds.", "inputSchema": SCHEMA}
ANTHROPIC = {"name": "find", "description": "Finds.", "input_schema": SCHEMA}
FUNCTION = {"name": "find", "description": "Finds.", "parameters": SCHEMA}
OPENAI = {"type": "function", "function": FUNCTION}
FOUND = ManifestTool("find", "Finds.", input_schema=SCHEMA)


@pytest.mark.parametrize(
    "value",
    [
        [WEBMCP],
        {"tools": [WEBMCP]},
        {"tools": [WEBMCP], "nextCursor": "2"},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [WEBMCP]}},
        [ANTHROPIC],
        [OPENAI],
        {"tools": [OPENAI]},
        [FUNCTION],
        WEBMCP,
        OPENAI,
    ],
    ids=["array", "tools", "mcp result", "mcp response", "anthropic", "openai", "openai request", "bare function",
         "one tool", "one openai tool"],
)  # fmt: skip
def test_every_notation_gives_the_same_tool(value):
    [manifest] = read_manifests(json.dumps(value), "page.json")
    assert manifest.source == "page.json"
    assert manifest.page is None
    assert manifest.tools == (FOUND,)


def test_what_a_browser_was_asked_for():
    text = json.dumps(
        {"tools": [{"name": "send", "description": "Sends.", "inputSchema": None, "annotations": {"autosubmit": True},
                    "declarative": True}]}
    )  # fmt: skip
    [tool] = read_manifests(text, "live.json")[0].tools
    assert tool == ManifestTool("send", "Sends.", annotations={"autosubmit": True}, kind=Kind.FORM)


def test_a_missing_description_is_left_for_a_rule_to_find():
    [tool] = read_manifests('[{"name": "find"}]', "page.json")[0].tools
    assert tool.description == ""
    assert tool.input_schema is None


def test_odd_schemas_and_annotations_are_kept_as_they_are():
    [tool] = read_manifests(
        '[{"name": "find", "description": "d", "inputSchema": "x", "annotations": {"readOnlyHint": "false"}}]', "p"
    )[0].tools
    assert tool.input_schema == "x"
    assert tool.annotations == {"readOnlyHint": "false"}


def test_an_ablation_replaces_by_name_and_adds_at_the_end():
    arms = {
        "variants": {"good": [{"name": "a", "description": "one"}, {"name": "b", "description": "two"}], "none": []},
        "ablations": {
            "worse": {
                "basedOn": "good",
                "tools": [{"name": "c", "description": "new"}, {"name": "a", "description": "vague"}],
                "measured": {"a": "48.3%"},
            }
        },
    }
    manifests = read_manifests(json.dumps(arms), "arms.json")
    assert [(each.source, [(tool.name, tool.description) for tool in each.tools]) for each in manifests] == [
        ("arms.json#good", [("a", "one"), ("b", "two")]),
        ("arms.json#none", []),
        ("arms.json#worse", [("a", "vague"), ("b", "two"), ("c", "new")]),
    ]


def test_a_byte_order_mark_is_let_pass():
    assert read_manifests("\ufeff[]", "page.json")[0].tools == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "page.json is empty"),
        (" \n\ufeff", "page.json"),
        ("{", "page.json is no JSON.*line 1, column 2"),
        ("[{]", "line 1, column 3"),
        ('[{"name": "a", "name": "b"}]', "'name' twice"),
        ('[{"name": "a", "inputSchema": {"default": NaN}}]', "NaN"),
        ('[{"name": "a", "inputSchema": {"default": -Infinity}}]', "-Infinity"),
        ("[" * 100_000, "too deep"),
        ("[" + "1" * 5_000 + "]", "number"),
        ("3", "holds no tools"),
        ("null", "holds no tools"),
        ('"tools"', "holds no tools"),
        ("{}", "holds no tools"),
        ('{"tools": {"find": {}}}', "holds no tools"),
        ('{"messages": []}', "holds no tools"),
        ('[{"name": "a"}, 3]', r"page.json: tools\[1\]: is no object"),
        ('[{"name": "a\tb"}]', "Invalid control character at line 1"),
        ('[{"description": "no name"}]', r"tools\[0\]\.name"),
        ('[{"name": 3}]', r"tools\[0\]\.name"),
        ('[{"name": "a", "description": ["d"]}]', r"tools\[0\]\.description"),
        ('[{"name": "a", "annotations": "readOnly"}]', r"tools\[0\]\.annotations: is no object"),
        ('[{"type": "function", "function": {"parameters": {}}}]', r"tools\[0\]\.function\.name"),
        ('{"variants": []}', "variants is no object"),
        ('{"variants": {"a": 1}}', r"variants\.a is no list"),
        ('{"variants": {"a": []}, "ablations": {"x": {"basedOn": "b", "tools": []}}}', r"x\.basedOn is 'b'.*are: a"),
        ('{"variants": {"a": []}, "ablations": {"x": {"basedOn": "a"}}}', r"ablations\.x\.tools is no list"),
        ('{"variants": {"a": []}, "ablations": {"x": []}}', r"ablations\.x is no object"),
    ],
)  # fmt: skip
def test_anything_else_is_an_error_that_names_the_file_and_the_place(text, says):
    with pytest.raises(CensusError, match=says) as caught:
        read_manifests(text, "page.json")
    assert "page.json" in str(caught.value)


MEMBERS = st.sampled_from(
    ["tools", "name", "description", "function", "variants", "ablations", "basedOn", "inputSchema"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=4),
    max_leaves=12,
)


@given(st.one_of(st.text(max_size=40), JSON.map(json.dumps)))
def test_any_text_gives_manifests_or_a_clear_error(text):
    with suppress(CensusError):
        assert all(manifest.source.startswith("page.json") for manifest in read_manifests(text, "page.json"))
