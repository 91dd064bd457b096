"""Gathers the texts of the scripts that a page's documents loaded; nothing in the page is touched for it."""

import asyncio
from importlib.resources import files
from typing import Any

from census.visit import ScriptEvidence
from crawler.frame_tree import Frame
from crawler.reading import call_isolated
from crawler.script_text import QUICK_SEARCH, TIMER_SEARCH, read_scripts
from crawler.sessions import ProtocolError, Session
from crawler.tab import Tab

_INLINE = files("crawler").joinpath("script_text.js").read_text()

_IDLE_MS = 2_500
TIMEOUT = 4.0
"""Seconds for all texts: what is not there by then counts as unread."""
MAX_SCRIPTS = 60
MAX_FRAMES = 20
MAX_CHARACTERS = 3_000_000


async def script_evidence(tab: Tab) -> ScriptEvidence:
    """What the scripts of the page's documents say of the API, as far as they could be read."""
    texts: list[str] = []
    unread = 0
    try:
        async with asyncio.timeout(TIMEOUT):
            inline, loaded = await asyncio.gather(
                asyncio.gather(*(_inline(frame) for frame in tab.tree.frames()[:MAX_FRAMES])),
                asyncio.gather(*(_loaded(session) for session in tab.sessions.all())),
            )
            texts += [text for found in inline for text in found]
            scripts = [script for found in loaded for script in found]
            unread += max(len(scripts) - MAX_SCRIPTS, 0)
            for found in await asyncio.gather(*(_text(*script) for script in scripts[:MAX_SCRIPTS])):
                if found is None or sum(map(len, texts)) > MAX_CHARACTERS:
                    unread += 1
                elif found:
                    texts.append(found)
    except TimeoutError:
        unread += 1
    return read_scripts(texts, unread, old_names_count=tab.legacy)


async def _inline(frame: Frame) -> list[str]:
    try:
        # Frames out of sight are idle only when the browser likes, so only the top document is waited for.
        idle = _IDLE_MS if frame.parent is None else 0
        asked = {"search": f"{QUICK_SEARCH}|{TIMER_SEARCH}", "idle": idle}
        return list(await call_isolated(frame, _INLINE, asked))
    except ProtocolError:
        return []


async def _loaded(session: Session) -> list[tuple[Session, str, str]]:
    """The scripts that the documents of a session loaded by URL."""
    try:
        tree = await session.send("Page.getResourceTree")
    except ProtocolError:
        return []
    found: list[tuple[Session, str, str]] = []

    def walk(node: dict[str, Any]) -> None:
        frame_id = node["frame"]["id"]
        found.extend(
            (session, frame_id, resource["url"])
            for resource in node.get("resources", ())
            if resource["type"] == "Script" and not resource.get("failed") and not resource.get("canceled")
        )
        for child in node.get("childFrames", ()):
            walk(child)

    walk(tree["frameTree"])
    return found


async def _text(session: Session, frame_id: str, url: str) -> str | None:
    """The script's text when it names the API, empty when it does not, None when it cannot be had.

    The browser searches first: most scripts say nothing of the API, and their texts need not travel.
    """
    where = {"frameId": frame_id, "url": url}
    try:
        hits = await session.send(
            "Page.searchInResource", {**where, "query": QUICK_SEARCH, "isRegex": True, "caseSensitive": True}
        )
        if not hits.get("result"):
            return ""
        content = await session.send("Page.getResourceContent", where)
    except ProtocolError:
        return None
    return None if content.get("base64Encoded") else str(content.get("content", ""))
