"""Reading the views: browser view, page view of every document, browser view again.

Equal before and after, or it is read again. On a page that re-registers every 20 ms, reading one view 50 ms
after the other gave a false "unlisted" in 20 of 20 tries (measured); DevTools events and answers of one
session come in the order they were made, so a read that no event fell into is a true one.
"""

import asyncio
import time
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from census.site import same_site
from census.visit import BrowserTool, Document
from census.vocabulary import PageView, Relation, ToolsPolicy
from crawler.frame_tree import Frame
from crawler.limits import MAX_FRAMES, MAX_NAME, MAX_SCHEMA, MAX_TEXT, MAX_TOOLS, clean
from crawler.page_tools import page_tool
from crawler.sessions import ProtocolError, Session
from crawler.tab import Tab

_PAGE_VIEW = files("crawler").joinpath("page_view.js").read_text()
_POLYFILL = files("crawler").joinpath("polyfill.js").read_text()

DOCUMENT_TIMEOUT = 3.0
"""Seconds for one document to answer: a hung renderer never does."""
STABLE_TIMEOUT = 6.0
"""Seconds for the views to hold still; a page that re-registers for ever gets no longer."""

Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Views:
    """Both views of one moment. `stable` is None when the top document could not be asked."""

    stable: bool | None
    documents: tuple[Document, ...]
    browser_tools: tuple[BrowserTool, ...]
    tools_dropped: int
    title: str
    login: bool


async def read_views(tab: Tab) -> Views:
    """Read until no event falls into the reading, within `STABLE_TIMEOUT`."""
    until = time.monotonic() + STABLE_TIMEOUT
    pause = 0.0
    while True:
        before = tab.revision
        frames = tab.tree.frames()[:MAX_FRAMES]
        origins = _origins_to_ask(frames)
        raws = await asyncio.gather(*(_ask(frame, origins if frame is tab.tree.top else []) for frame in frames))
        if len(tab.sessions.all()) > 1:
            await asyncio.gather(*(_round_trip(session) for session in tab.sessions.all()))
        after = tab.revision
        top = raws[0]
        asked = "failed" not in top
        if (asked and before == after) or not asked or time.monotonic() > until:
            break
        pause = min(pause + 0.01, 0.1)
        await asyncio.sleep(pause)
    paths = {frame.frame_id: frame.path for frame in tab.tree.frames()}
    paths |= {frame.frame_id: raw["path"] for frame, raw in zip(frames, raws, strict=True) if raw.get("path")}
    tools = tab.view.tools(paths.get)
    documents = await asyncio.gather(
        *(_document(frame, raw, paths, raws[0]) for frame, raw in zip(frames, raws, strict=True))
    )
    stable = (before == after) if asked else None
    return Views(stable, tuple(documents), tools, tab.view.dropped, top.get("title", ""), bool(top.get("login")))


async def _ask(frame: Frame, origins: list[str]) -> Raw:
    """One document's page view as its isolated world gives it, or `{"failed": reason}`."""
    limits = {
        "frames": MAX_FRAMES * 2, "name": MAX_NAME, "text": MAX_TEXT, "schema": MAX_SCHEMA, "tools": MAX_TOOLS,
        "origins": origins,
    }  # fmt: skip
    try:
        return await asyncio.wait_for(call_isolated(frame, _PAGE_VIEW, limits), DOCUMENT_TIMEOUT)
    except TimeoutError:
        return {"failed": "timeout"}
    except ProtocolError as error:
        return {"failed": _short(error)}


async def call_isolated(frame: Frame, function: str, argument: Any) -> Any:
    """Call a function in the isolated world of a frame's document.

    Raises ProtocolError when the document is gone or the function threw.
    """
    session = _session(frame)
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame.frame_id, "worldName": "webmcp-census"})
    answer = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            "executionContextId": world["executionContextId"],
            "arguments": [{"value": argument}],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in answer:
        raise ProtocolError(str(answer["exceptionDetails"].get("text")))
    return answer["result"].get("value")


async def _round_trip(session: Session) -> None:
    """Wait until what the target said before has arrived."""
    try:
        await asyncio.wait_for(session.send("Runtime.evaluate", {"expression": "0"}), DOCUMENT_TIMEOUT)
    except (TimeoutError, ProtocolError):
        return


async def _document(frame: Frame, raw: Raw, paths: dict[str, str], top: Raw) -> Document:
    top_origin = top.get("origin") or _origin(frame.walk()[0].url)
    origin = raw.get("origin") or _origin(frame.url)
    parent = frame.parent
    attributes = await _owner_attributes(frame) if parent is not None else {}
    failed = raw.get("failed")
    error = failed or raw.get("error")
    view = PageView.FAILED if error else PageView.READ if raw.get("api") else PageView.NO_API
    policy = raw.get("policy")
    return Document(
        frame=paths[frame.frame_id],
        parent=paths.get(parent.frame_id) if parent is not None else None,
        url=clean(raw.get("url") or frame.url, MAX_TEXT)[0],
        origin=origin,
        relation=relation_of(origin, top_origin, top=parent is None),
        allow=attributes.get("allow"),
        sandbox=attributes.get("sandbox"),
        secure=raw.get("secure"),
        tools_policy=ToolsPolicy(policy) if policy else None,
        own_process=not _session(frame).root,
        page_view=view,
        error=clean(error, 200)[0] if error else None,
        tools=tuple(page_tool(item) for item in raw.get("tools", ())),
        on_request=tuple(page_tool(item) for item in raw.get("onRequest", ())),
        polyfill=await _polyfill(frame) if parent is None and not failed else None,
    )


async def _owner_attributes(frame: Frame) -> dict[str, str]:
    assert frame.parent is not None
    session = _session(frame.parent)
    try:
        async with asyncio.timeout(DOCUMENT_TIMEOUT):
            await session.send("DOM.enable")
            owner = await session.send("DOM.getFrameOwner", {"frameId": frame.frame_id})
            node = await session.send("DOM.describeNode", {"backendNodeId": owner["backendNodeId"]})
    except (TimeoutError, ProtocolError):
        return {}
    flat = node["node"].get("attributes") or []
    pairs = dict(zip(flat[::2], flat[1::2], strict=True))
    return {name: clean(pairs[name], 2_000)[0] for name in ("allow", "sandbox") if name in pairs}


async def _polyfill(frame: Frame) -> str | None:
    try:
        answer = await asyncio.wait_for(
            _session(frame).send(
                "Runtime.evaluate", {"expression": _POLYFILL, "throwOnSideEffect": True, "returnByValue": True}
            ),
            DOCUMENT_TIMEOUT,
        )
    except (TimeoutError, ProtocolError):
        return None
    value = answer["result"].get("value")
    return value if isinstance(value, str) and "exceptionDetails" not in answer else None


def relation_of(origin: str, top_origin: str, *, top: bool) -> Relation:
    """A document's relation to the top document, by their serialised origins."""
    if top:
        return Relation.TOP
    if origin == "null":
        return Relation.OPAQUE
    if origin == top_origin:
        return Relation.SAME_ORIGIN
    return Relation.SAME_SITE if same_site(origin, top_origin) else Relation.CROSS_SITE


def _origins_to_ask(frames: list[Frame]) -> list[str]:
    """The other origins that the top document may ask for: `fromOrigins` refuses insecure ones."""
    own = _origin(frames[0].url)
    origins = {_origin(frame.url) for frame in frames[1:]} - {own, ""}
    return sorted(origin for origin in origins if _trustworthy(origin))[:50]


def _trustworthy(origin: str) -> bool:
    parts = urlsplit(origin)
    host = parts.hostname or ""
    return parts.scheme == "https" or host == "localhost" or host.endswith(".localhost") or host.startswith("127.")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


def _session(frame: Frame) -> Session:
    return frame.session  # type: ignore[return-value]


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else "gone"
