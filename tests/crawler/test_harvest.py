import gzip
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import webmcp_census
from tests.sites.gallery import Entry, gallery_html, gallery_site, project_html
from tests.sites.server import Manner, Reply, Site, SmallWeb

DEMOS = {"Pizza Maker": "{{pizza}}/", "Atlas": "{{atlas}}/app#/map", "Zebra Crossing": "{{pizza}}"}
GALLERY = "/project-gallery"


@dataclass(frozen=True)
class Harvest:
    code: int
    stdout: str
    stderr: str
    out: Path

    def rows(self, kind: str = "") -> list[dict[str, Any]]:
        path = self.out.with_suffix(f"{kind}.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    @property
    def report(self) -> dict[str, Any]:
        return json.loads(self.out.with_suffix(".harvest.json").read_text())

    def beside_the_earlier_one(self) -> "Harvest":
        return replace(self, out=self.out.with_name("targets.incomplete.jsonl"))

    def assert_incomplete(self, url: str, reason: str) -> None:
        assert self.code == 2, self.stderr
        assert self.report["complete"] is False
        assert any(url in one["url"] and reason in one["reason"] for one in self.report["reasons"]), self.report
        assert reason in self.stderr
        assert url in self.stderr
        assert "Traceback" not in self.stderr


# Every harvest is a process of its own; a fork server spares each of them the imports.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "webmcp_census",
        "pytest",
        "tests.sites.gallery",
        "scrapy.core.downloader.handlers.http11",
        "scrapy.downloadermiddlewares.cookies",
        "scrapy.downloadermiddlewares.httpcompression",
        "scrapy.extensions.feedexport",
        "scrapy.extensions.remote_control",
        "scrapy.pqueues",
        "scrapy.robotstxt",
        "scrapy.squeues",
    ]
)


def command_line(arguments: list[str], folder: Path) -> None:
    os.dup2(os.open(folder / "stdin", os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv = ["webmcp-census", *arguments]
    webmcp_census.main()


@pytest.fixture
def harvest(harvest_from):
    return lambda source, *options, stdin="": harvest_from(source, "--allow-private", *options, stdin=stdin)


@pytest.fixture
def harvest_from(tmp_path):
    def run(source: str, *options: str, stdin: str = "") -> Harvest:
        (tmp_path / "stdin").write_text(stdin)
        out = tmp_path / "out" / "targets.jsonl"
        arguments = ["harvest", source, "--out", str(out), *options, "--delay", "0"]
        process = PROCESSES.Process(target=command_line, args=(arguments, tmp_path))
        process.start()
        process.join(60)
        assert process.exitcode is not None, "the harvest hangs"
        return Harvest(process.exitcode, (tmp_path / "stdout").read_text(), (tmp_path / "stderr").read_text(), out)

    return run


def served(routes):
    return SmallWeb([Site("challenge", routes)])


def small_gallery(**changes: Reply) -> dict[str, Reply]:
    """Two pages of two entries; the changes are by the route's letters."""
    entries = [Entry(title, "target", ((f"https://{title}.example/", "x"),)) for title in ("a", "b", "c", "d")]
    routes = {
        GALLERY: Reply(gallery_html(entries[:2], 1, 2, "1 - 2 of 4")),
        f"{GALLERY}?page=2": Reply(gallery_html(entries[2:], 2, 2, "3 - 4 of 4")),
    }
    routes |= {entry.path: Reply(project_html(entry)) for entry in entries}
    names = {"one": GALLERY, "two": f"{GALLERY}?page=2", "a": "/software/a", "robots": "/robots.txt"}
    return routes | {names[name]: reply for name, reply in changes.items()}


def targets_of(run: Harvest) -> list[str]:
    return [row["url"] for row in run.rows()]


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
    assert run.report["counts"] == {
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


WAITING = Reply("<title>Just a moment...</title><h1>Checking your browser</h1>")


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


def test_a_saved_gallery_page_is_harvested_from_the_file(harvest, tmp_path):
    entry = Entry("a", "target", (("https://a.example/", "x"),))
    with served({entry.path: Reply(project_html(entry))}) as web:
        saved = tmp_path / "saved.html"
        html = gallery_html([entry], 1, 1, "1 - 1 of 1")
        saved.write_text(html.replace('href="/software', f'href="{web.url("challenge", "/software")}'))
        run = harvest(str(saved))
    assert run.code == 0, run.stderr
    assert targets_of(run) == ["https://a.example/"]


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def index(*urls: str) -> Reply:
    inner = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return Reply(f"<sitemapindex>{inner}</sitemapindex>", content_type="application/xml")


def test_a_sitemap_index_is_followed_and_loops_are_not(harvest):
    routes = {
        "/sitemap.xml": index("{{challenge}}/1.xml.gz", "{{challenge}}/2.xml", "{{challenge}}/sitemap.xml"),
        "/1.xml.gz": Reply(
            gzip.compress(urlset("https://a.example/", "ftp://a.example/").encode()),
            content_type="application/gzip",
        ),
        "/2.xml": Reply(urlset("https://a.example", "https://b.example/"), content_type="text/xml"),
    }
    with served(routes) as web:
        run = harvest(web.url("challenge", "/sitemap.xml"))
        base = web.url("challenge")
    assert run.code == 0, run.stderr
    assert run.rows() == [
        {"url": "https://a.example/", "source": f"{base}1.xml.gz"},
        {"url": "https://b.example/", "source": f"{base}2.xml"},
    ]
    assert [row["reason"] for row in run.rows(".skipped")] == ["not_http", "duplicate"]
    assert run.report["counts"]["pages_fetched"] == 3
    assert run.report["counts"]["entries_seen"] == 4


@pytest.mark.parametrize(
    ("child", "reason"),
    [
        (Reply("no", status=404), "status 404"),
        (Reply(urlset("https://b.example/")[:-10], content_type="text/xml"), "damaged XML"),
        (WAITING, "not a sitemap"),
    ],
)
def test_a_sitemap_that_cannot_be_read_to_its_end_is_incomplete(harvest, child, reason):
    routes = {
        "/sitemap.xml": index("{{challenge}}/1.xml", "{{challenge}}/2.xml"),
        "/1.xml": Reply(urlset("https://a.example/"), content_type="text/xml"),
        "/2.xml": child,
    }
    with served(routes) as web:
        run = harvest(web.url("challenge", "/sitemap.xml"))
        run.assert_incomplete(web.url("challenge", "/2.xml"), reason)
    assert targets_of(run)[0] == "https://a.example/"


def test_sitemaps_in_sitemaps_are_followed_to_a_depth(harvest):
    routes = {f"/{n}.xml": index(f"{{{{challenge}}}}/{n + 1}.xml") for n in range(9)}
    with served(routes) as web:
        run = harvest(web.url("challenge", "/0.xml"))
        run.assert_incomplete(web.url("challenge", "/6.xml"), "deeper than 5")


def test_lists_are_read_from_files_urls_and_standard_input(harvest, tmp_path):
    (tmp_path / "list.csv").write_text("url,project\nhttps://a.example/,A\nexample.com,B\nhttps://a.example,C\n")
    run = harvest(str(tmp_path / "list.csv"))
    assert run.code == 0, run.stderr
    assert run.rows() == [{"url": "https://a.example/", "project": "A", "source": str(tmp_path / "list.csv")}]
    assert [row["reason"] for row in run.rows(".skipped")] == ["not_http"]
    assert run.report["counts"]["entries_seen"] == 3
    with served({"/list.txt": Reply("https://b.example/\n", content_type="text/plain")}) as web:
        assert targets_of(harvest(web.url("challenge", "/list.txt"))) == ["https://b.example/"]
        lost = harvest(web.url("challenge", "/gone.json")).beside_the_earlier_one()
        lost.assert_incomplete(web.url("challenge", "/gone.json"), "status 404")
    assert targets_of(harvest("-", stdin='{"url": "https://c.example/"}\n')) == ["https://c.example/"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.txt"], "missing.txt: No such file"),
        (["missing.html", "--format", "gallery"], "missing.html: no such file"),
        (["http:///gallery"], "no host in the URL"),
        (["-", "--host-resolver-rules", "nonsense"], "cannot read 'nonsense'"),
        (["-", "--max-pages", "0"], "--max-pages"),
    ],
)
def test_what_cannot_be_harvested_is_said_with_the_way_out(harvest, arguments, message):
    run = harvest(*arguments, stdin="")
    assert run.code == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert not run.out.exists()


def test_an_out_that_is_a_folder_is_said_before_anything_is_asked(harvest, tmp_path):
    (tmp_path / "out" / "targets.jsonl").mkdir(parents=True)
    run = harvest("-", stdin="https://a.example/\n")
    assert run.code == 2
    assert "name a file in it" in run.stderr


def test_an_interrupted_harvest_writes_what_it_got(tmp_path):
    out = tmp_path / "targets.jsonl"
    with served(small_gallery(a=Reply("", delay=2.0))) as web:
        source = web.url("challenge", GALLERY)
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "webmcp_census",
                "harvest",
                source,
                "--out",
                str(out),
                "--delay",
                "0",
                "--allow-private",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while process.poll() is None and not any(one.path == "/software/a" for one in web.log):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    run = Harvest(process.returncode, stdout, stderr, out)
    run.assert_incomplete(source, "interrupted")
    assert run.report["counts"]["entries_seen"] == 4
