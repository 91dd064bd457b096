"""One crawl of sites with manners of their own; the server's log says what was asked of them, and when."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from census.vocabulary import Outcome
from tests.crawler.conftest import REACHABLE, Cli, assert_nothing_lost, final_visits
from tests.sites.gold import document, registering
from tests.sites.server import Reply, Request, Site, SmallWeb, redirect

DELAY = 1.5
CRAWL_DELAY = 4.0
VISIT = 1.0
"""Seconds that a visit takes at least: the cap on settling."""

PAGE = document("A page", registering("here"))


def robots(*lines: str) -> Reply:
    return Reply("\n".join(lines) + "\n", content_type="text/plain")


SITES = (
    Site("partly", {"/robots.txt": robots("User-agent: *", "Disallow: /private"), "/": PAGE, "/private/x": PAGE}),
    Site("by-name", {"/robots.txt": robots("User-agent: webmcp-census", "Disallow: /", "", "User-agent: *", "Allow: /"),
                     "/": PAGE}),
    Site("others", {"/robots.txt": robots("User-agent: SomeBot", "Disallow: /"), "/": PAGE}),
    Site("without", {"/": PAGE}),
    Site("ailing", {"/robots.txt": Reply("out of order", status=503), "/": PAGE}),
    Site("moved-rules", {"/robots.txt": redirect("/rules.txt"), "/rules.txt": robots("User-agent: *", "Disallow: /"),
                         "/": PAGE}),
    Site("leads-to-private", {"/": redirect("{{partly}}/private/x")}),
    Site("leads-to-ailing", {"/": redirect("{{ailing}}/")}),
    Site("leads-to-allowed", {"/": redirect("{{without}}/")}),
    Site("slow-please", {"/robots.txt": robots("User-agent: *", f"Crawl-delay: {CRAWL_DELAY:.0f}"),
                         "/1": PAGE, "/2": PAGE}),
    Site("ordinary", {"/1": PAGE, "/2": PAGE, "/3": PAGE}),
    Site("opted-out", {"/": PAGE}),
    Site("leads-to-opted-out", {"/": redirect("{{opted-out}}/")}),
    Site("sends-to-opted-out", {"/": document("Moves on", '<script>location = "{{opted-out}}/";</script>')}),
)  # fmt: skip

TARGETS = {
    ("partly", "/"): Outcome.CAPTURED,
    ("partly", "/private/x"): Outcome.ROBOTS_DISALLOWED,
    ("by-name", "/"): Outcome.ROBOTS_DISALLOWED,
    ("others", "/"): Outcome.CAPTURED,
    ("without", "/"): Outcome.CAPTURED,
    ("ailing", "/"): Outcome.ROBOTS_DISALLOWED,
    ("moved-rules", "/"): Outcome.ROBOTS_DISALLOWED,
    ("leads-to-private", "/"): Outcome.ROBOTS_DISALLOWED,
    ("leads-to-ailing", "/"): Outcome.ROBOTS_DISALLOWED,
    ("leads-to-allowed", "/"): Outcome.CAPTURED,
    ("slow-please", "/1"): Outcome.CAPTURED,
    ("slow-please", "/2"): Outcome.CAPTURED,
    ("ordinary", "/1"): Outcome.CAPTURED,
    ("ordinary", "/2"): Outcome.CAPTURED,
    ("ordinary", "/3"): Outcome.CAPTURED,
    ("opted-out", "/"): Outcome.OPTED_OUT,
    ("leads-to-opted-out", "/"): Outcome.OPTED_OUT,
    ("sends-to-opted-out", "/"): Outcome.OPTED_OUT,
}


class Crawl:
    """The crawl, over: its RUN and what the server was asked."""

    def __init__(self, run: Path, web: SmallWeb) -> None:
        self.run = run
        self.web = web
        self.visits = final_visits(run)

    def asked(self, site: str) -> list[str]:
        return [request.path for request in self.web.requests(site)]

    def page_requests(self, site: str) -> list[Request]:
        return [request for request in self.web.requests(site) if request.path.strip("/").isdigit()]


@pytest.fixture(scope="module")
def crawl(module_cli: Cli) -> Iterator[Crawl]:
    with SmallWeb(SITES) as web:
        targets = module_cli.list(web.url(*target) for target in TARGETS)
        optout = module_cli.folder / "optout.txt"
        optout.write_text("# who asked to be left out\nopted-out.localhost 2026-11-30 owner\n")
        done = module_cli(
            "crawl", targets, "--out", "run", *REACHABLE, "--delay", str(DELAY), "--settle-cap", str(VISIT),
            "--opt-out", optout, "--concurrency", "6", "--contact", "https://example.org/about",
        )  # fmt: skip
        assert done.code == 0, done.err
        yield Crawl(module_cli.folder / "run", web)


@pytest.mark.parametrize(("target", "outcome"), TARGETS.items(), ids=lambda each: "".join(each))
def test_each_target_ends_as_its_site_wishes(crawl, target, outcome):
    assert crawl.visits[crawl.web.url(*target)].outcome is outcome


def test_every_target_has_one_outcome(crawl):
    assert_nothing_lost(crawl.run, len(TARGETS))


def test_robots_txt_is_asked_for_once_by_each_site_that_is_visited(crawl):
    for site in ("partly", "by-name", "without", "ailing", "slow-please", "ordinary"):
        assert crawl.asked(site).count("/robots.txt") == 1, site
        assert crawl.asked(site)[0] == "/robots.txt", f"{site}: a page was asked for before the rules"


@pytest.mark.parametrize("site", ["by-name", "ailing", "moved-rules"])
def test_a_site_that_disallows_everything_is_asked_for_no_page(crawl, site):
    assert set(crawl.asked(site)) <= {"/robots.txt", "/rules.txt"}


def test_a_disallowed_page_is_not_asked_for_after_a_redirect_either(crawl):
    assert "/private/x" not in crawl.asked("partly")
    assert crawl.asked("leads-to-private") == ["/robots.txt", "/"]


def test_a_site_that_opted_out_is_asked_for_nothing_not_even_its_rules(crawl):
    assert crawl.asked("opted-out") == []


def test_two_visits_of_a_site_never_overlap_and_keep_the_delay(crawl):
    at = [request.at for request in crawl.page_requests("ordinary")]
    assert len(at) == 3
    # The next one begins a delay after the one before has ended, and that one lasted as long as the cap.
    assert all(later - earlier >= DELAY + VISIT - 0.2 for earlier, later in pairwise(at))


def test_a_longer_delay_that_robots_txt_asks_for_is_kept(crawl):
    first, second = (request.at for request in crawl.page_requests("slow-please"))
    assert second - first >= CRAWL_DELAY + VISIT - 0.2


def test_every_request_says_who_we_are_and_looks_like_a_browsers(crawl):
    agents = {request.headers["user-agent"] for request in crawl.web.log}
    assert len(agents) == 1
    (agent,) = agents
    assert agent.startswith("Mozilla/5.0 ")
    assert " Chrome/" in agent
    assert "Headless" not in agent
    assert agent.endswith("(https://example.org/about)")
    hints = {request.headers.get("sec-ch-ua", "") for request in crawl.page_requests("ordinary")}
    assert not any("Headless" in hint for hint in hints)
    assert all("Chromium" in hint for hint in hints)


def test_the_refusals_say_why(crawl):
    detail = crawl.visits[crawl.web.url("leads-to-private")].outcome_detail
    assert detail == f"robots.txt disallows {crawl.web.url('partly', '/private/x')}"
    assert crawl.visits[crawl.web.url("opted-out")].outcome_detail == "on the opt-out list"
