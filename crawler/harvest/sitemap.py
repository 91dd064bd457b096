"""Reads sitemaps and sitemap indexes, compressed or not. Pure."""

from dataclasses import dataclass
from io import BytesIO

from lxml import etree  # type: ignore[import-untyped]
from scrapy.utils.gz import gunzip
from scrapy.utils.sitemap import Sitemap

MAX_BYTES = 50 * 2**20
"""What the sitemap protocol allows a file, uncompressed."""


@dataclass(frozen=True)
class SitemapDocument:
    """A sitemap file: the pages it lists, the sitemaps it lists, and what is wrong with it."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    problem: str | None = None
    """Set when the file may hold more than could be read."""


def read_sitemap(body: bytes) -> SitemapDocument:
    """Read a sitemap file. What stands before a damage is returned together with the problem."""
    if body.startswith(b"\x1f\x8b"):
        try:
            body = gunzip(body, max_size=MAX_BYTES)
        except (OSError, EOFError, ValueError) as error:
            return SitemapDocument(problem=f"the gzip data cannot be read: {error}")
    try:
        sitemap = Sitemap(body)
        addresses = tuple(entry["loc"] for entry in sitemap if entry["loc"])
    except (etree.XMLSyntaxError, StopIteration):
        return SitemapDocument(problem="not a sitemap: no XML in it")
    if sitemap.type == "urlset":
        return SitemapDocument(pages=addresses, problem=_damage(body))
    if sitemap.type == "sitemapindex":
        return SitemapDocument(sitemaps=addresses, problem=_damage(body))
    return SitemapDocument(problem=f"not a sitemap: its root is <{sitemap.type}>")


def _damage(body: bytes) -> str | None:
    """Look for what Scrapy's reader passes over in silence: a truncated sitemap is no short one."""
    try:
        for _, element in etree.iterparse(BytesIO(body), resolve_entities=False, no_network=True):
            element.clear()
    except etree.XMLSyntaxError as error:
        return f"damaged XML: {error.msg}"
    return None
