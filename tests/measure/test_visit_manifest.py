from datetime import UTC, datetime

import pytest

from census.visit import OriginTrial, ScriptEvidence
from census.vocabulary import Api, Kind, Listing, Outcome, PageView, Relation, Settled, ToolsPolicy
from measure.lint.linting import lint
from measure.lint.visit_manifest import manifest_of_visit
from tests.census.factories import captured, child, failed, item, tool, top


def test_a_listed_tool_has_both_views_of_it():
    visit = captured(
        tools=[tool("find", annotations={"readOnly": True}, first_seen_ms=40)],
        documents=[top(item("find", title="Find", annotations={"readOnlyHint": True}))],
    )
    [found] = manifest_of_visit(visit).tools
    assert (found.name, found.title, found.description) == ("find", "Find", "does it")
    assert found.input_schema == {"type": "object"}
    assert found.annotations == {"readOnly": True}
    assert (found.kind, found.frame, found.first_seen_ms) == (Kind.SCRIPT, "top", 40)
    assert (found.callable, found.listing, found.listing_cause) == (True, Listing.LISTED, None)


def test_an_unlisted_tool_says_why():
    visit = captured(tools=[tool("pay", "top.0")], documents=[top(), child(item("pay", "top.0"))])
    manifest = manifest_of_visit(visit)
    [found] = manifest.tools
    assert (found.callable, found.listing) == (True, Listing.OWN_DOCUMENT)
    assert found.listing_cause == "not_exposed_to_host"
    [finding] = [each for each in lint(manifest) if each.rule == "page/not-exposed"]
    assert finding.tool == "pay"
    assert finding.frame == "top.0"
    assert finding.pointer == "/0"
    assert "https://widget.example" in finding.message


def test_a_tool_without_a_schema_object_is_listed_nowhere():
    visit = captured(tools=[tool("date", input_schema=None)], documents=[top()])
    manifest = manifest_of_visit(visit)
    assert manifest.tools[0].listing is Listing.NOWHERE
    assert "page/listed-nowhere" in {each.rule for each in lint(manifest)}


def test_a_tool_of_a_library_alone_is_not_callable():
    visit = captured(documents=[top(own_list=(item("ghost"),), polyfill="replaces_native")])
    manifest = manifest_of_visit(visit)
    [found] = manifest.tools
    assert found.callable is False
    assert found.listing_cause == "library_only"
    rules = {each.rule for each in lint(manifest)}
    assert {"page/library-only", "page/polyfill-replaces-native"} <= rules
    assert "descriptions/thin" not in rules, "what no agent is shown is not judged as if it were"


def test_what_a_visit_says_of_the_page():
    expired = datetime(2026, 11, 17, tzinfo=UTC)
    visit = captured(
        documents=[top(), child(page_view=PageView.FAILED, error="NotAllowedError", tools_policy=ToolsPolicy.BLOCKED)],
        origin_trials=[OriginTrial(feature="WebMCP", status="Expired", origin="https://a.example", expires_at=expired)],
        script_evidence=ScriptEvidence(old_names=("navigator.modelContext",)),
        settled=Settled.DEADLINE,
        settle_ms=15_000,
        views_stable=True,
        dialogs=2,
    )
    page = manifest_of_visit(visit).page
    assert page is not None
    assert (page.url, page.build, page.api) == ("https://shop.example/", "156.0.8078.114", Api.NATIVE)
    assert page.old_api == ("navigator.modelContext",)
    assert [(token.status, token.expires_at) for token in page.tokens] == [("Expired", expired)]
    assert [(frame.frame, frame.error) for frame in page.documents] == [("top.0", "NotAllowedError")]
    rules = {each.rule: each for each in lint(manifest_of_visit(visit))}
    assert {"page/token-expired", "page/dead-api", "page/never-settles", "page/dialogs", "page/frame-blocked"} <= set(
        rules
    )
    assert "2026-11-17" in rules["page/token-expired"].message


@pytest.mark.parametrize(
    ("relation", "allow", "fires"),
    [
        (Relation.CROSS_SITE, "tools", True),
        (Relation.CROSS_SITE, "camera; tools *", True),
        (Relation.CROSS_SITE, "camera", False),
        (Relation.CROSS_SITE, None, False),
        (Relation.SAME_ORIGIN, None, True),
        (Relation.SAME_ORIGIN, "tools 'none'", False),
    ],
)
def test_a_blocked_frame_is_a_finding_only_where_it_was_meant_to_have_tools(relation, allow, fires):
    blocked = child(relation=relation, allow=allow, page_view=PageView.FAILED, error="NotAllowedError")
    found = {each.rule for each in lint(manifest_of_visit(captured(documents=[top(), blocked])))}
    assert ("page/frame-blocked" in found) is fires


def test_a_page_that_a_policy_forbids_tools_says_which():
    header = captured(documents=[top(page_view=PageView.FAILED, error="NotAllowedError")], views_stable=None)
    cluster = captured(documents=[top(page_view=PageView.FAILED, error="SecurityError")], views_stable=None)
    for visit, word in ((header, "Permissions-Policy"), (cluster, "Origin-Agent-Cluster")):
        [finding] = [each for each in lint(manifest_of_visit(visit)) if each.rule == "page/blocked"]
        assert word in finding.message


def test_a_page_that_is_not_secure():
    visit = captured("http://shop.example/", documents=[top(page_view=PageView.NO_API, secure=False)])
    assert "page/insecure" in {each.rule for each in lint(manifest_of_visit(visit))}


def test_a_visit_that_captured_nothing_has_no_tools_and_no_findings():
    manifest = manifest_of_visit(failed("https://gone.example/", Outcome.DNS_ERROR))
    assert manifest.tools == ()
    assert lint(manifest) == ()


def test_a_clean_page_has_no_finding():
    text = "Finds products by words and price, with stock. Use when the user looks for something to buy."
    schema = {"type": "object", "properties": {"words": {"type": "string", "description": "What to look for."}}}
    good = {"description": text, "input_schema": schema, "annotations": {"readOnly": True}}
    visit = captured(tools=[tool("find_products", **good)], documents=[top(item("find_products", **good))])
    assert lint(manifest_of_visit(visit)) == ()
