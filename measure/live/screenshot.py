"""A picture of what a page shows."""

import asyncio
import base64

from crawler.sessions import ProtocolError
from crawler.tab import Tab

_TIMEOUT = 5.0


async def screenshot(tab: Tab) -> bytes | None:
    """A JPEG of the viewport; None when the browser does not give one in five seconds."""
    try:
        async with asyncio.timeout(_TIMEOUT):
            answer = await tab.sessions.page.send("Page.captureScreenshot", {"format": "jpeg", "quality": 60})
    except (TimeoutError, ProtocolError):
        return None
    return base64.b64decode(answer["data"])
