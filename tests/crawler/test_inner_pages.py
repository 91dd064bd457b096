"""Which links are inner pages, and a crawl that visits them: observations beside the main numbers."""

import json

import polars as pl
import pytest

from census.target import Target
from census.visit import ScriptEvidence
from census.vocabulary import Outcome, Pass, Screen
from crawler.inner_pages import inner_pages
from crawler.settings import CrawlSettings, VisitSettings
from tests.census.factories import captured, failed, tool
from tests.crawler.conftest import QUICK
from tests.sites.gold import document, registering
from tests.sites.server import Site, SmallWeb

SETTINGS = CrawlSettings(VisitSettings("agent"), "Chromium 156", depth=1, per_site=3)
HOME = "https://shop.org/"


def urls(*links: str, **visit: object) -> list[str]:
    page = captured(HOME, **{"tools": [tool("buy")], "links": links, **visit})
    return [target.url for target in inner_pages(page, SETTINGS)]


def test_links_of_the_same_site_are_inner_pages_each_once_in_order():
    assert urls(
        "https://shop.org/cart", "https://other.org/", "https://www.shop.org/about",
        "https://shop.org/cart/", "mailto:a@shop.org", "https://shop.org/cart#top",
    ) == ["https://shop.org/cart", "https://www.shop.org/about"]  # fmt: skip


def test_a_route_is_a_page_and_an_anchor_is_none():
    assert urls(f"{HOME}#/search", f"{HOME}#!/hotel/1", f"{HOME}#reviews", HOME, "") == [
        f"{HOME}#/search",
        f"{HOME}#!/hotel/1",
    ]


def test_where_the_page_led_is_no_inner_page_of_it():
    assert urls("https://shop.org/en/", final_url="https://shop.org/en/") == []


@pytest.mark.parametrize("path", ["a.pdf", "photo.JPG", "feed.xml", "logout", "sign-out?x=1", "item/7/delete"])
def test_what_is_no_page_or_does_something_is_left_out(path):
    assert urls(HOME + path) == []
    assert urls(f"{HOME}cart") == [f"{HOME}cart"]


def test_only_pages_with_evidence_lead_on():
    link = f"{HOME}cart"
    assert urls(link, tools=[], script_evidence=ScriptEvidence()) == []
    assert urls(link, tools=[], script_evidence=ScriptEvidence(names_api=True)) == [link]
    assert urls(link, tools=[], script_evidence=ScriptEvidence(old_names=("navigator.modelContext",))) == [link]
    assert urls(link, tools=[], target=Target(url=HOME, screen=Screen.EVIDENCE)) == [link]
    assert urls(link, pass_=Pass.INNER) == []
    assert inner_pages(failed(HOME, Outcome.TIMEOUT, links=(link,)), SETTINGS) == ()
    assert inner_pages(captured(HOME, tools=[tool("buy")], links=(link,)), CrawlSettings(VisitSettings("a"), "b")) == ()


def test_an_inner_page_says_where_it_was_found():
    (inner,) = inner_pages(captured(HOME, tools=[tool("buy")], links=(f"{HOME}cart",)), SETTINGS)
    assert (inner.found_on, inner.source) == ("https://shop.org", "https://shop.org")


ROUTER = """<a href="#/cart">Cart</a> <a href="/given">Given</a> <a href="/about">About</a> <a href="/third">Third</a>
<form name="links"></form><form name="querySelectorAll"></form>
<script>if (location.hash === "#/cart") document.modelContext.registerTool(
  { name: "pay", description: "Pays.", execute() {} });</script>"""


def test_inner_pages_are_visited_and_stand_in_no_main_number(cli):
    pages = {
        "/": document("Shop", registering("buy") + ROUTER),
        "/about": document("About", registering("buy") + '<a href="/deeper">Deeper</a>'),
        "/given": document("Given", "<p>Nothing</p>"),
    }
    with SmallWeb([Site("shop", pages), Site("plain", {"/": document("Plain", '<a href="/more">More</a>')})]) as web:
        targets = cli.list([web.url("shop"), web.url("shop", "/given"), web.url("plain")])
        out = cli.folder / "run"
        done = cli("crawl", targets, "--out", out, *QUICK, "--depth", "1", "--per-site", "2", timeout=280)
        assert done.code == 0, done.err
        assert {request.path for request in web.requests("shop")} >= {"/", "/about", "/given"}
        asked = {request.path for request in (*web.requests("shop"), *web.requests("plain"))}
        assert not asked & {"/deeper", "/third", "/more"}
        keys = {name: web.url("shop", path) for name, path in (("home", "/"), ("cart", "/#/cart"), ("about", "/about"))}
    release = cli.folder / "release"
    built = cli("build", out, "--out", release, "--json", timeout=280)
    assert built.code == 0, built.err
    seen = pl.read_parquet(release / "data" / "observations.parquet")
    inner = seen.filter(pl.col("pass") == "inner")
    assert set(inner.select("target_url", "name").iter_rows()) == {
        (keys["cart"], "buy"), (keys["cart"], "pay"), (keys["about"], "buy"),
    }  # fmt: skip
    assert set(inner["found_on"]) == {Target(url=keys["home"]).key}
    numbers = {number["id"]: number for number in json.loads(built.out)["numbers"]}
    assert (numbers["targets"]["value"], numbers["adoption"]["k"], numbers["adoption"]["n"]) == (3, 1, 3)
    assert (numbers["inner_with_tools"]["k"], numbers["inner_with_tools"]["n"]) == (2, 2)
    assert numbers["inner_tools"]["value"] == 1
    assert cli("release", "verify", release, timeout=280).code == 0
