from collections.abc import Callable
from typing import Any

from census.vocabulary import Kind
from crawler.browser_view import BrowserView
from crawler.limits import MAX_KEPT, MAX_NAME, MAX_TEXT, MAX_TOOLS

PATHS: Callable[[str], str | None] = {"F": "top", "G": "top.0"}.get


def tool(name: str, frame: str = "F", **other: Any) -> dict[str, Any]:
    return {"name": name, "frameId": frame, "description": "A tool", **other}


def names(view: BrowserView) -> list[tuple[str, str]]:
    return [(each.frame, each.name) for each in view.tools(PATHS)]


def test_tools_stand_in_the_order_in_which_they_were_first_named():
    view = BrowserView()
    view.added([tool("b")], 10)
    view.added([tool("a"), tool("b", "G")], 20)
    assert names(view) == [("top", "b"), ("top", "a"), ("top.0", "b")]


def test_a_tool_that_is_named_again_is_one_tool_with_its_last_description_and_its_first_time():
    view = BrowserView()
    view.added([tool("a")], 10)
    view.added([tool("a", description="Complete now")], 90)
    (one,) = view.tools(PATHS)
    assert (one.description, one.first_seen_ms) == ("Complete now", 10)


def test_a_tool_that_is_taken_away_and_registered_again_was_seen_when_it_first_came():
    view = BrowserView()
    view.added([tool("a")], 10)
    view.removed([tool("a")])
    view.added([tool("a")], 9_000)
    assert [each.first_seen_ms for each in view.tools(PATHS)] == [10]


def test_of_tools_that_are_too_large_together_only_the_names_are_kept():
    view = BrowserView()
    large = {"type": "object", "properties": {"a": {"description": "x" * 99_000}}}
    fit = MAX_KEPT // 99_000
    view.added([tool(f"t{i:03}", inputSchema=large) for i in range(fit + 20)], 0)
    tools = view.tools(PATHS)
    assert len(tools) == fit + 20
    whole = [each for each in tools if not each.cut]
    assert fit - 5 <= len(whole) <= fit
    assert whole == list(tools[: len(whole)])
    assert {(each.description, each.input_schema) for each in tools[len(whole) :]} == {("", None)}
    # Room that a tool leaves is there for the next one.
    view.removed([tool("t000")])
    view.added([tool("t000", inputSchema=large)], 5)
    assert not next(each for each in view.tools(PATHS) if each.name == "t000").cut
    view.document_gone("F")
    view.added([tool("again", inputSchema=large)], 9)
    assert not view.tools(PATHS)[0].cut


def test_the_same_name_in_two_frames_is_two_tools_and_taking_one_away_leaves_the_other():
    view = BrowserView()
    view.added([tool("a"), tool("a", "G")], 0)
    view.removed([tool("a")])
    assert names(view) == [("top.0", "a")]


def test_taking_away_what_is_not_there_changes_nothing():
    view = BrowserView()
    view.added([tool("a")], 0)
    view.removed([tool("b"), tool("a", "G")])
    assert names(view) == [("top", "a")]


def test_a_document_that_is_gone_takes_its_tools_with_it():
    view = BrowserView()
    view.added([tool("a"), tool("b"), tool("c", "G")], 0)
    view.document_gone("F")
    assert names(view) == [("top.0", "c")]
    view.added([tool("a")], 500)
    assert view.tools(PATHS)[-1].first_seen_ms == 500


def test_a_tool_of_a_frame_that_is_in_no_tree_of_this_tab_is_not_this_pages():
    view = BrowserView()
    view.added([tool("a"), tool("stranger", "another-tabs-frame")], 0)
    assert names(view) == [("top", "a")]


def test_every_event_grows_the_revision():
    view = BrowserView()
    revisions = [view.revision]
    view.added([tool("a")], 0)
    revisions.append(view.revision)
    view.removed([tool("a")])
    revisions.append(view.revision)
    view.document_gone("F")
    revisions.append(view.revision)
    assert revisions == sorted(set(revisions))


def test_tools_over_the_number_are_counted_and_leave_the_count_when_they_go():
    view = BrowserView()
    view.added([tool(f"t{i}") for i in range(MAX_TOOLS + 3)], 0)
    assert len(view.tools(PATHS)) == MAX_TOOLS
    assert (view.dropped, len(view)) == (3, MAX_TOOLS + 3)
    view.removed([tool(f"t{MAX_TOOLS}")])
    assert view.dropped == 2
    view.document_gone("F")
    assert (view.dropped, len(view)) == (0, 0)


def test_a_form_is_told_from_a_script_and_a_scripts_address_is_kept():
    view = BrowserView()
    stack = {"callFrames": [{"url": ""}, {"url": "https://a.org/app.js"}]}
    view.added([tool("form", backendNodeId=7), tool("script", stackTrace=stack), tool("inline")], 0)
    form, script, inline = view.tools(PATHS)
    assert (form.kind, form.registered_by) == (Kind.FORM, None)
    assert (script.kind, script.registered_by) == (Kind.SCRIPT, "https://a.org/app.js")
    assert inline.registered_by is None


def test_what_is_too_long_or_ill_formed_is_cut_and_marked():
    view = BrowserView()
    view.added([tool("n" * (MAX_NAME + 1)), tool("d", description="x" * (MAX_TEXT + 1)), tool("s\ud800")], 0)
    long_name, long_text, surrogate = view.tools(PATHS)
    assert (len(long_name.name), long_name.cut) == (MAX_NAME, True)
    assert (len(long_text.description), long_text.cut) == (MAX_TEXT, True)
    assert (surrogate.name, surrogate.cut) == ("s\ufffd", False)


def test_an_absent_schema_and_absent_annotations_are_none_and_given_ones_are_kept():
    view = BrowserView()
    view.added([tool("bare"), tool("full", inputSchema={"type": "object"}, annotations={"readOnly": True})], 0)
    bare, full = view.tools(PATHS)
    assert (bare.input_schema, bare.annotations) == (None, None)
    assert (full.input_schema, full.annotations) == ({"type": "object"}, {"readOnly": True})
