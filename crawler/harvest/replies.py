"""Tells an answer from a refusal, and says a failure in words."""

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.http import Response, TextResponse

_BLOCKED = frozenset({202, 401, 403, 405, 429, 503})

_FAILURES: tuple[tuple[type[BaseException], str], ...] = (
    (DownloadTimeoutError, "no answer in time"),
    (CannotResolveHostError, "the host name does not resolve"),
    (DownloadConnectionRefusedError, "the connection was refused"),
    (ResponseDataLossError, "the connection broke off in the middle of the answer"),
    (DownloadFailedError, "the connection broke off"),
    (DownloadCancelledError, "the answer is too large"),
)


def refusal(status: int, empty: bool) -> str | None:
    """Why a reply with this status is no page, or None for 200."""
    if status == 200:
        return "an empty body" if empty else None
    if status == 202:
        return f"status 202 {'with an empty body' if empty else ''}: a waiting page, not the page".replace("  ", " ")
    if status in _BLOCKED:
        return f"status {status}: the server blocks this client or asks it to slow down"
    return f"status {status}"


def is_block(status: int) -> bool:
    """Whether a reply that is no page says to stop asking (a waiting page may have status 200)."""
    return status in _BLOCKED or status == 200


def failure_in_words(error: BaseException | None) -> str:
    """Why a request had no reply at all."""
    if isinstance(error, IgnoreRequest):
        return f"not asked: {error}"
    for kind, words in _FAILURES:
        if isinstance(error, kind):
            return words
    return f"{type(error).__name__}: {error}"


def text_of(response: Response) -> str:
    """Return the text of a reply; empty for an image or another binary body."""
    return response.text if isinstance(response, TextResponse) else ""


def asked_url(response: Response) -> str:
    """Name the URL that was asked for, with the one that answered when it is another."""
    asked = response.meta.get("redirect_urls", [response.url])[0]
    return str(asked) if asked == response.url else f"{asked} (answered by {response.url})"
