import json

import pytest

from crawler.limits import MAX_DEPTH, MAX_SCHEMA, clean, clean_schema


@pytest.mark.parametrize(
    ("text", "limit", "kept", "cut"),
    [
        ("short", 10, "short", False),
        ("exactly ten", 11, "exactly ten", False),
        ("one too many", 11, "one too man", True),
        ("", 5, "", False),
        (None, 5, "", False),
        (7, 5, "", False),
        ("日本語", 2, "日本", True),
    ],
)
def test_text_is_cut_at_its_limit_and_says_so(text, limit, kept, cut):
    assert clean(text, limit) == (kept, cut)


@pytest.mark.parametrize("lone", ["\ud800", "a\udfffb", "\udc00\ud800", "é\ud83d"])
def test_a_lone_surrogate_never_gets_through(lone):
    text, _ = clean(lone, 100)
    assert "\ufffd" in text
    text.encode("utf-8")


def test_a_pair_of_surrogates_is_the_character_it_stands_for():
    assert clean("\ud83d\ude00", 100) == ("😀", False)


@pytest.mark.parametrize(
    "schema",
    [None, True, 5, "text", [], {}, {"type": "object", "properties": {"a": {"enum": [None, 1, "é"]}}}],
)
def test_a_schema_within_the_limits_is_kept_as_it_was(schema):
    assert clean_schema(schema) == (schema, False)


def nested(levels: int) -> object:
    value: object = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_a_schema_is_kept_down_to_the_deepest_level_allowed_and_no_deeper():
    kept, cut = clean_schema(nested(MAX_DEPTH - 1))
    assert (kept, cut) == (nested(MAX_DEPTH - 1), False)
    assert clean_schema(nested(MAX_DEPTH)) == (None, True)
    assert clean_schema(nested(20_000)) == (None, True)


def test_a_schema_over_the_length_is_not_kept_and_says_so():
    at_the_limit = "x" * (MAX_SCHEMA - len('""'))
    assert clean_schema(at_the_limit) == (at_the_limit, False)
    assert clean_schema(at_the_limit + "x") == (None, True)


def test_lone_surrogates_in_a_schema_are_replaced_in_keys_and_values():
    kept, cut = clean_schema({"\ud800": ["\udc00", {"é": "\ud83d"}]})
    assert not cut
    json.dumps(kept, ensure_ascii=False).encode("utf-8")
    assert kept == {"\ufffd": ["\ufffd", {"é": "\ufffd"}]}
