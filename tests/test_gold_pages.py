"""A census of all gold pages, by the commands that a user types, against the records written by hand."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tests.sites.compare import Record, differences
from tests.sites.gold import Expect, GoldPage, captured, scripts
from tests.sites.registry import HEAVY, PAGES, TOPICS, demo_pages, sites_of
from tests.sites.server import RESOLVER_RULES, SmallWeb

BROWSER = os.environ.get("GOLD_PAGES_BROWSER")
"""Another browser than the default one; every expectation holds in each."""

LIGHT = tuple(page for page in PAGES if page not in HEAVY)

# The first test waits for the crawl of all pages.
pytestmark = pytest.mark.timeout(900)


class Census:
    """The small web and the release of its crawl."""

    def __init__(self, web: SmallWeb, release: Path) -> None:
        self.web = web
        self.pages, self.frames, self.tools = (
            pl.read_parquet(release / "data" / f"{table}.parquet") for table in ("pages", "frames", "tools")
        )

    def record(self, page: GoldPage) -> Record:
        rows = self.pages.filter(pl.col("target_url") == page.target(self.web)).to_dicts()
        assert len(rows) == 1, f"{len(rows)} rows in `pages` for {page.target(self.web)}"
        mine = pl.col("visit_id") == rows[0]["visit_id"]
        return Record(rows[0], self.frames.filter(mine).to_dicts(), self.tools.filter(mine).to_dicts())


def _run(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "webmcp_census", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=840, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\nexit {done.returncode}\n{done.stderr[-1500:]}"


@contextmanager
def taken(pages: Sequence[GoldPage], folder: Path) -> Iterator[Census]:
    """The census of some pages: crawled and built by the commands."""
    with SmallWeb(sites_of(pages)) as web:
        targets = folder / "targets.jsonl"
        lines = (json.dumps({"url": page.target(web), "project": page.name, "source": "gold"}) for page in pages)
        targets.write_text("\n".join(lines) + "\n")
        options = ["--allow-private", "--delay", "0", "--concurrency", "8", "--host-resolver-rules", RESOLVER_RULES]
        options += ["--navigation-timeout", "8", "--retries", "1", "--retry-delay", "0.2"]
        if BROWSER:
            options += ["--browser", BROWSER]
        _run("crawl", targets, "--out", folder / "run", *options)
        _run("build", folder / "run", "--out", folder / "release")
        yield Census(web, folder / "release")


@pytest.fixture(scope="session")
def census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """Crawl and build once for all tests of this module."""
    with taken(LIGHT, tmp_path_factory.mktemp("gold")) as found:
        yield found


@pytest.fixture(scope="session")
def heavy_census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """The same for the pages that keep a machine busy."""
    with taken(HEAVY, tmp_path_factory.mktemp("heavy")) as found:
        yield found


def assert_as_written(census: Census, page: GoldPage) -> None:
    record = census.record(page)
    found = differences(page, record, census.web)
    detail = f"outcome_detail: {record.page['outcome_detail']}"
    assert not found, "\n".join(["", f"{page.name}: {page.title} ({page.fact})", *found, detail])


@pytest.mark.parametrize("page", LIGHT, ids=lambda page: page.name)
def test_record_is_as_written_by_hand(census: Census, page: GoldPage) -> None:
    assert_as_written(census, page)


@pytest.mark.long
@pytest.mark.parametrize("page", HEAVY, ids=lambda page: page.name)
def test_record_of_a_heavy_page_is_as_written_by_hand(heavy_census: Census, page: GoldPage) -> None:
    assert_as_written(heavy_census, page)


def test_every_target_has_exactly_one_row(census: Census) -> None:
    assert sorted(census.pages["target_url"]) == sorted(page.target(census.web) for page in LIGHT)


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
