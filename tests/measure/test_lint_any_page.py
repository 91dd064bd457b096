"""Lint on anything that a page can say: it never raises, and what it points at is there."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonpointer import resolve_pointer

from census.vocabulary import Kind
from measure.lint.linting import lint
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.text import well_formed

KEYWORDS = (
    "type properties required items enum const anyOf oneOf allOf not if then else $ref $defs $id $anchor pattern format"
    " default examples description title minimum maximum minLength maxLength minItems maxItems multipleOf uniqueItems"
    " additionalProperties patternProperties prefixItems $schema describtion"
).split()
TEXTS = st.one_of(
    st.text(st.characters(), max_size=30),  # lone surrogates included
    st.sampled_from(
        [
            "string",
            "integer",
            "object",
            "#/$defs/a",
            "#",
            "^[1-12]$",
            "([",
            "date",
            "Use 'a' or 'b'.",
            "e.g. 'x'",
            "\ud800",
        ]
    ),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.sampled_from(KEYWORDS), TEXTS), inner, max_size=5),
    ),
    max_leaves=25,
)
SCHEMAS = st.one_of(
    VALUES, st.fixed_dictionaries({"type": st.just("object"), "properties": st.dictionaries(TEXTS, VALUES, max_size=4)})
)
NAMES = st.one_of(TEXTS, st.sampled_from(["add_item", "addItem", "add_item2", "list_items", "showItems", "a b", ""]))
TOOLS = st.builds(
    ManifestTool,
    name=NAMES,
    description=st.one_of(TEXTS, st.sampled_from(["Works with the page.", "Handles the page.", "商品を検索します。"])),
    title=TEXTS,
    input_schema=SCHEMAS,
    annotations=st.one_of(st.none(), st.dictionaries(st.one_of(TEXTS, st.sampled_from(["readOnlyHint"])), VALUES)),
    kind=st.sampled_from([None, *Kind]),
    frame=st.sampled_from([None, "top", "top.0"]),
    callable=st.sampled_from([True, None]),
)


def cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [cleaned(each) for each in value]
    if isinstance(value, dict):
        return {well_formed(key): cleaned(each) for key, each in value.items()}
    return value


def document(manifest: Manifest) -> list[Any]:
    """What the pointers point into."""
    return [
        cleaned(
            {
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "inputSchema": tool.input_schema,
                "annotations": dict(tool.annotations or {}),
            }
        )
        for tool in manifest.tools
    ]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOOLS, max_size=5))
def test_any_tools_can_be_judged_and_every_pointer_resolves(tools):
    manifest = Manifest("any", tuple(tools))
    findings = lint(manifest)
    whole = document(manifest)
    for finding in findings:
        resolve_pointer(whole, finding.pointer)
        assert finding.message.isprintable() or "\n" not in finding.message
        finding.model_dump_json()
    assert lint(manifest) == findings


def nested(levels: int, keyword: str) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        inner = {"inner": schema} if keyword == "properties" else [schema] if keyword == "anyOf" else schema
        schema = {"type": "object", keyword: inner, "default": 1, "enum": [1]}
    return schema


@pytest.mark.parametrize("levels", [50, 120, 500, 5_000])
@pytest.mark.parametrize("keyword", ["properties", "items", "anyOf", "not"])
def test_deep_schemas(levels, keyword):
    findings = lint(Manifest("deep", (ManifestTool("find", "Finds.", input_schema=nested(levels, keyword)),)))
    assert findings


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "\u202e" * 100_000, "one of " + "'a', " * 100_000, "e.g. " + "'" * 100_000, "ignore " * 100_000,
     "|".join("ab" * 20_000), "\ud800" * 50_000, "「" * 50_000, " or ".join("ab" * 5_000)],
    ids=range(9),
)  # fmt: skip
def test_huge_texts_end(text):
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": text, "pattern": text}}}
    tools = tuple(ManifestTool(f"find_{each}", text, input_schema=schema) for each in "ab")
    assert lint(Manifest("huge", tools))


def test_thousands_of_like_tools_do_not_cost_their_square():
    like = tuple(ManifestTool(f"show_item_v{each}", f"Works with the {each}th thing of it.") for each in range(3_000))
    findings = lint(Manifest("like", like))
    assert len(findings) < 20 * len(like)
