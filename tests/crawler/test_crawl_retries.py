"""What may pass is tried again, what is ours is not blamed on a page; the server's log says how often and when."""

from collections.abc import Callable

import pytest

from census.vocabulary import Outcome
from tests.crawler.conftest import QUICK, Cli, assert_nothing_lost, final_visits, query
from tests.sites.gold import document, registering
from tests.sites.server import Manner, Reply, Request, Route, Site, SmallWeb

GOOD = document("Well again", registering("here"))
RETRY_AFTER = 3


def at_first(reply: Reply, then: Reply = GOOD) -> Route:
    """A page that answers otherwise the first time."""
    seen: list[Request] = []

    def answer(request: Request) -> Reply:
        seen.append(request)
        return reply if len(seen) == 1 else then

    return answer


SITES = (
    Site("ails-once", {"/": at_first(Reply("busy", status=503))}),
    Site("asks-to-wait", {"/": at_first(Reply("busy", status=429, headers={"Retry-After": str(RETRY_AFTER)}))}),
    Site("wishes-nonsense", {"/": at_first(Reply("busy", status=503, headers={"Retry-After": "\u00c2\u00b2"}))}),
    Site("resets-once", {"/": at_first(Reply(manner=Manner.RESET))}),
    Site("ails-always", {"/": Reply("busy", status=503)}),
    Site("not-there", {}),
    Site("hangs-up", {"/": Reply(manner=Manner.CLOSE)}),
)

ENDS = {
    "ails-once": (Outcome.CAPTURED, 2),
    "asks-to-wait": (Outcome.CAPTURED, 2),
    "wishes-nonsense": (Outcome.CAPTURED, 2),
    "resets-once": (Outcome.CAPTURED, 2),
    "ails-always": (Outcome.HTTP_ERROR, 2),
    "not-there": (Outcome.HTTP_ERROR, 1),
    "hangs-up": (Outcome.CONNECT_ERROR, 2),
    "closed": (Outcome.CONNECT_ERROR, 2),
    "no-such-host": (Outcome.DNS_ERROR, 1),
    "no-tls": (Outcome.TLS_ERROR, 1),
}


def dead_ends(web: SmallWeb) -> dict[str, str]:
    return {
        "closed": f"http://closed.localhost:{web.closed_port}/",
        "no-such-host": "http://no-such-host.test/",
        "no-tls": f"https://ails-once.localhost:{web.port}/",
    }


@pytest.fixture(scope="module")
def crawl(module_cli):
    """The URL of each target, the final visits by URL, and the web; the control host answers."""
    with SmallWeb(SITES) as web:
        urls = {site.name: web.url(site.name) for site in SITES} | dead_ends(web)
        done = module_cli(
            "crawl", module_cli.list(urls.values()), "--out", "run", *QUICK, "--concurrency", "6", "--retries", "1",
            "--control-host", f"127.0.0.1:{web.port}",
        )  # fmt: skip
        assert done.code == 0, done.err
        assert_nothing_lost(module_cli.folder / "run", len(urls))
        yield urls, final_visits(module_cli.folder / "run"), web


@pytest.mark.parametrize(("name", "end"), ENDS.items())
def test_each_target_ends_after_as_many_attempts_as_it_is_worth(crawl, name, end):
    urls, visits, _ = crawl
    visit = visits[urls[name]]
    assert (visit.outcome, visit.attempt) == end, visit.outcome_detail


def test_every_attempt_was_a_request(crawl):
    _, _, web = crawl
    asked = {site.name: [r.path for r in web.requests(site.name)].count("/") for site in SITES}
    # The browser itself asks once more where a connection is reset or closed without an answer.
    assert {name: asked[name] for name in ("ails-once", "ails-always", "asks-to-wait", "not-there")} == {
        "ails-once": 2, "ails-always": 2, "asks-to-wait": 2, "not-there": 1,
    }  # fmt: skip


def test_the_servers_wish_to_wait_is_kept(crawl):
    _, _, web = crawl
    first, second = (request.at for request in web.requests("asks-to-wait") if request.path == "/")
    assert second - first >= RETRY_AFTER


def test_a_dead_network_is_not_blamed_on_the_sites(cli: Cli):
    with SmallWeb([Site("alive", {"/": GOOD})]) as web:
        targets = [web.url("alive"), dead_ends(web)["closed"], dead_ends(web)["no-such-host"]]
        done = cli(
            "crawl", cli.list(targets), "--out", "run", *QUICK, "--concurrency", "3",
            "--control-host", f"127.0.0.1:{web.closed_port}",
        )  # fmt: skip
        assert done.code == 0, done.err
    assert f"control host 127.0.0.1:{web.closed_port} does not answer" in done.err
    assert "2 targets have an outcome that is ours" in done.err
    visits = final_visits(cli.folder / "run")
    assert visits[targets[0]].outcome is Outcome.CAPTURED
    for url in targets[1:]:
        assert (visits[url].outcome, visits[url].attempt) == (Outcome.NETWORK_DOWN, 4)
        assert "did not answer either" in visits[url].outcome_detail


def test_a_crawl_whose_every_outcome_is_ours_could_not_answer(cli: Cli):
    with SmallWeb([]) as web:
        done = cli(
            "crawl", cli.list([dead_ends(web)["no-such-host"]]), "--out", "run", *QUICK,
            "--control-host", f"127.0.0.1:{web.closed_port}",
        )  # fmt: skip
    assert done.code == 2
    assert "1 targets have an outcome that is ours" in done.err


def test_a_browser_that_is_killed_in_the_middle_costs_no_page(cli: Cli, kill_browsers: Callable[..., int]):
    sites = [Site(f"s{i}", {"/": document(f"Site {i}", registering(f"tool_{i}"))}) for i in range(12)]
    with SmallWeb(sites) as web:
        crawl = cli.start(
            "crawl", cli.list(web.url(site.name) for site in sites), "--out", "run", *QUICK, "--concurrency", "3"
        )
        assert kill_browsers(crawl, web, after_pages=(2, 7)) == 2
        done = crawl.result()
    assert done.code == 0, done.err
    run = cli.folder / "run"
    assert_nothing_lost(run, len(sites))
    assert {visit.outcome for visit in final_visits(run).values()} == {Outcome.CAPTURED}
    assert query(run, "SELECT count(*) FROM visits WHERE outcome = 'page_crashed'") == [(0,)]
