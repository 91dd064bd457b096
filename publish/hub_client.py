"""What publishing to a Hugging Face hub and looking up on one share: the client, and what its errors come to.

The library wraps what went wrong in errors of several kinds, with the cause inside.
"""

import json
from collections.abc import Iterator

import httpx2
from huggingface_hub import set_client_factory
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils.tqdm import disable_progress_bars

ENDPOINT = "HF_ENDPOINT"
DATASET = "dataset"
HUB_ERRORS = (httpx2.HTTPError, OSError, RuntimeError, ValueError)
"""All that the library raises when a hub refuses, cannot be reached, or says what is no answer of a hub."""
_TIMEOUT, _CONNECT_TIMEOUT = 120.0, 10.0
"""Seconds of silence, of a request and of a connection."""


def prepare() -> None:
    """Have the library give up on a hub that is silent, and draw no bars."""
    disable_progress_bars()
    set_client_factory(_client)


def cause(error: BaseException) -> BaseException:
    """What went wrong, without what the library put around it."""
    return [*_chain(error)][-1] if isinstance(error, RuntimeError) else error


def status(error: BaseException) -> int | None:
    """The hub's answer; None when there was none, 0 when it was never asked."""
    for each in _chain(error):
        if isinstance(each, HfHubHTTPError):
            return each.response.status_code
        # The library reads what a failed request says as JSON, which a proxy's error page is not.
        if isinstance(each, httpx2.TransportError | json.JSONDecodeError):
            return None
    return 0


def without_secret(text: str, secret: str | None) -> str:
    """The text in one line, without the token that the hub was asked with."""
    line = " ".join(text.split())
    return line.replace(secret, "…") if secret else line


def _client() -> httpx2.Client:
    # The library's own client waits for an answer for ever.
    return httpx2.Client(follow_redirects=True, timeout=httpx2.Timeout(_TIMEOUT, connect=_CONNECT_TIMEOUT))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
