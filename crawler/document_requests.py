"""The requests for a tab's documents: each is held, with its answer, until the gate has decided about it."""

from typing import TYPE_CHECKING

from census.vocabulary import Outcome
from crawler.document_headers import deciding_headers
from crawler.gate import Refusal, is_attachment
from crawler.sessions import Params, ProtocolError, Session

if TYPE_CHECKING:
    from crawler.tab import Tab

DOCUMENTS = [
    {"resourceType": "Document", "requestStage": "Request"},
    {"resourceType": "Document", "requestStage": "Response"},
]
"""What `Fetch.enable` is to hold."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SMALL_DOCUMENT = 8_192
_KEEPS_THE_PAGE = frozenset({Outcome.NOT_HTML, Outcome.TOO_LARGE})


class DocumentRequests:
    """Decides about what `Fetch.requestPaused` holds in one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.judged = False
        """Whether the response of the document that comes next was seen and found worth reading."""

    async def decide(self, session: Session, params: Params) -> None:
        """Decide about a document: whether it may be asked for, and whether its answer is one to read."""
        tab = self._tab
        request = params["requestId"]
        refusal = await self._judge_safely(params) if tab.is_top(params.get("frameId")) else None
        try:
            if refusal is None:
                # With interception on, every request of the page that comes takes a way round through the browser's
                # own process, a fifth of what the visit costs (measured); so it is off until the load event. A small
                # document loads little, and is what redirects by script are made of: there it stays on.
                if self.judged and not self._is_small():
                    await session.send("Fetch.disable")
                else:
                    await session.send("Fetch.continueRequest", {"requestId": request})
                return
            if tab.committed_at is not None and refusal.outcome in _KEEPS_THE_PAGE:
                # An image, say, that the page sends itself to: what it was is still what is measured.
                tab.note("refused", f"{refusal.outcome}: {refusal.detail}")
            else:
                tab.refuse(refusal)
            await session.send("Fetch.failRequest", {"requestId": request, "errorReason": "Aborted"})
        except ProtocolError:
            # The request was cancelled meanwhile by the page itself; there is nothing left to decide.
            return

    async def ask_afterwards(self, url: str) -> None:
        """The guards' question for a document that the page led to before its load event, when nobody was asked."""
        refusal = await self._tab.gate.before_request(url)
        if refusal is not None:
            self._tab.refuse(refusal)

    def _is_small(self) -> bool:
        length = self._tab.headers.get("content-length", "")
        return length.isascii() and length.isdigit() and int(length) <= _SMALL_DOCUMENT

    async def _judge_safely(self, params: Params) -> Refusal | None:
        try:
            return await self._judge(params)
        except Exception as error:  # noqa: BLE001 -- a fault of ours must not look like a page that never answers
            return Refusal(Outcome.BROWSER_FAILED, f"guard: {type(error).__name__}: {error}")

    async def _judge(self, params: Params) -> Refusal | None:
        tab = self._tab
        status = params.get("responseStatusCode")
        if status is None and "responseErrorReason" not in params:
            return await tab.gate.before_request(params["request"]["url"])
        if status is None:
            return None
        headers = deciding_headers(params.get("responseHeaders") or [])
        if status in _REDIRECTS and "location" in headers:
            tab.redirected()
            return None
        if tab.committed_at is not None and is_attachment(headers):
            # A download that the page starts: the context blocks it and the page stays where it is.
            return None
        refusal = tab.gate.after_response(status, headers, tab.settings.max_body)
        if tab.committed_at is None or refusal is None:
            tab.http_status, tab.headers = status, headers
        self.judged = refusal is None
        return refusal
