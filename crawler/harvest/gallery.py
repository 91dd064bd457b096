"""Reads gallery pages and project pages, by the markup of Devpost and its like. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urljoin, urlsplit

from parsel import Selector, SelectorList

from crawler.harvest.links import Link

_ENTRY = "a.link-to-software[href], .gallery-item a.block-wrapper-link[href]"
_ENTRY_LOOSE = ".gallery-item"
_PAGER = "ul.pagination, nav.pagination, div.pagination, .pager, [role=navigation][aria-label*=agination]"
_NEXT = "a[rel~=next], li.next:not(.disabled) a, li.next_page:not(.disabled) a, a.next_page, link[rel~=next]"
_CURRENT = "li.current, li.active, .current, [aria-current=page]"
_SHELL = "#submission-gallery, #software-entries, .software-list, .gallery, .gallery-items"
_PROJECT = '#app-title, #app-details, .app-links, [data-role="software-urls"]'
_LINKS = '[data-role="software-urls"] a[href], .app-links a[href]'
_VIDEO = "iframe.video-embed[src], .video iframe[src], iframe[src*=youtu], iframe[src*=vimeo]"

_NUMBER = r"(\d[\d.,\u00a0\u202f]*)"
_COUNTER = re.compile(
    rf"(?:(?:showing|displaying|results?|projects|submissions|entries)\s+)*"
    rf"{_NUMBER}\s*(?:[-\u2010-\u2015]|to)\s*{_NUMBER}\s+of\s+{_NUMBER}(?:\s+[\w ]+)?\.?",
    re.IGNORECASE,
)
_COUNTER_LENGTH = 100


@dataclass(frozen=True)
class GalleryEntry:
    """A project as a gallery page lists it."""

    title: str
    url: str


@dataclass(frozen=True)
class GalleryPage:
    """One page of a gallery."""

    number: int | None
    """By its pager or its URL, where they say it."""
    entries: tuple[GalleryEntry, ...]
    announced: int | None
    """How many entries the whole gallery has, by its counter."""
    next_url: str | None
    """What a link that says "next" leads to."""
    pages: Mapping[int, str] = field(default_factory=dict)
    """The pages that the pager links to, by number."""


@dataclass(frozen=True)
class ProjectPage:
    """What a project page says of the project."""

    title: str
    links: tuple[Link, ...]


def read_gallery_page(html: str, url: str) -> GalleryPage | None:
    """Read a gallery page, or None when the page has nothing of a gallery (a waiting page, a block page)."""
    page = Selector(text=html or "<html></html>", type="html")
    base = _base(page, url)
    entries = tuple(_entries(page, base))
    announced = _announced(page)
    pager = page.css(_PAGER)
    if not entries and announced is None and not pager and not page.css(_SHELL):
        return None
    following = _href(page.css(_NEXT), base)
    return GalleryPage(_number(pager, url), entries, announced, following, dict(_numbered(pager, base)))


def read_project_page(html: str, url: str) -> ProjectPage | None:
    """Read a project page, or None when nothing on the page is of a project."""
    page = Selector(text=html or "<html></html>", type="html")
    if not page.css(_PROJECT):
        return None
    base = _base(page, url)
    anchors = [Link(urljoin(base, a.attrib["href"].strip()), _text(a)) for a in page.css(_LINKS)]
    videos = [Link(urljoin(base, frame.attrib["src"].strip())) for frame in page.css(_VIDEO)]
    return ProjectPage(_text(page.css("#app-title")), tuple(dict.fromkeys(anchors + videos)))


def _base(page: Selector, url: str) -> str:
    return urljoin(url, page.css("base::attr(href)").get(""))


def _text(found: Selector | SelectorList[Selector]) -> str:
    return " ".join(found.xpath("string()").get("").split())


def _entries(page: Selector, base: str) -> Iterator[GalleryEntry]:
    anchors = page.css(_ENTRY) or SelectorList(
        item.css("a[href]")[0] for item in page.css(_ENTRY_LOOSE) if item.css("a[href]")
    )
    for anchor in anchors:
        address = urljoin(base, anchor.attrib["href"].strip())
        if urlsplit(address).scheme in {"http", "https"}:
            title = _text(anchor.css("h5, h4, h3, h2")) or anchor.css("img::attr(alt)").get("") or _text(anchor)
            yield GalleryEntry(title.strip(), address)


def _announced(page: Selector) -> int | None:
    """Find the total in a counter such as `1 - 24 of 2474`: an element's whole text, outside the entries."""
    elements = page.xpath(
        "//body//*[not(ancestor-or-self::*[contains(@class, 'gallery-item') or"
        " contains(@class, 'link-to-software')])]"
        f"[contains(., 'of')][string-length(normalize-space()) < {_COUNTER_LENGTH}]"
    )
    for element in elements:
        match = _COUNTER.fullmatch(_text(element))
        if match:
            return int(re.sub(r"\D", "", match[3]))
    return None


def _numbered(pager: SelectorList[Selector], base: str) -> Iterator[tuple[int, str]]:
    for anchor in pager.css("a[href]"):
        text = _text(anchor)
        address = _href(anchor, base)
        if text.isdecimal() and address:
            yield int(text), address


def _number(pager: SelectorList[Selector], url: str) -> int | None:
    for text in (*map(_text, pager.css(_CURRENT)), *parse_qs(urlsplit(url).query).get("page", ())):
        if text.isdecimal():
            return int(text)
    return None


def _href(found: Selector | SelectorList[Selector], base: str) -> str | None:
    href = (found.attrib.get("href") or "").strip()
    return urljoin(base, href) if href and not href.startswith(("#", "javascript:")) else None
