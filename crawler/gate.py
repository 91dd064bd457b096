"""What a visit may ask for and what it reads: decided for every top document, redirects included."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from census.vocabulary import Outcome

AskUrl = Callable[[str], Awaitable["Refusal | None"]]

_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a document is not asked for, or not read: the visit's outcome."""

    outcome: Outcome
    detail: str


class Gate:
    """Asks each of its guards about a URL before it is requested; the first refusal stands."""

    def __init__(self, *guards: AskUrl, explain: Callable[[str], Refusal | None] = lambda host: None) -> None:
        self._guards = guards
        self._explain = explain
        self._asked = ""

    def why_unreachable(self) -> Refusal | None:
        """Why the last URL could not be reached, where the address proxy knows better than the browser."""
        return self._explain(urlsplit(self._asked).hostname or "")

    async def before_request(self, url: str) -> Refusal | None:
        """Whether the top document's URL, first or after a redirect, may be asked for."""
        self._asked = url
        for guard in self._guards:
            refusal = await guard(url)
            if refusal is not None:
                return refusal
        return None

    def after_response(self, status: int, headers: dict[str, str], max_body: int) -> Refusal | None:
        """Whether the answer is a document to read. An error page is one: it ends as `http_error` later."""
        if status in (204, 205):
            return Refusal(Outcome.NOT_HTML, f"status {status}, no content")
        if status >= 400:
            return None
        length = headers.get("content-length", "")
        if length.isascii() and length.isdigit() and int(length) > max_body:
            return Refusal(Outcome.TOO_LARGE, f"{length} bytes announced, over {max_body}")
        if is_attachment(headers):
            return Refusal(Outcome.NOT_HTML, "a download")
        kind = headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if not is_html(kind):
            return Refusal(Outcome.NOT_HTML, kind[:200] or "no content type")
        return None


def is_html(content_type: str) -> bool:
    """Whether a content type is that of a page that can have tools."""
    return content_type in _HTML


def is_attachment(headers: dict[str, str]) -> bool:
    """Whether the answer is a download by its own word (RFC 6266)."""
    return headers.get("content-disposition", "").strip().lower().startswith("attachment")
