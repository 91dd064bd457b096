"""What somebody asks for: an address, a host, or words that may be a project's or a tool's name.

`static/lookup.js` of the site does the same in the browser; `tests/publish/test_lookup_parity.py` holds them together.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from census.site import ascii_host

_SCHEME = re.compile(r"^https?://", re.IGNORECASE)
_HOST_LIKE = re.compile(
    r"^(?:\[[0-9a-f:.]+\]|localhost|[^\s/?#@:]+\.[^\s/?#@:]+)\.?(?::\d{1,5})?(?:[/?#]|$)", re.IGNORECASE
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NOT_A_LETTER = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9]")


class Address(NamedTuple):
    """Where a page is, without what tells no two pages apart: scheme, default port, `www.`, trailing slash.

    Two addresses are one page when they are equal. A fragment stays only when it is a route (`#/`, `#!`).
    """

    host: str
    port: int | None
    rest: str
    """Path, query and route; empty for the host's first page."""

    @property
    def shard_host(self) -> str:
        """What the shards are hashed by: the host without a leading `www.`."""
        return self.host.removeprefix("www.")


class Question(NamedTuple):
    """What was asked: `url` and `address` are None when the text can be no address."""

    text: str
    url: str | None
    address: Address | None


def question(text: str) -> Question:
    """Read what somebody typed. Never raises: what is no address is a name."""
    text = text.strip()
    if _SCHEME.match(text):
        return _of_url(text, text)
    if _HOST_LIKE.match(text):
        return _of_url(text, f"https://{text}")
    return Question(text, None, None)


def _of_url(text: str, url: str) -> Question:
    address = address_of(url)
    return Question(text, url if address else None, address)


def address_of(url: str) -> Address | None:
    """The address of an http(s) URL; None when it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    host = ascii_host(parts.hostname or "").rstrip(".")
    if scheme not in _DEFAULT_PORTS or not host:
        return None
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    query = f"?{parts.query}" if parts.query else ""
    return Address(host, None if port == _DEFAULT_PORTS[scheme] else port, parts.path.rstrip("/") + query + route)


def same_page(one: Address, other: Address) -> bool:
    """Whether two addresses are one page, however their paths are percent-encoded."""
    return (one.shard_host, one.port, _decoded(one.rest)) == (other.shard_host, other.port, _decoded(other.rest))


def is_at(urls: Iterable[str | None], address: Address) -> bool:
    """Whether one of the URLs is the page at the address."""
    places = (address_of(url) for url in urls if url)
    return any(place is not None and same_page(place, address) for place in places)


def is_of_host(url: str, address: Address) -> bool:
    """Whether the URL is of the address's host, and of its port when that is named."""
    place = address_of(url)
    return place is not None and place.shard_host == address.shard_host and address.port in (None, place.port)


def letters(rest: str) -> str:
    """The ASCII letters and digits of an address's rest: what every way to encode it has in common."""
    return _NOT_A_LETTER.sub("", rest).lower()


def _decoded(rest: str) -> bytes:
    return unquote_to_bytes(rest)
