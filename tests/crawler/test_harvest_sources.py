"""Saved pages, sitemaps and lists become targets; what cannot be harvested is said."""

import gzip
import signal
import subprocess
import sys
import time

import pytest

from tests.crawler.harvest_command import GALLERY, WAITING, Harvest, served, small_gallery, targets_of
from tests.sites.gallery import Entry, gallery_html, project_html
from tests.sites.server import Reply


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
