"""Reading the views: browser view, page view of every document, browser view again.

Equal before and after, or it is read again. On a page that re-registers every 20 ms, reading one view 50 ms
after the other gave a false "unlisted" in 20 of 20 tries (measured); DevTools events and answers of one
session come in the order they were made, so a read that no event fell into is a true one.
"""

import asyncio
import ipaddress
import time
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from census.site import same_site
from census.visit import TOP, BrowserTool, Document, PageTool
from census.vocabulary import PageView, Relation, ToolsPolicy
from crawler.addresses import literal_address
from crawler.frame_tree import Frame
from crawler.limits import MAX_FRAMES, MAX_KEPT, MAX_NAME, MAX_SCHEMA, MAX_TEXT, MAX_TOOLS, MIN_KEPT, clean
from crawler.outcomes import TIMED_OUT
from crawler.page_tools import page_tool
from crawler.sessions import ProtocolError, Session
from crawler.tab import Tab

_PAGE_VIEW = files("crawler").joinpath("page_view.js").read_text()
_POLYFILL = files("crawler").joinpath("polyfill.js").read_text()
_OWN_LIST = files("crawler").joinpath("own_list.js").read_text()

DOCUMENT_TIMEOUT = 6.0
"""Seconds for one document to answer: a hung renderer never does, and an honest one beside busy pages takes its time."""
_TURN = 0.03
"""Seconds more for each other document that is asked at the same time: a thousand frames are not a hung renderer."""
STABLE_TIMEOUT = 6.0
"""Seconds for the views to hold still; a page that re-registers for ever gets no longer."""

Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Views:
    """Both views of one moment. `stable` is None when the top document could not be asked."""

    stable: bool | None
    documents: tuple[Document, ...]
    browser_tools: tuple[BrowserTool, ...]
    documents_dropped: int
    tools_dropped: int
    title: str
    login: bool
    status: int | None
    """HTTP status of the top document by its own account."""
    content_type: str | None


async def read_views(tab: Tab) -> Views:
    """Read both views of every document, and what an object of the page's own in place of the native one lists."""
    # In the legacy pass the object beside the native one is ours.
    asked = _nothing() if tab.legacy else _polyfill(tab.tree.top)
    views, polyfill = await asyncio.gather(_read_until_stable(tab), asked)
    if views.stable is None or polyfill is None:
        return views
    own_list = await _own_list(tab.tree.top, views.documents[0].origin)
    top = views.documents[0].model_copy(update={"polyfill": polyfill, "own_list": own_list})
    return replace(views, documents=(top, *views.documents[1:]))


async def _read_until_stable(tab: Tab) -> Views:
    """Read until no event falls into the reading, within `STABLE_TIMEOUT`."""
    until = time.monotonic() + STABLE_TIMEOUT
    pause = 0.0
    while True:
        before = tab.revision
        whole = tab.tree.frames()
        frames = whole[:MAX_FRAMES]
        # A frame may go away while it is asked: its place is what it was when the reading began.
        paths = [frame.path for frame in frames]
        children = {path: len(frame.children) for frame, path in zip(frames, paths, strict=True) if frame.children}
        raws = await asyncio.gather(
            *(
                _ask(frame, path, children, _origins_to_ask(frame, frames), len(frames))
                for frame, path in zip(frames, paths, strict=True)
            )
        )
        if len(tab.sessions.all()) > 1:
            await asyncio.gather(*(_round_trip(session) for session in tab.sessions.all()))
        after = tab.revision
        asked = "failed" not in raws[0]
        if (asked and before == after) or not asked or time.monotonic() > until:
            break
        pause = min(pause + 0.01, 0.1)
        await asyncio.sleep(pause)
    top = raws[0]
    places = {frame.frame_id: frame.path for frame in tab.tree.frames()}
    places |= {frame.frame_id: path for frame, path in zip(frames, paths, strict=True)}
    owners = {
        f"{path}.{i}": owner or {}
        for path, raw in zip(paths, raws, strict=True)
        for i, owner in enumerate(raw.get("owners", ()))
    }
    documents = tuple(
        _document(frame, path, raw, owners.get(path, {}), top)
        for frame, path, raw in zip(frames, paths, raws, strict=True)
    )
    return Views(
        stable=(before == after) if asked else None,
        documents=documents,
        browser_tools=tab.view.tools(places.get),
        documents_dropped=len(whole) - len(frames),
        tools_dropped=tab.view.dropped,
        title=top.get("title", ""),
        login=bool(top.get("login")),
        status=top.get("status"),
        content_type=top.get("type"),
    )


async def _ask(frame: Frame, path: str, children: dict[str, int], origins: list[str], asked: int) -> Raw:
    """One of so many documents' page view as its isolated world gives it, or `{"failed": reason}`."""
    limits = {
        "path": path, "children": children, "origins": origins,
        "name": MAX_NAME, "text": MAX_TEXT, "schema": MAX_SCHEMA, "tools": MAX_TOOLS,
        "kept": max(MAX_KEPT // asked, MIN_KEPT),
    }  # fmt: skip
    try:
        async with asyncio.timeout(DOCUMENT_TIMEOUT + _TURN * asked):
            return dict(await call_isolated(frame, _PAGE_VIEW, limits, owners=True))
    except TimeoutError:
        return {"failed": TIMED_OUT}
    except ProtocolError as error:
        return {"failed": _short(error)}


async def call_isolated(frame: Frame, function: str, argument: Any, *, owners: bool = False) -> Any:
    """Call a function in the isolated world of a frame's document, with the owners of its child frames if asked.

    Raises ProtocolError when the document is gone or the function threw.
    """
    if frame.world is not None:
        try:
            return await _call(frame, frame.world, function, argument, owners=owners)
        except ProtocolError:
            # Most likely the world of a document that is gone; the one that is there now has none yet.
            frame.world = None
    where = {"frameId": frame.frame_id, "worldName": "webmcp-census"}
    world = int((await _session(frame).send("Page.createIsolatedWorld", where))["executionContextId"])
    frame.world = world
    return await _call(frame, world, function, argument, owners=owners)


async def _call(frame: Frame, world: int, function: str, argument: Any, *, owners: bool) -> Any:
    session = _session(frame)
    arguments = [{"value": argument}]
    if owners and frame.children:
        await session.send("DOM.enable")
        children = frame.children[:MAX_FRAMES]
        arguments += await asyncio.gather(*(_owner(session, child.frame_id, world) for child in children))
    answer = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": function,
            "executionContextId": world,
            "arguments": arguments,
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in answer:
        raise ProtocolError(str(answer["exceptionDetails"].get("text")))
    return answer["result"].get("value")


async def _owner(session: Session, frame_id: str, context: int) -> dict[str, Any]:
    """The element that holds a frame, as an argument for a call in its document; null when it is gone."""
    try:
        owner = await session.send("DOM.getFrameOwner", {"frameId": frame_id})
        node = await session.send(
            "DOM.resolveNode", {"backendNodeId": owner["backendNodeId"], "executionContextId": context}
        )
    except ProtocolError:
        return {"value": None}
    return {"objectId": node["object"]["objectId"]}


async def _round_trip(session: Session) -> None:
    """Wait until what the target said before has arrived."""
    try:
        await asyncio.wait_for(session.send("Runtime.evaluate", {"expression": "0"}), DOCUMENT_TIMEOUT)
    except (TimeoutError, ProtocolError):
        return


def _document(frame: Frame, path: str, raw: Raw, owner: Raw, top: Raw) -> Document:
    origin = raw.get("origin") or _origin(frame.url)
    error = raw.get("failed") or raw.get("error")
    policy = raw.get("policy")
    return Document(
        frame=path,
        parent=path.rpartition(".")[0] or None,
        url=clean(raw.get("url") or frame.url, MAX_TEXT)[0],
        origin=origin,
        relation=relation_of(origin, top.get("origin", ""), top=path == TOP),
        allow=_attribute(owner, "allow"),
        sandbox=_attribute(owner, "sandbox"),
        secure=raw.get("secure"),
        tools_policy=ToolsPolicy(policy) if policy else None,
        own_process=not _session(frame).root,
        page_view=PageView.FAILED if error else PageView.READ if raw.get("api") else PageView.NO_API,
        error=clean(error, 200)[0] if error else None,
        tools=tuple(page_tool(item) for item in raw.get("tools", ())),
        on_request=tuple(page_tool(item) for item in raw.get("onRequest", ())),
    )


def _attribute(owner: Raw, name: str) -> str | None:
    value = owner.get(name)
    return clean(value, 2_000)[0] if value is not None else None


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


async def _nothing() -> None:
    return None


async def _own_list(frame: Frame, origin: str) -> tuple[PageTool, ...]:
    call = {"expression": f"({_OWN_LIST})()", "awaitPromise": True, "returnByValue": True}
    try:
        answer = await asyncio.wait_for(_session(frame).send("Runtime.evaluate", call), DOCUMENT_TIMEOUT)
    except (TimeoutError, ProtocolError):
        return ()
    items = answer["result"].get("value")
    if "exceptionDetails" in answer or not isinstance(items, list):
        return ()
    return tuple(
        PageTool(
            frame=TOP,
            name=clean(item.get("name"), MAX_NAME)[0],
            description=clean(item.get("description"), MAX_TEXT)[0],
            origin=origin,
        )
        for item in items[:MAX_TOOLS]
        if isinstance(item, dict)
    )


def relation_of(origin: str, top_origin: str, *, top: bool) -> Relation:
    """A document's relation to the top document, by their serialised origins."""
    if top:
        return Relation.TOP
    if origin == "null":
        return Relation.OPAQUE
    if origin == top_origin:
        return Relation.SAME_ORIGIN
    return Relation.SAME_SITE if same_site(origin, top_origin) else Relation.CROSS_SITE


def _origins_to_ask(frame: Frame, frames: list[Frame]) -> list[str]:
    """The other origins that the top document may ask for: `fromOrigins` refuses insecure ones."""
    if frame.parent is not None:
        return []
    origins = {_origin(each.url) for each in frames[1:]} - {_origin(frame.url), ""}
    return sorted(origin for origin in origins if _trustworthy(origin))[:50]


def _trustworthy(origin: str) -> bool:
    parts = urlsplit(origin)
    host = parts.hostname or ""
    address = literal_address(host)
    local = ipaddress.ip_address(address).is_loopback if address else host == "localhost" or host.endswith(".localhost")
    return parts.scheme == "https" or local


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.scheme in ("http", "https") else ""


def _session(frame: Frame) -> Session:
    return frame.session  # type: ignore[return-value]


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else "gone"
