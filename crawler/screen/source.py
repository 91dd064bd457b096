"""What a document's markup or a script's text leads to: scripts, frames, where the page goes next. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from lxml import etree  # type: ignore[import-untyped]

from census.site import site_of
from crawler.screen.signs import Sign, signs_in_markup

_LINKS = 400
"""Of a kind, from one text: a list of all pages of a site is no list of scripts."""
_SCRIPT = re.compile(r"""["'`]([^"'`\s<>{}()\\]{1,300}?\.(?:m?js|jsx|tsx?)(?:\?[^"'`\s<>\\]{0,200})?)["'`]""")
_GOES_ON = re.compile(
    r"""\blocation(?:\s*\.\s*href)?\s*=\s*["']([^"'\s]{1,500})["']
      | \blocation\s*\.\s*(?:replace|assign)\s*\(\s*["']([^"'\s]{1,500})["']""",
    re.VERBOSE,
)
_REFRESH = re.compile(r"""^\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)""", re.IGNORECASE)
_ALLOWS_TOOLS = re.compile(r"(?:^|[;\s])tools(?:[;\s]|$)", re.IGNORECASE)
_BUILD_FOLDERS = ("/_next/", "/_nuxt/")


@dataclass(frozen=True, slots=True)
class Source:
    """What a document has and where it leads, all URLs absolute and of the page's own site."""

    signs: frozenset[Sign]
    scripts: tuple[str, ...]
    """Those it loads at once, in its order."""
    documents: tuple[str, ...]
    """Its frames, and where it sends the browser."""
    mentioned: tuple[str, ...] = ()
    """Scripts that its inline scripts name: imports, lazy parts."""


def read_markup(text: str, url: str, site: str) -> Source:
    """Read a document; `url` is where it came from, `site` the page's."""
    root = _parsed(text)
    base, scripts, documents = url, [], []
    signs = set(signs_in_markup(text))
    for element in root.iter("base", "script", "link", "iframe", "frame", "meta", "object", "embed"):
        get = element.get
        match element.tag:
            case "base" if get("href"):
                base = _joined(url, get("href"))
            case "script" if get("src"):
                scripts.append(get("src"))
            case "link" if _is_script(get("rel"), get("as")) and get("href"):
                scripts.append(get("href"))
            case "iframe" | "frame":
                if _ALLOWS_TOOLS.search(get("allow") or ""):
                    signs.add(Sign.FRAME)
                documents.append(get("src") or "")
            case "object" | "embed":
                documents.append(get("data") or get("src") or "")
            case "meta" if (get("http-equiv") or "").lower() == "refresh":
                goal = _REFRESH.match(get("content") or "")
                documents.append(goal[1].strip() if goal else "")
    if "location" in text:
        documents += [one or other for one, other in _GOES_ON.findall(text)]
    return Source(
        frozenset(signs),
        _own(scripts, base, site),
        _own((address for address in documents if address), base, site),
        _own(_named(text), base, site),
    )


def scripts_named_in(text: str, script_url: str, page_url: str, site: str) -> tuple[str, ...]:
    """The scripts of the page's own site that a script names.

    A name without a leading `./` or `/` is a path from the page in the lists of lazy parts that bundlers make, and
    from the folder of the build in a framework's manifest; all that it may stand for are given.
    """
    found: dict[str, None] = {}
    for name in _named(text):
        bases = [script_url] if name.startswith(("./", "../", "/", "http:", "https:")) else [page_url, script_url]
        folder = next((part for part in _BUILD_FOLDERS if part in script_url), None)
        if folder and len(bases) > 1:
            bases = [script_url.partition(folder)[0] + folder]
        found.update(dict.fromkeys(address for base in bases for address in _own([name], base, site)))
        if len(found) >= _LINKS:
            break
    return tuple(found)[:_LINKS]


def _parsed(text: str) -> etree._Element:
    parser = etree.HTMLParser(recover=True, no_network=True, huge_tree=True, encoding="utf-8")
    root = etree.fromstring(text.encode("utf-8", "replace") or b"<html/>", parser)
    return root if root is not None else etree.Element("html")


def _is_script(rel: str | None, kind: str | None) -> bool:
    words = (rel or "").lower().split()
    return "modulepreload" in words or ("preload" in words and (kind or "").lower() == "script")


def _named(text: str) -> Iterator[str]:
    for number, match in enumerate(_SCRIPT.finditer(text)):
        if number >= _LINKS:
            return
        yield match[1]


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return ""


def _own(addresses: Iterator[str] | list[str], base: str, site: str) -> tuple[str, ...]:
    """Absolute, http(s), of the site, without fragments, each once."""
    found: dict[str, None] = {}
    for address in addresses:
        whole = _joined(base, address).partition("#")[0]
        if not whole.lower().startswith(("http://", "https://")):
            continue
        try:
            own = bool(urlsplit(whole).hostname) and site_of(whole) == site
        except ValueError:
            continue
        if own:
            found[whole] = None
    return tuple(found)[:_LINKS]
