"""Asking whether a page has changed: when it is visited, when its rows are carried over, and what comes first."""

import asyncio
import json
from types import SimpleNamespace

import polars as pl
import pytest
from scrapy import Request
from scrapy.http import Response

from census.opened_release import open_release
from census.recheck import Recheck, Validator, validators_json, validators_of
from census.release import build_release
from census.run import Run
from census.target import Target, stored_target
from census.vocabulary import Outcome, Pass
from crawler.frontier import Lease
from crawler.guard_middleware import Refused
from crawler.recheck import RecheckMiddleware
from crawler.since import since
from crawler.target_list import parse_target_list
from tests.census.factories import captured, failed, make_run, tool
from tests.crawler.conftest import QUICK
from tests.sites.gold import html, registering
from tests.sites.server import Reply, Site, SmallWeb
from tests.sites.server import Request as Asked

PAGE = Validator(url="https://a.org/", etag='"1"', last_modified="Mon, 02 Nov 2026 12:00:00 GMT")
SCRIPT = Validator(url="https://a.org/a.js", last_modified="Sun, 01 Nov 2026 12:00:00 GMT")
BOTH = Recheck(release="2026.11.0", resources=(PAGE, SCRIPT))


def asked(statuses: dict[str, int | Exception], recheck: Recheck | None = BOTH, pass_: Pass = Pass.MAIN):
    """What the middleware does with a visit, and the requests that it made."""
    made: list[Request] = []

    async def download(request: Request) -> Response:
        made.append(request)
        answer = statuses[request.url]
        if isinstance(answer, Exception):
            raise answer
        return Response(request.url, status=answer)

    middleware = RecheckMiddleware(SimpleNamespace(engine=SimpleNamespace(download_async=download)))
    lease = Lease(1, Target(url="https://a.org/", recheck=recheck), pass_, 1, 1)
    try:
        asyncio.run(middleware.process_request(Request("https://a.org/", meta={"lease": lease})))
    except Refused as refused:
        return refused.refusal.outcome, made
    return None, made


def test_a_page_is_unchanged_when_its_document_and_all_its_scripts_are():
    outcome, made = asked({PAGE.url: 304, SCRIPT.url: 304})
    assert outcome is Outcome.UNCHANGED
    first, second = (request.headers.to_unicode_dict() for request in made)
    assert (first["If-None-Match"], first["If-Modified-Since"]) == (PAGE.etag, PAGE.last_modified)
    assert second["If-Modified-Since"] == SCRIPT.last_modified
    assert "If-None-Match" not in second


@pytest.mark.parametrize(
    "statuses",
    [
        {PAGE.url: 200},
        {PAGE.url: 304, SCRIPT.url: 200},
        {PAGE.url: 304, SCRIPT.url: 404},
        {PAGE.url: 301},
        {PAGE.url: 304, SCRIPT.url: OSError("no connection")},
    ],
)
def test_anything_else_than_not_modified_is_a_visit(statuses):
    assert asked(statuses)[0] is None


def test_what_is_in_no_release_is_visited_and_so_are_other_passes():
    assert asked({}, recheck=None) == (None, [])
    assert asked({}, pass_=Pass.LEGACY) == (None, [])
    assert asked({}, Recheck(release="2026.11.0", resources=()))[0] is None


def test_what_to_ask_by_goes_through_tables_and_frontier():
    assert validators_of(validators_json((PAGE, SCRIPT))) == (PAGE, SCRIPT)
    assert validators_json(()) is validators_json(None) is None
    target = Target(url="https://a.org/", recheck=BOTH, rank=3)
    assert stored_target(target.model_dump_json(exclude_none=True)) == target


def test_what_had_tools_failed_or_is_new_is_due_first(tmp_path):
    validators = (PAGE,)
    visits = [
        captured("https://plain.org/", validators=validators),
        captured("https://tools.org/", tools=[tool("buy")], validators=validators),
        failed("https://failed.org/", Outcome.TIMEOUT),
        failed("https://closed.org/", Outcome.ROBOTS_DISALLOWED),
        captured("https://frames.org/", tools=[tool("buy")]),
    ]
    build_release([Run(make_run(tmp_path / "run", visits))], tmp_path / "release")
    names = ("plain", "closed", "new", "failed", "tools", "frames")
    listed = parse_target_list("".join(f"https://{name}.org/\n" for name in names).encode(), "list.txt")
    due = since(tmp_path / "release", listed)
    assert [target.url.split("//")[1].split(".")[0] for target in due.targets.targets] == [
        "new", "failed", "tools", "frames", "plain", "closed",
    ]  # fmt: skip
    assert due.first == 4
    asked_about = {target.url: target.recheck for target in due.targets.targets if target.recheck}
    assert asked_about == {
        f"https://{name}.org/": Recheck(release="2026.11.0", resources=validators) for name in ("plain", "tools")
    }


def cached(body: str, etag: str, kind: str = "text/html; charset=utf-8"):
    """A route that answers 304 to who knows the present version."""

    def route(request: Asked) -> Reply:
        headers = {"ETag": etag, "Last-Modified": "Mon, 02 Nov 2026 12:00:00 GMT"}
        known = {name.lower(): value for name, value in request.headers.items()}
        if known.get("if-none-match") == etag or (
            "if-none-match" not in known and known.get("if-modified-since") == headers["Last-Modified"]
        ):
            return Reply("", status=304, headers=headers)
        return Reply(body, headers=headers, content_type=kind)

    return route


def test_a_census_a_month_later_visits_what_has_changed(cli):
    script = '<script src="/app.js"></script>'
    app = "document.modelContext.registerTool({name: 'stay', description: 'Stays.', execute() {}});"
    same = {"/": cached(html("Same", script), '"s1"'), "/app.js": cached(app, '"j1"', "text/javascript")}
    moved = {"/": cached(html("Moved", registering("before")), '"m1"')}
    plain = {"/": Reply(html("Plain", registering("plain")))}
    with SmallWeb([Site("same", same), Site("moved", moved), Site("plain", plain)]) as web:
        targets = cli.list(map(web.url, ("same", "moved", "plain")))
        folder = cli.folder
        assert cli("crawl", targets, "--out", folder / "run", *QUICK, timeout=280).code == 0
        first = cli("build", folder / "run", "--out", folder / "one", timeout=280)
        assert first.code == 0, first.err
        moved["/"] = cached(html("Moved", registering("after")), '"m2"')
        before = len(web.requests("same"))
        again = cli("crawl", targets, "--out", folder / "next", *QUICK, "--since", folder / "one", timeout=280)
        assert again.code == 0, again.err
        assert "2 are asked if they have changed" in again.err
        # robots.txt, the document, the script: no visit.
        assert len(web.requests("same")) - before == 3
    alone = cli("build", folder / "next", "--out", folder / "two", timeout=280)
    assert alone.code == 2
    assert "build with --previous" in alone.err
    built = cli(
        "build", folder / "next", "--out", folder / "two", "--previous", folder / "one", "--release-version",
        "2099.01.0", "--json", timeout=280,
    )  # fmt: skip
    assert built.code == 0, built.err
    share = next(number for number in json.loads(built.out)["numbers"] if number["id"] == "carried_over")
    assert (share["k"], share["n"]) == (1, 3)
    one, two = (open_release(folder / name) for name in ("one", "two"))
    tools = two.tables["tools"].join(two.tables["pages"], on="visit_id").select("name", "carried_from").rows()
    assert set(tools) == {("stay", one.manifest.release_version), ("after", None), ("plain", None)}
    pages = [release.tables["pages"].filter(pl.col("target_url").str.contains("same")) for release in (one, two)]
    assert pages[0]["visited_at"][0] == pages[1]["visited_at"][0]
    assert cli("release", "verify", folder / "two", timeout=280).code == 0
