"""The state of a page as somebody who knows the page asks for it: its address, its text, what selectors find."""

import asyncio
from collections.abc import Sequence
from importlib.resources import files

from pydantic import JsonValue

from crawler.limits import MAX_TEXT
from crawler.reading import call_isolated
from crawler.sessions import ProtocolError
from crawler.tab import Tab

_PAGE_STATE = files("measure.live").joinpath("page_state.js").read_text()
_TIMEOUT = 6.0


async def page_state(tab: Tab, selectors: Sequence[str]) -> JsonValue:
    """`{url, text, elements: {selector: {count, text}}}` of the top document; None when it does not answer.

    `text` of an element is the first one's, or what it holds when it is a field. A selector that is none gives
    `{error}`.
    """
    limits = {"selectors": list(selectors), "text": MAX_TEXT}
    try:
        state: JsonValue = await asyncio.wait_for(call_isolated(tab.tree.top, _PAGE_STATE, limits), _TIMEOUT)
    except (TimeoutError, ProtocolError):
        return None
    return state
