import pytest

from census.finding import Finding, Severity
from census.optout import OptOut
from census.tables import Tables, build_tables
from census.takedown import named_in, without_sites
from census.target import Target
from census.visit import Document
from census.vocabulary import Kind, Outcome, PageView, Pass
from tests.census.factories import captured, child, failed, item, tool, top

SHOP, GONE = "https://shop.example/", "https://gone.com/"


def finding(tool_name: str | None, frame: str | None) -> Finding:
    return Finding(rule="r/x", severity=Severity.NOTE, tool=tool_name, frame=frame, message="m", remedy="r")


def grandchild(url: str) -> Document:
    return child(frame="top.0.0", parent="top.0", url=url, origin="https://inner.example", page_view=PageView.FAILED)


@pytest.fixture
def tables() -> Tables:
    host = captured(
        SHOP,
        documents=[
            top(item("search"), item("order"), on_request=(item("pay", "top.0"),)),
            child(item("pay", "top.0"), item("form_pay", "top.0"), url="https://widget.gone.com/x"),
            grandchild("https://inner.example/"),
            child(frame="top.1", url="https://kept.example/"),
        ],
        tools=[
            tool("search"),
            tool("order", registered_by="https://cdn.gone.com/lib.js"),
            tool("pay", "top.0"),
            tool("form_pay", "top.0", kind=Kind.FORM),
        ],
    )
    theirs = captured(GONE, tools=[tool("secret")])
    led_there = captured("https://short.example/", final_url="https://www.gone.com/landing", tools=[tool("secret")])
    other = captured("https://other.example/").model_copy(
        update={"target": Target(url="https://other.example/", source="https://gone.com/gallery", project="P")}
    )
    findings = {
        host.visit_id: (finding("search", "top"), finding("pay", "top.0"), finding(None, None)),
        theirs.visit_id: (finding("secret", "top"),),
    }
    again = host.model_copy(update={"pass_": Pass.AUDIT})
    theirs_again = theirs.model_copy(update={"pass_": Pass.LEGACY})
    visits = [host, theirs, led_there, other, failed("https://asked.example/", Outcome.OPTED_OUT)]
    return build_tables(visits, [], [again, theirs_again], findings=findings)


OPTED_OUT = OptOut(frozenset({"gone.com"}))


def test_the_pages_of_a_site_go_whole_and_are_counted(tables: Tables) -> None:
    taken = without_sites(tables, OPTED_OUT)
    assert taken.tables["pages"]["target_url"].to_list() == [SHOP, "https://other.example/"]
    assert taken.pages == {"captured": 2, "opted_out": 1}
    gone = {f"visit of {GONE}", "visit of https://short.example/"}
    for name in ("frames", "tools", "findings", "observations"):
        assert gone.isdisjoint(taken.tables[name]["visit_id"]), name


def test_a_frame_in_another_page_goes_with_all_below_it(tables: Tables) -> None:
    taken = without_sites(tables, OPTED_OUT).tables
    of_shop = {name: taken[name].filter(visit_id=f"visit of {SHOP}") for name in ("frames", "tools", "findings")}
    assert of_shop["frames"]["frame"].to_list() == ["top", "top.1"]
    assert of_shop["tools"]["name"].to_list() == ["order", "search"]
    assert of_shop["findings"]["tool"].to_list() == ["search", None]
    assert taken["observations"]["name"].to_list() == ["order", "search"]


def test_the_page_counts_what_is_left(tables: Tables) -> None:
    before = tables["pages"].row(0, named=True)
    after = without_sites(tables, OPTED_OUT).tables["pages"].row(0, named=True)
    counted = ("frames", "frames_unread", "tools_callable", "tools_listed", "tools_on_request", "tools_own_document",
               "tools_unlisted", "tools_nowhere", "tools_form")  # fmt: skip
    assert [before[name] for name in counted] == [4, 1, 4, 2, 1, 1, 2, 0, 1]
    assert [after[name] for name in counted] == [2, 0, 2, 2, 0, 0, 0, 0, 0]
    assert {k: v for k, v in after.items() if k not in counted} == {k: v for k, v in before.items() if k not in counted}


def test_no_column_names_the_site_any_more(tables: Tables) -> None:
    assert set(named_in(tables, OPTED_OUT)) == {
        ("pages", "target_url"), ("pages", "final_url"), ("pages", "source"), ("frames", "url"),
        ("tools", "registered_by"), ("observations", "target_url"), ("observations", "final_url"),
        ("observations", "registered_by"),
    }  # fmt: skip
    taken = without_sites(tables, OPTED_OUT).tables
    assert named_in(taken, OPTED_OUT) == []
    assert taken["pages"].row(1, named=True)["project"] == "P"
    assert taken["tools"].filter(name="order")["registered_by"].to_list() == [None]
    assert taken["tools"].filter(name="search")["registered_by"].to_list() == ["https://shop.example/app.js"]


def test_an_empty_list_takes_only_those_that_were_not_visited(tables: Tables) -> None:
    taken = without_sites(tables, OptOut())
    assert taken.pages == {"opted_out": 1}
    assert taken.tables["pages"].height == tables["pages"].height - 1
    assert taken.tables["frames"].equals(tables["frames"])


def test_a_name_inside_another_name_is_another_site(tables: Tables) -> None:
    assert without_sites(tables, OptOut(frozenset({"one.com"}))).pages == {"opted_out": 1}


def test_an_international_site_goes_by_either_spelling() -> None:
    tables = build_tables([captured("https://münchen.de/"), captured("https://xn--mnchen-3ya.de/b")], [])
    assert without_sites(tables, OptOut(frozenset({"xn--mnchen-3ya.de"}))).pages == {"captured": 2}


def test_types_stay(tables: Tables) -> None:
    for name, table in without_sites(tables, OPTED_OUT).tables.items():
        assert table.schema == tables[name].schema
