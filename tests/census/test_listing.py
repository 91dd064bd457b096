import pytest

from census.listing import Decision, ListingCause, listings
from census.visit import BrowserTool, Document, Visit
from census.vocabulary import Listing, PageView, Relation
from tests.census.factories import captured, child, item, tool, top

INNER = tool("pay", "top.0")


def decide(visit: Visit, frame: str = "top.0", name: str = "pay") -> Decision:
    return listings(visit)[frame, name]


def page(*documents: Document, tools: tuple[BrowserTool, ...] = (INNER,), **fields: object) -> Visit:
    return captured(documents=documents, tools=tools, **fields)


def test_a_tool_in_the_top_documents_list_is_listed() -> None:
    visit = page(top(item("pay")), tools=(tool("pay"),))
    assert decide(visit, "top") == (Listing.LISTED, None)


def test_a_same_origin_frames_tool_is_listed_because_the_list_covers_the_tab() -> None:
    frame = child(item("pay", "top.0"), relation=Relation.SAME_ORIGIN, origin="https://shop.example")
    assert decide(page(top(item("pay", "top.0")), frame)) == (Listing.LISTED, None)


def test_a_tool_exposed_to_the_host_is_on_request() -> None:
    visit = page(top(on_request=(item("pay", "top.0"),)), child(item("pay", "top.0")))
    assert decide(visit) == (Listing.ON_REQUEST, ListingCause.NEEDS_FROM_ORIGINS)


@pytest.mark.parametrize("relation", [Relation.CROSS_SITE, Relation.SAME_SITE])
def test_a_tool_that_only_a_cross_origin_frame_lists_is_own_document(relation: Relation) -> None:
    visit = page(top(), child(item("pay", "top.0"), relation=relation))
    assert decide(visit) == (Listing.OWN_DOCUMENT, ListingCause.NOT_EXPOSED_TO_HOST)


def test_a_sandboxed_frames_tool_is_own_document_because_its_origin_is_opaque() -> None:
    frame = child(item("pay", "top.0"), relation=Relation.OPAQUE, origin="null", sandbox="allow-scripts")
    assert decide(page(top(), frame)) == (Listing.OWN_DOCUMENT, ListingCause.OPAQUE_ORIGIN)


def test_a_same_origin_frames_tool_that_the_host_does_not_list_is_unexplained() -> None:
    frame = child(item("pay", "top.0"), relation=Relation.SAME_ORIGIN)
    assert decide(page(top(), frame)) == (Listing.OWN_DOCUMENT, ListingCause.UNEXPLAINED)


def test_a_tool_without_schema_that_no_document_lists_has_a_schema_that_is_no_object() -> None:
    visit = page(top(), tools=(tool("pay", input_schema=None),))
    assert decide(visit, "top") == (Listing.NOWHERE, ListingCause.SCHEMA_NOT_AN_OBJECT)


def test_a_tool_with_a_schema_that_no_document_lists_is_unexplained() -> None:
    assert decide(page(top(), tools=(tool("pay"),)), "top") == (Listing.NOWHERE, ListingCause.UNEXPLAINED)


def test_one_name_in_two_frames_is_two_tools() -> None:
    visit = page(top(item("pay")), child(item("pay", "top.0")), tools=(tool("pay"), INNER))
    assert listings(visit) == {
        ("top", "pay"): (Listing.LISTED, None),
        ("top.0", "pay"): (Listing.OWN_DOCUMENT, ListingCause.NOT_EXPOSED_TO_HOST),
    }


def test_nothing_is_decided_on_an_unstable_reading() -> None:
    visit = page(top(item("pay")), tools=(tool("pay"),), views_stable=False)
    assert decide(visit, "top") == (None, ListingCause.VIEWS_NOT_STABLE)


def test_nothing_is_decided_without_the_top_documents_view() -> None:
    unread = top(page_view=PageView.FAILED, error="timeout")
    visit = page(unread, child(item("pay", "top.0")), tools=(tool("buy"), INNER))
    assert set(listings(visit).values()) == {(None, ListingCause.VIEW_UNAVAILABLE)}


def test_nothing_is_decided_when_stability_was_not_read() -> None:
    visit = page(top(item("pay")), tools=(tool("pay"),), views_stable=None)
    assert decide(visit, "top") == (None, ListingCause.VIEW_UNAVAILABLE)


def test_own_document_and_nowhere_are_not_told_apart_without_the_frames_view() -> None:
    visit = page(top(), child(page_view=PageView.FAILED, error="timeout"))
    assert decide(visit) == (None, ListingCause.VIEW_UNAVAILABLE)


def test_a_frames_tool_is_listed_even_when_the_frames_own_view_failed() -> None:
    visit = page(top(item("pay", "top.0")), child(page_view=PageView.FAILED, error="timeout"))
    assert decide(visit) == (Listing.LISTED, None)


def test_a_tool_of_a_frame_that_was_not_read_is_not_decided() -> None:
    assert decide(page(top())) == (None, ListingCause.VIEW_UNAVAILABLE)


def test_an_item_of_an_unrecognised_frame_may_be_the_tool() -> None:
    visit = page(top(item("pay", None)), child(item("pay", "top.0")))
    assert decide(visit) == (None, ListingCause.FRAME_UNKNOWN)


def test_a_tool_missing_from_a_cut_list_is_not_nowhere() -> None:
    visit = page(top(item("other")), tools=(tool("other"), tool("pay")), tools_dropped=7)
    assert decide(visit, "top", "other") == (Listing.LISTED, None)
    assert decide(visit, "top", "pay") == (None, ListingCause.VIEW_CUT)
