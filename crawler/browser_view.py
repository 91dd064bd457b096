"""What the browser offers an agent: the `WebMCP` DevTools domain, kept per (frame, tool name).

A target's frame ids are unique in a browser, so a frame stands for its target here. The browser sends no
`toolsRemoved` when a document goes away (measured): whoever follows the frames says so.
"""

from collections.abc import Callable
from typing import Any

from census.visit import BrowserTool
from census.vocabulary import Kind
from crawler.limits import MAX_KEPT, MAX_NAME, MAX_SCHEMA, MAX_TEXT, MAX_TOOLS, clean, clean_schema

_Key = tuple[str, str]
_MAX_SEEN = 50_000


class BrowserView:
    """The tools offered now. `revision` grows with every event that could have changed them."""

    def __init__(self) -> None:
        self.revision = 0
        self._tools: dict[_Key, dict[str, Any]] = {}
        self._sizes: dict[_Key, int] = {}
        """Characters kept of each tool."""
        self._room = MAX_KEPT
        self._first_seen: dict[_Key, int] = {}
        """Also of tools that were removed since: one that is registered again was seen before."""
        self._dropped: set[_Key] = set()
        self._added_once: set[tuple[_Key, int]] = set()
        self._removed_once: set[_Key] = set()

    def __len__(self) -> int:
        return len(self._tools) + len(self._dropped)

    @property
    def dropped(self) -> int:
        """How many tools were over the number that is kept."""
        return len(self._dropped)

    def added(self, tools: list[dict[str, Any]], at_ms: int) -> bool:
        """`WebMCP.toolsAdded`: forms send a tool again while the parser runs, the last one counts.

        Returns whether any of them was never seen like this before: a page that registers the same tools again
        and again for ever changes nothing by it.
        """
        self.revision += 1
        news = len(self._added_once)
        for tool in tools:
            key = (str(tool.get("frameId", "")), str(tool.get("name", "")))
            texts = str(tool.get("description")), str(tool.get("inputSchema"))
            if len(self._added_once) < _MAX_SEEN:
                self._added_once.add((key, hash(texts)))
            if len(self._first_seen) < _MAX_SEEN:
                self._first_seen.setdefault(key, at_ms)
            if key not in self._tools and len(self._tools) >= MAX_TOOLS:
                self._dropped.add(key)
                continue
            self._keep(key, tool, min(len(texts[0]), MAX_TEXT) + min(len(texts[1]), MAX_SCHEMA), at_ms)
        return len(self._added_once) > news

    def _keep(self, key: _Key, tool: dict[str, Any], size: int, at_ms: int) -> None:
        """Keep a tool in its place, without its texts when the page's tools are too large together."""
        self._room += self._sizes.pop(key, 0)
        kept = _within_limits(tool)
        if size <= self._room:
            self._sizes[key] = size
            self._room -= size
        else:
            kept |= {"description": "", "input_schema": None, "cut": True}
        self._tools[key] = kept | {"first_seen_ms": self._first_seen.get(key, at_ms)}

    def _forget(self, key: _Key) -> None:
        self._tools.pop(key, None)
        self._room += self._sizes.pop(key, 0)

    def removed(self, tools: list[dict[str, Any]]) -> bool:
        """`WebMCP.toolsRemoved`. Returns whether any of them was never removed before."""
        self.revision += 1
        news = len(self._removed_once)
        for tool in tools:
            key = (str(tool.get("frameId", "")), str(tool.get("name", "")))
            self._forget(key)
            self._dropped.discard(key)
            if len(self._removed_once) < _MAX_SEEN:
                self._removed_once.add(key)
        return len(self._removed_once) > news

    def document_gone(self, frame_id: str) -> None:
        """The frame's document was replaced or the frame removed: its tools went with it."""
        self.revision += 1
        for key in [key for key in self._tools if key[0] == frame_id]:
            self._forget(key)
        for key in [key for key in self._first_seen if key[0] == frame_id]:
            del self._first_seen[key]
        self._dropped = {key for key in self._dropped if key[0] != frame_id}

    def tools(self, path_of: Callable[[str], str | None]) -> tuple[BrowserTool, ...]:
        """The tools with their frames' paths, in the order they were first named.

        A tool whose frame is in no tree of this tab is left out: it cannot be this page's.
        """
        found = []
        for (frame_id, _), tool in self._tools.items():
            path = path_of(frame_id)
            if path is not None:
                found.append(BrowserTool(frame=path, **tool))
        return tuple(found)


def _within_limits(tool: dict[str, Any]) -> dict[str, Any]:
    name, name_cut = clean(tool.get("name"), MAX_NAME)
    description, description_cut = clean(tool.get("description"), MAX_TEXT)
    schema, schema_cut = clean_schema(tool.get("inputSchema"))
    frames = (tool.get("stackTrace") or {}).get("callFrames") or []
    script = next((frame["url"] for frame in frames if frame.get("url")), None)
    annotations = tool.get("annotations")
    return {
        "name": name,
        "description": description,
        "input_schema": schema,
        "annotations": {str(k): bool(v) for k, v in annotations.items()} if annotations else None,
        "kind": Kind.FORM if tool.get("backendNodeId") is not None else Kind.SCRIPT,
        "registered_by": clean(script, MAX_TEXT)[0] if script else None,
        "cut": name_cut or description_cut or schema_cut,
    }
