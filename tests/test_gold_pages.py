"""A census of all gold pages, by the commands that a user types, against the records written by hand."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from tests.sites.compare import Record, differences
from tests.sites.gold import Expect, GoldPage, captured, scripts
from tests.sites.libraries import LibraryError, bring, why_unavailable
from tests.sites.registry import GREEDY, HEAVY, LIGHT, PAGES, TOPICS, WITH_LIBRARIES, demo_pages, sites_of
from tests.sites.server import SmallWeb
from tests.sites.taking import BROWSER, Census, assert_as_written, taken

TAKEN = LIGHT if why_unavailable() else LIGHT + WITH_LIBRARIES

needs_libraries = pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))

# The first test waits for the crawl of all pages.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="session")
def census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """Crawl and build once for all tests of this module; without a library, its pages alone are not what they are."""
    with suppress(LibraryError):
        bring()
    with taken(TAKEN, tmp_path_factory.mktemp("gold")) as found:
        yield found


@pytest.fixture(scope="session")
def heavy_census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """The same for the pages that keep a machine busy."""
    with taken(HEAVY, tmp_path_factory.mktemp("heavy")) as found:
        yield found


@pytest.mark.parametrize("page", LIGHT, ids=lambda page: page.name)
def test_record_is_as_written_by_hand(census: Census, page: GoldPage) -> None:
    assert_as_written(census, page)


@pytest.fixture(scope="session")
def greedy_census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """The same for the pages that leave nothing to others, one at a time."""
    with taken(GREEDY, tmp_path_factory.mktemp("greedy"), BROWSER, "--concurrency", "1") as found:
        yield found


@needs_libraries
@pytest.mark.parametrize("page", WITH_LIBRARIES, ids=lambda page: page.name)
def test_record_of_a_page_with_a_library_is_as_written_by_hand(census: Census, page: GoldPage) -> None:
    bring()
    assert_as_written(census, page)


@pytest.mark.long
@pytest.mark.parametrize("page", GREEDY, ids=lambda page: page.name)
def test_record_of_a_greedy_page_is_as_written_by_hand(greedy_census: Census, page: GoldPage) -> None:
    assert_as_written(greedy_census, page)


@pytest.mark.long
@pytest.mark.parametrize("page", HEAVY, ids=lambda page: page.name)
def test_record_of_a_heavy_page_is_as_written_by_hand(heavy_census: Census, page: GoldPage) -> None:
    assert_as_written(heavy_census, page)


def test_every_target_has_exactly_one_row(census: Census) -> None:
    assert sorted(census.pages["target_url"]) == sorted(page.target(census.web) for page in TAKEN)


def test_no_tool_belongs_to_another_visit(census: Census) -> None:
    known = set(census.pages["visit_id"])
    assert set(census.tools["visit_id"]) <= known
    assert set(census.frames["visit_id"]) <= known


def test_names_of_pages_and_sites_are_unique() -> None:
    names = [page.name for page in PAGES]
    assert len(names) == len(set(names))
    sites = [site.name for site in sites_of(PAGES)]
    assert len(sites) == len(set(sites))


def test_every_page_says_where_its_expectation_comes_from() -> None:
    sources = ("spec: ", "measured: ", "design: ", "HTML: ", "HTTP: ", "DNS: ", "TCP: ", "TLS: ", "RFC 9309")
    missing = [page.name for page in PAGES if not page.fact.startswith((*sources, "ECMAScript: "))]
    assert not missing


def test_every_topic_has_pages() -> None:
    assert all(TOPICS.values())
    assert sum(map(len, TOPICS.values())) == len(PAGES)


def test_the_demo_is_small_and_varied() -> None:
    assert 35 <= len(demo_pages()) <= 45
    outcomes = {expect.outcome for page in demo_pages() for expect in page.expectations}
    assert {"captured", "http_error", "not_html", "robots_disallowed"} <= outcomes


def _captured_record(**columns: object) -> Record:
    page = {
        **captured().page,
        "outcome": "captured",
        "outcome_detail": None,
        "tools_callable": 1,
        "tools_listed": 1,
    }
    frame = {"frame": "top", "relation": "top", "tools_policy": "allowed", "error": None, "page_view": "read"}
    tool = {
        "frame": "top", "name": "a", "kind": "script", "callable": True, "listing": "listed",
        "listing_cause": None, "input_schema": '{"type":"object"}', "description": "A.", "title": "",
        "cut": False,
    }  # fmt: skip
    return Record({**page, **columns}, [{**frame, "url": "/"}], [tool])


def test_comparison_accepts_what_is_right_and_names_what_is_not() -> None:
    page = GoldPage("x", "x", captured(*scripts("a")), "spec: x")
    web = SmallWeb([])
    assert differences(page, _captured_record(), web) == []
    assert differences(page, _captured_record(dialogs=2), web) == ["page: dialogs is 2, must be 0"]
    assert differences(replace(page, expect=captured(*scripts("b"))), _captured_record(), web) == [
        "tool ('top', 'b'): missing",
        "tool ('top', 'a'): must not be there",
    ]
    assert differences(replace(page, expect=Expect("timeout")), _captured_record(), web) == [
        "page: outcome is 'captured', must be 'timeout'"
    ]


def test_comparison_takes_the_nearest_of_several_expectations() -> None:
    page = GoldPage("x", "x", (captured(*scripts("b")), captured(*scripts("a"))), "spec: x")
    assert differences(page, _captured_record(), SmallWeb([])) == []
