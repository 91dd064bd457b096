import pytest

from crawler.page_tools import page_tool


def item(schema: str | None, *, cut: bool = False) -> dict[str, object]:
    return {"frame": "top", "name": "pay", "title": "", "description": "Pays.", "schema": schema,
            "annotations": None, "origin": "https://a.example", "cut": cut}  # fmt: skip


def nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize(
    ("text", "schema", "cut"),
    [
        (None, None, False),
        ('{"type":"object"}', {"type": "object"}, False),
        ("[]", [], False),
        # Chromium 147 to 150 hand back the page's own string.
        ("not json", "not json", False),
        # Python's own reader gives up at some 1,000 levels; at 151 we do.
        (nested(151), None, True),
        (nested(5_000), None, True),
    ],
)
def test_a_schema_is_kept_within_the_limits_and_marked_when_it_is_not(text, schema, cut):
    tool = page_tool(item(text))
    assert (tool.input_schema, tool.cut) == (schema, cut)


def test_what_the_page_view_cut_stays_marked():
    assert page_tool(item('{"type":"object"}', cut=True)).cut
