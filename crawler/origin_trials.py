"""The origin-trial tokens of a page, as the browser judges them; also when a switch forces the feature on."""

import asyncio
import base64
import json
from datetime import UTC, datetime
from typing import Any

from census.visit import OriginTrial
from crawler.limits import MAX_TEXT, clean
from crawler.sessions import ProtocolError
from crawler.tab import Tab

TIMEOUT = 2.0
MAX_TOKENS = 50
_PAYLOAD_AT = 69
"""A token is a version byte, a signature of 64 bytes, a length of four, and then JSON (measured)."""


async def origin_trials(tab: Tab) -> tuple[OriginTrial, ...]:
    """The top document's WebMCP tokens; none when the browser does not answer in time."""
    try:
        async with asyncio.timeout(TIMEOUT):
            answer = await tab.sessions.page.send("Page.getOriginTrials", {"frameId": tab.tree.top.frame_id})
    except (TimeoutError, ProtocolError):
        return ()
    return webmcp_tokens(answer)


def webmcp_tokens(answer: dict[str, Any]) -> tuple[OriginTrial, ...]:
    """The tokens for WebMCP in an answer of `Page.getOriginTrials`, at most `MAX_TOKENS`.

    A token that the browser's key did not sign (that of another vendor's trial, say) comes without a feature's name,
    so its own text is asked for it.
    """
    found = []
    for trial in answer.get("originTrials", ()):
        for token in trial.get("tokensWithStatus", ()):
            parsed = token.get("parsedToken")
            if parsed is not None:
                # A trial that the browser does not know is named in the token alone.
                feature = parsed.get("trialName") or trial.get("trialName")
                origin, expiry = parsed.get("origin"), parsed.get("expiryTime")
            else:
                payload = _payload(token.get("rawTokenText", ""))
                feature, origin, expiry = payload.get("feature"), payload.get("origin"), payload.get("expiry")
            if "webmcp" in str(feature).lower():
                found.append(
                    OriginTrial(
                        feature=clean(feature, 100)[0],
                        status=token.get("status", ""),
                        origin=clean(origin, MAX_TEXT)[0] or None,
                        expires_at=_moment(expiry),
                    )
                )
    return tuple(found[:MAX_TOKENS])


def _payload(token: str) -> dict[str, Any]:
    try:
        payload = json.loads(base64.b64decode(token[:MAX_TEXT])[_PAYLOAD_AT:])
    except (ValueError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}


def _moment(expiry: object) -> datetime | None:
    if not isinstance(expiry, int | float) or not 0 < expiry < 2**33:
        return None
    return datetime.fromtimestamp(expiry, UTC)
