"""By what the page's document and scripts can be asked for again: their ETag, their date of last modification."""

import asyncio
from email.utils import formatdate
from typing import Any

from census.recheck import Validator
from census.target import target_key
from crawler.limits import MAX_TEXT
from crawler.sessions import ProtocolError
from crawler.tab import Tab

TIMEOUT = 2.0
MAX_RESOURCES = 60
_NO_REQUEST = ("about:", "data:")


async def validators(tab: Tab, target: str) -> tuple[Validator, ...] | None:
    """The top document and every script that the page loaded by URL.

    None when one of them has nothing to ask by, when there are too many, when a frame has a document of its own, when
    the target led elsewhere, or when the browser does not answer in time: the page is then visited next time.
    """
    top = tab.tree.top
    if target_key(top.url) != target_key(target):
        return None
    etag, modified = tab.headers.get("etag"), tab.headers.get("last-modified")
    found = {top.url: Validator(url=top.url, etag=etag, last_modified=modified)}
    if any(not frame.url.startswith(_NO_REQUEST) for frame in tab.tree.frames()[1:]):
        return None
    try:
        async with asyncio.timeout(TIMEOUT):
            answers = await asyncio.gather(*(session.send("Page.getResourceTree") for session in tab.sessions.all()))
    except (TimeoutError, ProtocolError):
        return None
    for answer in answers:
        for resource in _scripts(answer["frameTree"]):
            at = resource.get("lastModified")
            found[resource["url"]] = Validator(
                url=resource["url"], last_modified=formatdate(at, usegmt=True) if at and at > 0 else None
            )
    kept = tuple(each for each in found.values() if not each.url.startswith(_NO_REQUEST))
    if len(kept) > MAX_RESOURCES or not all(_asks(each) for each in kept):
        return None
    return kept


def _scripts(node: dict[str, Any]) -> list[dict[str, Any]]:
    own = [each for each in node.get("resources", ()) if each["type"] == "Script"]
    return own + [each for child in node.get("childFrames", ()) for each in _scripts(child)]


def _asks(resource: Validator) -> bool:
    """Whether it can be asked for again: over HTTP, by something, in a header of a decent length."""
    texts = (resource.url, resource.etag or "", resource.last_modified or "")
    return (
        resource.url.startswith(("http://", "https://"))
        and bool(resource.etag or resource.last_modified)
        and all(len(text) <= MAX_TEXT for text in texts)
    )
