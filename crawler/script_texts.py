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

_IDLE_MS = 700
_INLINE_TIMEOUT = 8.0
"""Seconds for one document; one that hangs must not take the others' texts with it."""
TIMEOUT = 12.0
"""Seconds for all texts: what is not there by then counts as unread. A busy machine stalls a browser for some."""
MAX_SCRIPTS = 60
MAX_FRAMES = 20
MAX_CHARACTERS = 3_000_000


class _Texts:
    """Texts up to `MAX_CHARACTERS` in all: reading more would hold every other visit up."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self._left = MAX_CHARACTERS

    def keep(self, text: str) -> bool:
        """Keep the text if there is room; False when there is none."""
        if len(text) > self._left:
            return False
        self._left -= len(text)
        self.kept.append(text)
        return True


async def script_evidence(tab: Tab) -> tuple[ScriptEvidence, bool]:
    """What the scripts of the page's documents say of the API, as far as they could be read.

    The second value is whether the top document had an idle moment meanwhile: when it had none, what the page left
    for one may still be to come.
    """
    texts = _Texts()
    unread = 0
    idle = True
    try:
        async with asyncio.timeout(TIMEOUT):
            frames = tab.tree.frames()
            unread += max(len(frames) - MAX_FRAMES, 0)
            asked = frames[:MAX_FRAMES]
            for frame, (found, was_idle) in zip(asked, await asyncio.gather(*map(_inline, asked)), strict=True):
                idle = idle and was_idle
                if found is not None:
                    unread += sum(not texts.keep(text) for text in found)
                elif tab.tree.get(frame.frame_id) is frame:
                    # A frame that went away meanwhile is no part of the page that is read.
                    unread += 1
            loaded = await asyncio.gather(*(_loaded(session) for session in tab.sessions.all()))
            scripts = [script for each in loaded for script in each]
            unread += max(len(scripts) - MAX_SCRIPTS, 0)
            for text in await asyncio.gather(*(_text(*script) for script in scripts[:MAX_SCRIPTS])):
                if text is None or not texts.keep(text):
                    unread += 1
    except TimeoutError:
        unread += 1
    return read_scripts(texts.kept, unread, old_names_count=tab.legacy), idle


async def _inline(frame: Frame) -> tuple[list[str] | None, bool]:
    """The texts of a document's inline scripts, None when it did not answer, and whether it had an idle moment."""
    # Frames out of sight are idle only when the browser likes, so only the top document is waited for.
    idle = _IDLE_MS if frame.parent is None else 0
    try:
        async with asyncio.timeout(_INLINE_TIMEOUT):
            answer = await call_isolated(frame, _INLINE, {"search": f"{QUICK_SEARCH}|{TIMER_SEARCH}", "idle": idle})
    except (TimeoutError, ProtocolError):
        return None, True
    return list(answer["texts"]), bool(answer["wasIdle"])


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
