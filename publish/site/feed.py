"""`feed.xml`: the releases of the site as an Atom feed (RFC 4287)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from census.opened_release import Release
from census.text import rate_text

_ATOM = "http://www.w3.org/2005/Atom"
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def feed(releases: Sequence[Release], base_url: str | None) -> bytes:
    """Write the feed, the newest release first. Without a base URL its links are relative to the feed."""
    ET.register_namespace("", _ATOM)
    root = ET.Element(f"{{{_ATOM}}}feed")
    if base_url:
        root.set("{http://www.w3.org/XML/1998/namespace}base", base_url)
        _element(root, "link", rel="self", href=f"{base_url}feed.xml")
    _element(root, "id", "urn:webmcp-census:releases")
    _element(root, "title", "WebMCP census: releases")
    _element(root, "updated", max(map(_time, releases)).isoformat())
    _element(_element(root, "author"), "name", "The webmcp-census authors")
    for release in releases:
        version = release.manifest.release_version
        entry = _element(root, "entry")
        _element(entry, "id", f"urn:webmcp-census:release:{version}")
        _element(entry, "title", f"Release {version}")
        _element(entry, "updated", _time(release).isoformat())
        _element(entry, "link", rel="alternate", href=f"{base_url or ''}releases.html#r{version}")
        adoption = release.summary.rate("adoption")
        said = f"{release.manifest.targets:,} targets. {adoption.title}: {rate_text(adoption)}."
        _element(entry, "summary", said)
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _time(release: Release) -> datetime:
    return release.manifest.visited_to or _LONG_AGO


def _element(parent: ET.Element, name: str, text: str | None = None, **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    element.text = text
    return element
