"""A gallery becomes targets: whole, broken off, refused, private."""

import json

import pytest

from tests.crawler.harvest_command import DEMOS, GALLERY, WAITING, served, small_gallery, targets_of
from tests.sites.gallery import Entry, gallery_html, gallery_site, project_html
from tests.sites.server import Manner, Reply

COUNTS = {
    "pages_fetched": 3,
    "project_pages_fetched": 36,
    "entries_announced": 36,
    "entries_seen": 36,
    "targets": 2,
    "duplicates": 1,
    "skipped": {
        "no_demo": 1,
        "no_link": 1,
        "only_document": 1,
        "only_not_http": 1,
        "only_package": 1,
        "only_repository": 23,
        "only_social": 1,
        "only_store": 1,
        "only_video": 1,
    },
    "ambiguous": 2,
}


def test_a_whole_gallery_becomes_exactly_its_targets_and_says_what_it_left_out(harvest):
    with served(gallery_site(DEMOS)) as web:
        run = harvest(web.url("challenge", GALLERY), "--json")
        north, south, port = web.url("north-harbour"), web.url("south-harbour"), web.port
        entry = web.url("challenge", "/software/")
    assert run.code == 0, run.stderr
    assert run.rows() == [
        {
            "url": f"http://atlas.localhost:{port}/app#/map",
            "project": "Atlas",
            "repository": "https://github.com/example-team/project-1",
            "source": f"{entry}atlas",
        },
        {
            "url": f"http://pizza.localhost:{port}/",
            "project": "Pizza Maker",
            "repository": "https://github.com/example-team/project-0",
            "source": f"{entry}pizza-maker",
        },
    ]
    assert run.rows(".ambiguous") == [
        {
            "project": "Open Questions",
            "source": f"{entry}open-questions",
            "repository": None,
            "candidates": [f"{north}a", f"{south}b"],
        },
        {
            "project": "Twin Harbours",
            "source": f"{entry}twin-harbours",
            "repository": "https://github.com/example-team/twin-harbours",
            "candidates": [north, south],
        },
    ]
    skipped = {row["project"]: row["reason"] for row in run.rows(".skipped") if "Notebook" not in row["project"]}
    assert skipped == {
        "Field Notes": "only_document",
        "Kiln Watch": "only_repository",
        "Ledger Lens": "only_repository",
        "Paper Trail": "only_package",
        "Parcel Post": "no_demo",
        "Quiet Hours": "no_link",
        "Release Radio": "only_social",
        "Sketch Relay": "only_video",
        "Tab Tamer": "only_store",
        "Write To Us": "only_not_http",
        "Zebra Crossing": "duplicate",
    }
    assert json.loads(run.stdout) == run.report
    assert run.report["complete"] is True
    assert run.report["reasons"] == []
    assert run.report["counts"] == COUNTS


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (Reply("", status=202), "status 202 with an empty body"),
        (WAITING, "nothing of a gallery"),
        (Reply("no", status=403), "status 403"),
        (Reply("slow down", status=429), "status 429"),
        (Reply("oops", status=500), "status 500"),
        (Reply(""), "an empty body"),
        (Reply(manner=Manner.CLOSE), "broke off"),
    ],
)
def test_a_gallery_that_does_not_open_is_incomplete(harvest, first, reason):
    with served(small_gallery(one=first)) as web:
        run = harvest(web.url("challenge", GALLERY))
        run.assert_incomplete(web.url("challenge", GALLERY), reason)
    assert run.rows() == []
    assert run.report["counts"]["targets"] == 0


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (Reply("", status=202), "status 202 with an empty body"),
        (WAITING, "nothing of a gallery"),
        (Reply("oops", status=503), "status 503"),
        (Reply(gallery_html([], 2, 2, None)), "no entry on the page"),
        (small_gallery()[GALLERY], "repeats entries of earlier pages"),
    ],
)
def test_a_gallery_that_breaks_off_keeps_what_was_got(harvest, second, reason):
    with served(small_gallery(two=second)) as web:
        run = harvest(web.url("challenge", GALLERY))
        run.assert_incomplete(web.url("challenge", f"{GALLERY}?page=2"), reason)
        run.assert_incomplete(web.url("challenge", GALLERY), "announces 4 entries, 2 were seen")
    assert targets_of(run) == ["https://a.example/", "https://b.example/"]


def test_a_pager_that_stops_before_its_highest_page_is_incomplete(harvest):
    def page(number, pages, next_number):
        entry = Entry(f"p{number}", "target", ((f"https://p{number}.example/", "x"),))
        following = f'<a rel="next" href="{GALLERY}?page={next_number}">Next</a>' if next_number else ""
        numbers = "".join(f'<li><a href="{GALLERY}?page={n}">{n}</a></li>' for n in pages)
        listed = gallery_html([entry], number, 0, None).partition('<div class="pagination-info">')[0]
        return {
            f"{GALLERY}?page={number}": Reply(f'{listed}<ul class="pagination">{numbers}{following}</ul>'),
            entry.path: Reply(project_html(entry)),
        }

    with served(page(1, [1, 2, 9], 2) | page(2, [], None)) as web:
        run = harvest(web.url("challenge", f"{GALLERY}?page=1"))
        run.assert_incomplete(web.url("challenge", f"{GALLERY}?page=2"), "ends at page 2; earlier it went to 9")
    assert targets_of(run) == ["https://p1.example/", "https://p2.example/"]


def test_a_project_page_that_fails_is_incomplete_and_the_others_are_kept(harvest):
    with served(small_gallery(a=Reply("gone", status=404))) as web:
        run = harvest(web.url("challenge", GALLERY))
        run.assert_incomplete(web.url("challenge", "/software/a"), "status 404")
    assert targets_of(run) == ["https://b.example/", "https://c.example/", "https://d.example/"]
    assert [(row["project"], row["reason"]) for row in run.rows(".skipped")] == [("a", "project_page_failed")]


def test_after_five_refused_project_pages_nothing_more_is_asked(harvest):
    entries = [Entry(f"p{n}", "") for n in range(20)]
    routes = {GALLERY: Reply(gallery_html(entries, 1, 1, "1 - 20 of 20"))}
    routes |= {entry.path: Reply("no", status=403) for entry in entries}
    with served(routes) as web:
        run = harvest(web.url("challenge", GALLERY))
        run.assert_incomplete(web.url("challenge", GALLERY), "5 project pages in a row were refused")
        asked = [request.path for request in web.requests("challenge") if "/software/" in request.path]
    assert len(asked) < 10
    assert run.report["counts"]["skipped"] == {"project_page_failed": 20}


def test_robots_txt_is_obeyed_and_named(harvest):
    robots = Reply(f"User-agent: webmcp-census\nDisallow: {GALLERY}\n", content_type="text/plain")
    with served(small_gallery(robots=robots)) as web:
        run = harvest(web.url("challenge", GALLERY))
        run.assert_incomplete(web.url("challenge", GALLERY), "Forbidden by robots.txt")
        assert [request.path for request in web.requests("challenge")] == ["/robots.txt"]


def test_the_next_page_is_found_by_its_number_when_no_link_says_next(harvest):
    first = gallery_html([Entry("a", "target")], 1, 2, "1 - 2 of 4").replace('rel="next"', "").replace("next", "")
    with served(small_gallery(one=Reply(first))) as web:
        harvest(web.url("challenge", GALLERY))
        assert [one.query for one in web.log if one.path == GALLERY] == ["", "page=2"]


def test_max_pages_is_an_incomplete_harvest_on_request(harvest):
    with served(small_gallery()) as web:
        run = harvest(web.url("challenge", GALLERY), "--max-pages", "1")
        run.assert_incomplete(web.url("challenge", f"{GALLERY}?page=2"), "limited to 1 pages")
    assert len(run.report["reasons"]) == 1
    assert targets_of(run) == ["https://a.example/", "https://b.example/"]


def test_a_name_is_mapped_by_the_rules_and_an_unknown_one_is_named(harvest):
    with served(small_gallery()) as web:
        rules = "MAP nowhere.test ~NOTFOUND, MAP *.test 127.0.0.1"
        source = web.url("challenge.test", GALLERY)
        assert harvest(source, "--host-resolver-rules", rules).code == 0
        lost = harvest(source.replace("challenge.test", "nowhere.test"), "--host-resolver-rules", rules)
    lost.beside_the_earlier_one().assert_incomplete("http://nowhere.test", "does not resolve")


def test_an_incomplete_harvest_leaves_an_earlier_one_as_it_was(harvest):
    with served(small_gallery()) as web:
        whole = harvest(web.url("challenge", GALLERY))
        part = harvest(web.url("challenge", GALLERY), "--max-pages", "1").beside_the_earlier_one()
    assert len(targets_of(whole)) == 4
    assert whole.report["complete"]
    assert targets_of(part) == ["https://a.example/", "https://b.example/"]
    assert str(part.out) in part.stdout


@pytest.mark.parametrize(
    ("host", "reason"),
    [("challenge", "private, loopback or link-local (--allow-private)"), ("challenge.test", "does not resolve")],
)
def test_a_private_address_is_not_asked_unless_allowed(harvest_from, host, reason):
    """By its name or literally; behind another name it is refused where the name is resolved."""
    with served(small_gallery()) as web:
        source = web.url(host, GALLERY)
        run = harvest_from(source, "--contact", "a@b.example", "--host-resolver-rules", "MAP *.test 127.0.0.1")
        run.assert_incomplete(source.partition("/project")[0], reason)
        assert not web.log


def test_a_gallery_hears_who_asks(harvest_from):
    with served(small_gallery()) as web:
        source = web.url("challenge", GALLERY)
        nobody = harvest_from(source)
        assert (nobody.code, len(web.log)) == (2, 0)
        assert "--contact" in nobody.stderr
        assert harvest_from(source, "--contact", "mail@census.example", "--allow-private").code == 0
        agents = {request.headers["user-agent"] for request in web.log}
    assert len(agents) == 1
    assert agents.pop().endswith("; mail@census.example)")
