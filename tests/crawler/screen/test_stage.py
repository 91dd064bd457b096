"""The screen and the visits after it, by the command line: what is asked, what is visited, what a RUN then holds."""

import json

import polars as pl
import pytest

from tests.crawler.conftest import QUICK, REACHABLE, final_visits
from tests.sites.gold import document, javascript, registering
from tests.sites.server import Reply, Site, SmallWeb

SCREEN = ("--stage", "screen", *REACHABLE, "--delay", "0", "--json")
PLAIN = document("Shoes", "<p>Shoes</p>")


@pytest.fixture
def web():
    sites = [
        Site("shop", {"/": document("Shop", registering("buy"))}),
        Site("lazy", {
            "/": document("Lazy", '<script type="module" src="/index.js"></script>'),
            "/index.js": javascript("await import('./part.js')"),
            "/part.js": javascript("document.modelContext.registerTool({name:'x',description:'X.',execute(){}})"),
        }),
        Site("plain", {"/": PLAIN, "/2": PLAIN}),
        Site("broken", {"/": Reply("", status=500)}),
        Site("private", {"/": PLAIN, "/robots.txt": Reply("User-agent: *\nDisallow: /", content_type="text/plain")}),
    ]  # fmt: skip
    with SmallWeb(sites) as served:
        yield served


def urls(web: SmallWeb) -> list[str]:
    names = ("shop", "lazy", "plain", "broken", "private")
    return [*map(web.url, names), web.url("plain", "/2"), web.url("gone")]


def asked(web: SmallWeb, name: str) -> list[str]:
    return [request.path for request in web.requests(name)]


def test_pages_with_a_sign_are_visited_and_the_others_end_as_screened_out(cli, web):
    out = cli.folder / "run"
    targets = cli.list(urls(web))
    screened = cli("crawl", targets, "--out", out, *SCREEN)
    assert screened.code == 0, screened.err
    assert json.loads(screened.out)["signs"] == {"evidence": 2, "unread": 3, "none": 2}
    assert asked(web, "lazy")[-2:] == ["/index.js", "/part.js"]
    assert asked(web, "private") == ["/robots.txt"]
    before = {name: len(web.requests(name)) for name in ("plain", "shop")}

    visited = cli("crawl", targets, "--out", out, *QUICK, "--screen-sample", "0", "--retries", "0")
    assert visited.code == 0, visited.err
    outcomes = {
        visit.target.url.split("//")[1].split(".")[0]: str(visit.outcome) for visit in final_visits(out).values()
    }
    assert outcomes == {
        "shop": "captured", "lazy": "captured", "plain": "screened_out", "broken": "http_error",
        "private": "robots_disallowed", "gone": "http_error",
    }  # fmt: skip
    assert len(web.requests("plain")) == before["plain"]
    assert len(web.requests("shop")) > before["shop"]

    built = cli("build", out, "--out", cli.folder / "release", "--json")
    assert built.code == 0, built.err
    numbers = {number["id"]: number for number in json.loads(built.out)["numbers"]}
    # Two of seven found; of the two without a sign none was visited, so both may have tools.
    share = numbers["screened_share"]
    assert (share["found"], share["stratum"], share["sample"], share["total"]) == (2, 2, 0, 7)
    assert (share["value"], share["low"], share["high"]) == (None, round(2 / 7, 6), round(4 / 7, 6))
    assert numbers["adoption"]["n"] == 0
    pages = pl.read_parquet(cli.folder / "release" / "data" / "pages.parquet")
    assert dict(pages.group_by("screen").len().iter_rows()) == {"evidence": 2, "unread": 3, "none_not_visited": 2}
    assert set(pages.filter(screen="none_not_visited")["unmeasured"]) == {"screened_out"}
    assert cli("release", "verify", cli.folder / "release").code == 0


def test_a_sample_is_visited_all_the_same(cli, web):
    out, targets = cli.folder / "run", cli.list([web.url("plain"), web.url("plain", "/2")])
    assert cli("crawl", targets, "--out", out, *SCREEN).code == 0
    done = cli("crawl", targets, "--out", out, *QUICK, "--screen-sample", "1")
    assert done.code == 0, done.err
    assert [(str(visit.outcome), str(visit.target.screen)) for visit in final_visits(out).values()] == [
        ("captured", "none_sampled")
    ] * 2


def test_what_does_not_belong_together_is_refused(cli, web):
    out, targets = cli.folder / "run", cli.list([web.url("plain")])
    for arguments, says in (
        (("--screen-sample", "0.5", *QUICK), "has no screen"),
        ((*SCREEN, "--screen-sample", "0.5"), "visits after the screen"),
        ((*SCREEN, "--audit", "0.5"), "leave out --audit"),
    ):
        refused = cli("crawl", targets, "--out", out, *arguments)
        assert refused.code == 2
        assert says in refused.err
    assert cli("crawl", targets, "--out", out, *SCREEN).code == 0
    other = cli.list([web.url("shop")], "other.txt")
    assert "another target list" in cli("crawl", other, "--out", out, *QUICK).err
    changed = cli("crawl", targets, "--out", out, *SCREEN, "--no-robots")
    assert changed.code == 2
    assert "robots: RUN has True, this command False" in changed.err
