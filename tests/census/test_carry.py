"""Rows carried over: in their places, with their own visit, and never from another release than the one asked about."""

from pathlib import Path

import polars as pl
import pytest

from census.carry import carry_over
from census.errors import CensusError
from census.opened_release import Release, open_release
from census.recheck import Recheck, Validator
from census.release import build_release
from census.run import Run
from census.tables import build_tables
from census.target import Target
from census.vocabulary import Outcome, Pass
from tests.census.factories import NOON, captured, failed, make_run, tool

A, B, C = (f"https://shop.example/{name}" for name in "abc")
ASKED = Recheck(release="2026.11.0", resources=(Validator(url=A, etag='"1"'),))


@pytest.fixture(scope="module")
def last(tmp_path_factory) -> Release:
    folder = tmp_path_factory.mktemp("last")
    restored = captured(A, tools=[tool("old")], pass_=Pass.LEGACY, visit_id="legacy of a")
    visits = [captured(A, tools=[tool("buy"), tool("pay")]), captured(B, tools=[tool("b")]), restored]
    run = make_run(folder / "run", visits)
    build_release([Run(run)], folder / "release")
    return open_release(folder / "release")


def unchanged(url: str, recheck: Recheck = ASKED, **target: object):
    target = Target(url=url, recheck=recheck, source="new list", **target)
    return failed(url, Outcome.UNCHANGED, target=target, visit_id=f"asked {url}", browser=None)


def test_a_page_keeps_its_place_its_visit_and_its_tools(last):
    now = build_tables(
        [captured(C, tools=[tool("c")], visit_id="now c"), unchanged(A, rank=7), captured(B, visit_id="b")], []
    )
    carried = carry_over(now, last)
    pages = carried.tables["pages"]
    assert pages["target_url"].to_list() == [C, A, B]
    row = pages.filter(target_url=A).row(0, named=True)
    assert (row["outcome"], row["visit_id"], row["visited_at"]) == ("captured", f"visit of {A}", NOON)
    assert (row["carried_from"], row["tools_callable"], row["source"], row["rank"]) == ("2026.11.0", 2, "new list", 7)
    assert pages.filter(target_url=B).row(0, named=True)["carried_from"] is None
    tools = carried.tables["tools"].select("visit_id", "name").rows()
    assert tools == [("now c", "c"), (f"visit of {A}", "buy"), (f"visit of {A}", "pay")]
    assert set(carried.tables["frames"]["visit_id"]) == {"now c", f"visit of {A}", "b"}
    assert carried.tables["observations"]["visit_id"].to_list() == ["legacy of a"]
    assert carried.pages == {"2026.11.0": 1}


def test_what_was_carried_before_still_names_the_release_that_made_the_visit(last):
    older = last.tables["pages"].with_columns(carried_from=pl.lit("2026.09.0"))
    carried = carry_over(build_tables([unchanged(A)], []), last._replace(tables={**last.tables, "pages": older}))
    assert carried.pages == {"2026.09.0": 1}


def test_without_unchanged_pages_nothing_is_taken(last):
    tables = build_tables([captured(A)], [])
    assert carry_over(tables, None).tables["pages"].equals(tables["pages"])


@pytest.mark.parametrize(
    ("recheck", "url", "previous", "says"),
    [
        (ASKED, A, False, "there is no --previous"),
        (Recheck(release="2026.10.0", resources=ASKED.resources), A, True, "--previous is 2026.11.0"),
        (ASKED, C, True, "does not have it"),
    ],
)
def test_rows_of_another_release_are_not_taken(last, recheck, url, previous, says):
    tables = build_tables([unchanged(url, recheck)], [])
    with pytest.raises(CensusError, match=says):
        carry_over(tables, last if previous else None)


def test_a_release_says_what_it_carried_over_and_holds(last, tmp_path: Path):
    run = make_run(tmp_path / "run", [unchanged(A), captured(B, visit_id="b")])
    summary = build_release([Run(run)], tmp_path / "release", previous=last, release_version="2026.12.0")
    share = summary.rate("carried_over")
    assert (share.k, share.n) == (1, 2)
    assert open_release(tmp_path / "release").manifest.carried == {"2026.11.0": 1}
    assert "1 by 2026.11.0" in (tmp_path / "release" / "report.md").read_text()
