from datetime import UTC, datetime, timedelta, timezone

import polars as pl
import pytest

from census.columns import TABLES, schema
from census.finding import Finding, Severity
from census.tables import build_tables
from census.visit import OriginTrial, ScriptEvidence, Visit
from census.vocabulary import BrowserView, Kind, Outcome, PageView, Pass, Relation
from tests.census.factories import NOON, OBJECT, captured, child, control, failed, item, tool, top

COUNTS = ("tools_callable", "tools_form", "tools_listed", "tools_unlisted")


def page_row(visit: Visit) -> dict[str, object]:
    return build_tables([visit], [])["pages"].row(0, named=True)


def tool_rows(visit: Visit) -> list[dict[str, object]]:
    return build_tables([visit], [])["tools"].to_dicts()


def counts(visit: Visit) -> tuple[object, ...]:
    row = page_row(visit)
    return tuple(row[name] for name in COUNTS)


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_its_schema_also_when_empty(table: str) -> None:
    visit = captured(tools=[tool("pay")])
    found = {visit.visit_id: (Finding(rule="a/b", severity=Severity.NOTE, message="x", remedy="y"),)}
    full = build_tables([visit], [control()], [visit.model_copy(update={"pass_": Pass.LEGACY})], findings=found)
    assert full[table].schema == pl.Schema(schema(table))
    # The compatibility matrix is of browsers, not of visits.
    assert full[table].height == (0 if table == "compatibility" else 1)
    assert build_tables([], [])[table].schema == pl.Schema(schema(table))


def test_columns_come_in_the_order_that_others_rely_on() -> None:
    names = list(schema("pages"))
    assert names[:4] == ["visit_id", "target_url", "final_url", "site"]
    assert names.index("tools_unlisted") == names.index("tools_callable") + 2


def test_every_column_is_described() -> None:
    for columns in TABLES.values():
        for column in columns:
            assert column.description.endswith("."), column.name


def test_a_page_with_tools() -> None:
    visit = captured(tools=[tool("pay"), tool("search", kind=Kind.FORM, registered_by=None)])
    assert counts(visit) == (2, 1, 2, 0)


def test_a_measured_page_without_tools_has_zero() -> None:
    assert counts(captured()) == (0, 0, 0, 0)
    assert page_row(captured())["unmeasured"] is None


def test_unlisted_tools_are_counted_by_kind() -> None:
    visit = captured(
        documents=[top(on_request=(item("b", "top.0"),)), child(item("a", "top.0"), item("b", "top.0"))],
        tools=[tool("a", "top.0"), tool("b", "top.0"), tool("c", input_schema=None)],
    )
    row = page_row(visit)
    assert counts(visit) == (3, 0, 0, 3)
    kinds = ("tools_on_request", "tools_own_document", "tools_nowhere")
    assert [row[name] for name in kinds] == [1, 1, 1]


def test_one_undecided_tool_makes_the_counts_by_listing_unknown() -> None:
    visit = captured(documents=[top(item("a"))], tools=[tool("a"), tool("b", "top.0")])
    assert counts(visit) == (2, 0, None, None)


def test_tools_that_were_not_kept_make_the_counts_by_listing_unknown() -> None:
    visit = captured(tools=[tool("pay")], tools_dropped=3)
    assert counts(visit) == (4, 0, None, None)


def test_whether_a_visit_is_vouched_for_is_asked_of_captured_pages_only() -> None:
    good, other, gone = (
        captured("https://a.org/"),
        captured("https://b.org/"),
        failed("https://c.org/", Outcome.TIMEOUT),
    )
    pages = build_tables([good, other, gone], [], vouched={good.visit_id})["pages"]
    assert pages["vouched"].to_list() == [True, False, None]


def test_an_unstable_page_keeps_its_tools_and_has_no_listing() -> None:
    assert counts(captured(tools=[tool("a")], views_stable=False)) == (1, 0, None, None)


@pytest.mark.parametrize(
    ("visit", "reason"),
    [
        (failed("https://gone.example/", Outcome.DNS_ERROR), "dns_error"),
        (failed("https://no.example/", Outcome.ROBOTS_DISALLOWED, browser=None), "robots_disallowed"),
        (
            captured(browser_view=BrowserView.UNAVAILABLE, browser_view_error="no WebMCP domain"),
            "browser_view_unavailable",
        ),
        (captured(documents=[top(page_view=PageView.FAILED, error="timeout")]), "page_view_failed"),
        (captured(documents=[]), "page_view_failed"),
    ],
)
def test_a_page_that_could_not_be_read_is_never_a_page_without_tools(visit: Visit, reason: str) -> None:
    assert counts(visit) == (None, None, None, None)
    assert page_row(visit)["unmeasured"] == reason


@pytest.mark.parametrize("error", ["NotAllowedError", "SecurityError"])
def test_a_page_that_a_policy_forbids_tools_answered(error: str) -> None:
    visit = captured(documents=[top(page_view=PageView.FAILED, error=error)])
    row = page_row(visit)
    assert (row["api"], row["unmeasured"], row["tools_callable"]) == ("blocked", None, 0)


@pytest.mark.parametrize(
    ("view", "error", "secure", "api"),
    [
        (PageView.READ, None, True, "native"),
        (PageView.NO_API, None, True, "none"),
        (PageView.NO_API, None, False, "insecure"),
        (PageView.NO_API, None, None, None),
        (PageView.FAILED, "timeout", True, None),
        (PageView.FAILED, "InvalidStateError", True, None),
    ],
)
def test_api(view: PageView, error: str | None, secure: bool | None, api: str | None) -> None:
    assert page_row(captured(documents=[top(page_view=view, error=error, secure=secure)]))["api"] == api


def test_old_names_are_a_list_and_null_when_scripts_were_not_read() -> None:
    names = ("navigator.modelContext", "provideContext")
    assert page_row(captured(script_evidence=ScriptEvidence(old_names=names)))["old_api"] == list(names)
    assert page_row(captured())["old_api"] == []
    assert page_row(captured(script_evidence=None))["old_api"] is None


@pytest.mark.parametrize(
    ("statuses", "shown"),
    [
        ((), None),
        (("Expired",), "Expired"),
        (("WrongOrigin", "Success"), "Success"),
        (("WrongOrigin", "Expired", "Expired"), "Expired,WrongOrigin"),
    ],
)
def test_origin_trial(statuses: tuple[str, ...], shown: str | None) -> None:
    trials = tuple(OriginTrial(feature="WebMCP", status=status) for status in statuses)
    assert page_row(captured(origin_trials=trials))["origin_trial"] == shown


def test_times_are_utc() -> None:
    there = datetime(2026, 11, 3, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    assert page_row(captured(visited_at=there))["visited_at"] == NOON.astimezone(UTC)


def test_a_tools_title_is_its_own_frames() -> None:
    visit = captured(
        documents=[top(item("pay", title="Pay here")), child(item("pay", "top.0", title="Pay there"))],
        tools=[tool("pay", "top.0"), tool("pay")],
    )
    rows = [(row["frame"], row["title"], row["listing"]) for row in tool_rows(visit)]
    assert rows == [("top", "Pay here", "listed"), ("top.0", "Pay there", "own_document")]


def test_nested_values_are_canonical_json() -> None:
    made = tool("pay", input_schema={"type": "object", "b": "é", "a": [1]}, annotations={"readOnly": True})
    (row,) = tool_rows(captured(tools=[made]))
    assert row["input_schema"] == '{"a":[1],"b":"é","type":"object"}'
    assert row["annotations"] == '{"readOnly":true}'


def test_a_tool_that_only_a_page_lists_is_not_callable() -> None:
    (row,) = tool_rows(captured(documents=[top(item("ghost", title="Ghost"))]))
    assert (row["name"], row["title"], row["kind"]) == ("ghost", "Ghost", None)
    assert (row["callable"], row["listing"], row["listing_cause"]) == (False, None, "not_in_browser_view")


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"browser_view": BrowserView.UNAVAILABLE}, "view_unavailable"),
        ({"views_stable": False}, "views_not_stable"),
        ({"tools_dropped": 3}, "view_cut"),
    ],
)
def test_whether_it_is_callable_is_not_known_without_a_whole_browser_view(
    fields: dict[str, object], cause: str
) -> None:
    (row,) = tool_rows(captured(documents=[top(item("maybe"))], **fields))
    assert (row["callable"], row["listing"], row["listing_cause"]) == (None, None, cause)


def test_a_tool_listed_by_two_documents_is_one_row() -> None:
    frame = child(item("pay", "top.0"), item("buy"), relation=Relation.SAME_ORIGIN)
    visit = captured(
        documents=[top(item("buy"), item("pay", "top.0")), frame], tools=[tool("pay", "top.0"), tool("buy")]
    )
    assert [(row["frame"], row["name"]) for row in tool_rows(visit)] == [("top", "buy"), ("top.0", "pay")]


def test_rows_keep_the_order_of_targets_then_frames_then_names() -> None:
    second = captured("https://a.example/", tools=[tool("z"), tool("a")])
    first = captured(
        "https://z.example/",
        documents=[top(), *(child(frame=f"top.{i}") for i in (2, 10))],
        tools=[tool("x", "top.10"), tool("y", "top.2")],
    )
    tables = build_tables([first, second], [])
    assert tables["pages"]["target_url"].to_list() == ["https://z.example/", "https://a.example/"]
    assert tables["frames"]["frame"].to_list() == ["top", "top.2", "top.10", "top"]
    assert tables["tools"]["name"].to_list() == ["y", "x", "a", "z"]


def test_a_frame_whose_list_was_not_read_has_no_count() -> None:
    frames = build_tables(
        [captured(documents=[top(item("a")), child(page_view=PageView.FAILED, error="timeout")])], []
    )["frames"]
    assert frames["tools_in_list"].to_list() == [1, None]
    assert frames["error"].to_list() == [None, "timeout"]


def test_a_schema_that_the_browser_view_leaves_out_is_taken_from_the_page_view() -> None:
    visit = captured(tools=[tool("pay", input_schema=None)], documents=[top(item("pay", input_schema={"é": 1}))])
    assert tool_rows(visit)[0]["input_schema"] == '{"é":1}'


@pytest.mark.parametrize(
    ("schema", "item_cut", "cut"), [(OBJECT, True, False), (None, True, True), (None, False, False)]
)
def test_a_row_is_cut_when_what_it_shows_was_cut(schema: object, item_cut: bool, cut: bool) -> None:
    visit = captured(
        tools=[tool("pay", input_schema=schema)], documents=[top(item("pay", input_schema=None, cut=item_cut))]
    )
    assert build_tables([visit], [])["tools"]["cut"].to_list() == [cut]


def test_a_tool_without_a_schema_in_either_view_has_none() -> None:
    visit = captured(tools=[tool("pay", input_schema=None)], documents=[top(item("pay", input_schema=None))])
    assert tool_rows(visit)[0]["input_schema"] is None


def test_an_observation_has_a_row_for_each_tool_and_one_when_it_has_none() -> None:
    legacy = captured("https://a.example/", tools=[tool("pay"), tool("find")], pass_=Pass.LEGACY)
    audit = captured("https://b.example/", pass_=Pass.AUDIT)
    rows = build_tables([], [], [legacy, audit])["observations"]
    assert rows.select("pass", "target_url", "name", "tools_callable").rows() == [
        ("legacy", "https://a.example/", "find", 2),
        ("legacy", "https://a.example/", "pay", 2),
        ("audit", "https://b.example/", None, 0),
    ]


def test_observations_are_in_no_other_table() -> None:
    tables = build_tables([], [], [captured(tools=[tool("pay")], pass_=Pass.LEGACY)])
    assert [tables[name].height for name in ("pages", "frames", "tools")] == [0, 0, 0]


def test_a_tool_of_the_page_s_own_object_that_the_browser_lacks_is_not_callable() -> None:
    lists = top(polyfill="replaces_native", own_list=(item("find"), item("pay")))
    rows = tool_rows(captured(tools=[tool("pay")], documents=[lists]))
    assert [(row["name"], row["callable"], row["listing"], row["listing_cause"]) for row in rows] == [
        ("find", False, None, "library_only"),
        ("pay", True, "nowhere", "unexplained"),
    ]
