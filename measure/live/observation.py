"""A look at a page from outside: what its documents show and keep, as digests; and the difference of two looks."""

import asyncio
from collections.abc import Awaitable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from playwright.async_api import Error as PlaywrightError

from census.visit import BrowserTool
from crawler.limits import MAX_FRAMES, MAX_TEXT, clean
from crawler.reading import call_isolated
from crawler.sessions import ProtocolError
from crawler.tab import Tab
from measure.live.effects import Area, Change, StorageChange

_OBSERVE = files("measure.live").joinpath("observe.js").read_text()
_LIMITS = {"nodes": 200_000, "keys": 500, "key": 200}
"""Nodes looked at in each document; entries of each store, and characters of their keys."""
_TIMEOUT = 4.0
"""Seconds for the documents and the cookies; what does not answer was not seen."""
_MOST_CHANGES = 200

Kept = Mapping[tuple[Area, str, str], str]
"""What the page keeps, by area, origin and key; the values are digests."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look saw."""

    url: str = ""
    """Of the top document, by its own word; empty when it did not answer."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """Digests of what the documents show, by the frames' places."""
    kept: Kept = field(default_factory=dict)
    tools: frozenset[tuple[str, str, str]] = frozenset()
    """What the browser offers: frame, name, description."""

    @property
    def seen(self) -> bool:
        """Whether the top document answered."""
        return bool(self.url)


async def observe(tab: Tab) -> Observation:
    """Look at every document of the tab, at its cookies and at what the browser offers. Never raises."""
    frames = tab.tree.frames()[:MAX_FRAMES]
    paths = [frame.path for frame in frames]
    tools = frozenset((each.frame, each.name, each.description) for each in _tools(tab))
    looks = asyncio.gather(*(_or_nothing(call_isolated(frame, _OBSERVE, _LIMITS)) for frame in frames))
    found, cookies = await asyncio.gather(looks, _cookies(tab))
    documents = {path: each["dom"] for path, each in zip(paths, found, strict=True) if each}
    kept = {key: value for each in found if each for key, value in _kept(each)}
    top = found[0] if found else None
    return Observation(clean(top["url"], MAX_TEXT)[0] if top else "", documents, kept | cookies, tools)


def _tools(tab: Tab) -> tuple[BrowserTool, ...]:
    return tab.view.tools({frame.frame_id: frame.path for frame in tab.tree.frames()}.get)


async def _or_nothing(look: Awaitable[Any]) -> dict[str, Any] | None:
    try:
        return dict(await asyncio.wait_for(look, _TIMEOUT))
    except (TimeoutError, ProtocolError):
        return None


def _kept(look: Mapping[str, Any]) -> Iterator[tuple[tuple[Area, str, str], str]]:
    for area in (Area.LOCAL, Area.SESSION, Area.DATABASES):
        for key, value in look[area.value].items():
            yield (area, look["origin"], clean(key, MAX_TEXT)[0]), value


async def _cookies(tab: Tab) -> dict[tuple[Area, str, str], str]:
    try:
        cookies = await asyncio.wait_for(tab.context.cookies(), _TIMEOUT)
    except (TimeoutError, PlaywrightError):
        return {}
    return {
        (Area.COOKIES, f"{each.get('domain', '')}{each.get('path', '')}", each.get("name", "")): each.get("value", "")
        for each in cookies
    }


def storage_changes(before: Kept, after: Kept) -> tuple[StorageChange, ...]:
    """What became of what the page keeps, in order of area, origin and key; the first 200 changes."""
    changes = []
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) == after.get(key):
            continue
        change = Change.ADDED if key not in before else Change.REMOVED if key not in after else Change.CHANGED
        changes.append(StorageChange(*key, change))
    return tuple(changes[:_MOST_CHANGES])


def dom_change(idle: Observation, before: Observation, after: Observation) -> bool | None:
    """Whether the call changed what the documents show, from three looks: two before it, one after.

    None when the two before it differ already, so that a difference is not the call's, or when a look failed.
    """
    if not (before.seen and after.seen):
        return None
    if before.documents == after.documents:
        return False
    return None if idle.documents != before.documents else True
