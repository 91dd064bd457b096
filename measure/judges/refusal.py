"""What an endpoint's status says of the request, the key and the endpoint; and what no answer says."""

from collections.abc import Mapping
from time import time

import httpx2

from measure.judges.attempts import PassingFault, retry_after
from measure.judges.budget import UNSENT
from measure.judges.judge import Cause, JudgeFault

_QUOTA = "insufficient_quota"
_QUOTED = 300


def refusal(status: int, headers: Mapping[str, str], message: str, key: str | None) -> JudgeFault:
    """Make the fault of an answer with a status of 400 or more (RFC 9110, section 15; 529 is Anthropic's "overloaded").

    What the endpoint said is quoted, except where it may repeat the key. A refused request costs nothing.
    """
    if status in (401, 403):
        said = f"the endpoint refused the key (HTTP {status}): check the key in the environment"
        return JudgeFault(Cause.BAD_KEY, said, UNSENT)
    said = f"HTTP {status}: {without_key(message, key)[:_QUOTED]}"
    if status == 429 and _QUOTA in message:
        return JudgeFault(Cause.RATE_LIMITED, f"the account has nothing left to spend ({said})", UNSENT)
    after = retry_after(headers.get("retry-after"), time())
    if status == 429:
        said = f"too many requests ({said}): ask fewer at once, or later"
        return PassingFault(Cause.RATE_LIMITED, said, UNSENT, after=after)
    if status in (408, 409) or status >= 500:
        return PassingFault(Cause.UNAVAILABLE, f"the endpoint failed ({said}): try later", UNSENT, after=after)
    said = f"the endpoint refused the request ({said}): check the model's name and the settings"
    return JudgeFault(Cause.REFUSED_REQUEST, said, UNSENT)


def unreached(base_url: str, error: Exception) -> JudgeFault:
    """Make the fault of no answer. What broke off after the connection stood may be charged for, so it is not free."""
    cause = error.__cause__
    unsent = UNSENT if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout) else None
    why = type(cause or error).__name__
    return PassingFault(Cause.UNAVAILABLE, f"no answer from {base_url} ({why}): is it running?", unsent)


def without_key(text: str, key: str | None) -> str:
    """Take the key out of what an endpoint said."""
    return text.replace(key, "[key]") if key else text
