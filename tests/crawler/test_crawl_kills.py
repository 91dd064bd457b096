"""Whatever is killed and whenever: every target ends in exactly one outcome, and no process stays behind."""

import random
from functools import partial

import polars as pl
import pytest

from census.vocabulary import Outcome
from tests.crawler.conftest import (
    QUICK,
    Cli,
    Command,
    alive,
    assert_nothing_lost,
    final_visits,
    pages_asked,
    query,
    tool_names,
    wait_until,
)
from tests.sites.gold import document, registering
from tests.sites.server import Manner, Reply, Request, Route, Site, SmallWeb, redirect


def tooled(name: str) -> dict[str, Route]:
    return {"/": document(f"Site {name}", registering(f"tool_of_{name}"))}


ORDINARY = [f"s{i}" for i in range(7)]
SITES = (
    *(Site(name, tooled(name)) for name in ORDINARY),
    Site("two", {"/1": document("One", registering("one")), "/2": document("Two", registering("two"))}),
    Site("asks", {"/": document("Asks", "<script>alert('stay?')</script>" + registering("asked"))}),
    Site("slow", {"/": Reply(delay=1.0, body="<!doctype html><title>Slow</title>" + registering("late"))}),
    Site("gone", {}),
    Site("moves", {"/": redirect("{{s0}}/")}),
)
PATHS = [*((name, "/") for name in ORDINARY), ("two", "/1"), ("two", "/2"), ("asks", "/"), ("slow", "/"), ("gone", "/"),
         ("moves", "/")]  # fmt: skip


def assert_no_process_stays_behind(crawl: Command) -> None:
    family = crawl.family_seen()
    assert len(family) > 1, "no process of the browser was seen"
    wait_until(lambda: not alive(family), f"the end of {[p.pid for p in alive(family)]}", timeout=20)


def _reached(crawl: Command, web: SmallWeb, pages: int) -> bool:
    """Whether a crawl has its browser and so many pages were asked for, or it has ended already."""
    return crawl.process.poll() is not None or (bool(crawl.browsers()) and pages_asked(web) >= pages)


def storm(cli: Cli, kills: int, seed: int) -> None:
    """Kill the crawl again and again, then let it finish."""
    dice = random.Random(seed)
    with SmallWeb(SITES) as web:
        arguments = (
            "crawl", cli.list(web.url(*path) for path in PATHS), "--out", "run", *QUICK,
            "--concurrency", "4", "--control-every", "5",
        )  # fmt: skip
        for kill in range(kills):
            crawl = cli.start(*arguments)
            pages = pages_asked(web) + dice.randint(0, 4)
            wait_until(partial(_reached, crawl, web, pages), "the moment of the kill", timeout=150)
            crawl.watch(dice.uniform(0.0, 1.2))
            if crawl.process.poll() is not None:
                break
            crawl.kill(whole_group=kill % 2 == 1)
            assert_no_process_stays_behind(crawl)
        done = cli(*arguments)
        assert done.code == 0, done.err
        run = cli.folder / "run"
        assert_nothing_lost(run, len(PATHS))
        visits = final_visits(run)
        for name in ORDINARY:
            assert tool_names(visits[web.url(name)]) == {f"tool_of_{name}"}
        assert tool_names(visits[web.url("two", "/2")]) == {"two"}
        assert visits[web.url("gone")].outcome is Outcome.HTTP_ERROR
    built = cli("build", "run", "--out", "release")
    assert built.code == 0, built.err
    table = pl.read_parquet(cli.folder / "release" / "data" / "pages.parquet")
    assert len(table) == table["target_url"].n_unique() == len(PATHS)


@pytest.mark.long
@pytest.mark.timeout(280)
def test_a_crawl_that_is_killed_three_times_loses_nothing(cli):
    storm(cli, kills=3, seed=20261130)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_crawl_that_is_killed_ten_times_loses_nothing(cli, seed):
    storm(cli, kills=10, seed=seed)


class Deadly:
    """A page that takes its crawler down: its server kills the crawler whenever it is asked for the page."""

    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        self.crawl: Command | None = None
        self.sites = (Site("deadly", {"/": self.answer}), Site("harmless", tooled("harmless")))

    def answer(self, _: Request) -> Reply:
        assert self.crawl is not None
        self.crawl.process.kill()
        return Reply(manner=Manner.CLOSE)

    def crawls(self, web: SmallWeb) -> int:
        """Crawl both pages; returns the exit code."""
        targets = self.cli.list([web.url("deadly"), web.url("harmless")])
        self.crawl = self.cli.start("crawl", targets, "--out", "run", *QUICK)
        return self.crawl.result().code


def test_a_page_that_takes_its_crawler_down_takes_its_neighbour_along_only_once(cli):
    deadly = Deadly(cli)
    with SmallWeb(deadly.sites) as web:
        assert [deadly.crawls(web) for _ in range(3)] == [-9, -9, -9]
    rows = query(cli.folder / "run", "SELECT key LIKE '%harmless%', state, lost FROM targets ORDER BY id")
    # What was under way when a crawler died is visited alone, so the third one to die takes nobody along.
    assert rows[1] == (1, "finished", 1)
    assert rows[0][1:] == ("leased", 2)


@pytest.mark.long
def test_a_page_that_takes_its_crawler_down_each_time_is_given_up_and_its_neighbour_is_not(cli):
    deadly = Deadly(cli)
    with SmallWeb(deadly.sites) as web:
        assert [deadly.crawls(web) for _ in range(6)] == [-9, -9, -9, -9, -9, 0]
        visits = final_visits(cli.folder / "run")
        assert visits[web.url("deadly")].outcome is Outcome.GAVE_UP
        assert visits[web.url("harmless")].outcome is Outcome.CAPTURED
    assert_nothing_lost(cli.folder / "run", 2)
