import gzip

import pytest

from crawler.harvest.sitemap import MAX_BYTES, read_sitemap

URLSET = (
    b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    b"<url><loc> https://a.example/ </loc><lastmod>2026-01-01</lastmod></url>"
    b"<url><loc>https://a.example/b</loc></url><url><lastmod>2026-01-01</lastmod></url></urlset>"
)
INDEX = b"<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>"


@pytest.mark.parametrize("body", [URLSET, gzip.compress(URLSET)])
def test_a_urlset_lists_pages(body):
    document = read_sitemap(body)
    assert (document.pages, document.sitemaps) == (("https://a.example/", "https://a.example/b"), ())
    assert document.problem is None


def test_an_index_lists_sitemaps():
    document = read_sitemap(INDEX)
    assert (document.pages, document.sitemaps) == ((), ("https://a.example/1.xml",))
    assert document.problem is None


def test_a_truncated_sitemap_gives_what_it_has_and_says_so():
    document = read_sitemap(URLSET[:-60])
    assert document.pages[0] == "https://a.example/"
    assert document.problem is not None
    assert document.problem.startswith("damaged XML")


def test_truncated_gzip_says_so():
    assert read_sitemap(gzip.compress(URLSET)[:-30]).problem is not None


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "no XML in it"),
        (b"https://a.example/\n", "no XML in it"),
        (b"<html><body>Checking your browser</body></html>", "its root is <html>"),
        (b"\x1f\x8b\x08broken", "gzip"),
        (gzip.compress(b"<urlset>" + b" " * (MAX_BYTES + 1)), "gzip"),
    ],
)
def test_what_is_no_sitemap_says_so(body, problem):
    document = read_sitemap(body)
    assert document.pages == ()
    assert problem in (document.problem or "")


def test_entities_are_not_expanded():
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
        b"<urlset><url><loc>https://a.example/&b;</loc></url></urlset>"
    )
    assert "aaaa" not in "".join(read_sitemap(bomb).pages)
