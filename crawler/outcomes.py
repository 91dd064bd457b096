"""Which outcome an attempt ends in, and whether it is worth another attempt. Pure decisions."""

import re
from dataclasses import dataclass

from census.visit import Visit
from census.vocabulary import Outcome
from crawler.frontier import Fault, Lease

_NET_ERRORS: tuple[tuple[re.Pattern[str], Outcome], ...] = tuple(
    (re.compile(pattern), outcome)
    for pattern, outcome in (
        (r"ERR_(?:NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_\w+|ICANN_NAME_COLLISION)", Outcome.DNS_ERROR),
        (r"ERR_TOO_MANY_REDIRECTS", Outcome.REDIRECT_LOOP),
        (r"ERR_(?:CERT_\w+|SSL_\w+|BAD_SSL_\w+|TLS\w*|ECH_\w+)", Outcome.TLS_ERROR),
        (r"ERR_(?:INTERNET_DISCONNECTED|NETWORK_\w+|PROXY_CONNECTION_FAILED)", Outcome.NETWORK_DOWN),
        (r"ERR_(?:TIMED_OUT|CONNECTION_TIMED_OUT)", Outcome.TIMEOUT),
        (r"ERR_(?:UNSAFE_PORT|DISALLOWED_URL_SCHEME|UNKNOWN_URL_SCHEME|INVALID_URL)", Outcome.CONNECT_ERROR),
        (r"ERR_(?:INSUFFICIENT_RESOURCES|OUT_OF_MEMORY)", Outcome.BROWSER_FAILED),
        # `ERR_FAILED` is what a page's service worker makes of a document that it refuses; a renderer or a network
        # process that is killed under a document gives `ERR_ABORTED` (measured).
        (r"ERR_\w+", Outcome.CONNECT_ERROR),
    )
)  # fmt: skip
BROWSER_GONE = "the browser went away"
TIMED_OUT = "timeout"
"""The error of a document that did not answer in time."""

_NET_ERROR = re.compile(r"net::(ERR_\w+)")

_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_PASSING = frozenset({Outcome.TIMEOUT, Outcome.CONNECT_ERROR, Outcome.PAGE_CRASHED})
_OURS = frozenset({Outcome.BROWSER_FAILED, Outcome.NETWORK_DOWN})
_OURS_ATTEMPTS = 4
_BUSY_STATUS = frozenset({429, 503})
_LONGEST_RETRY_AFTER = 600.0
_HUNG_ATTEMPTS = 3


def outcome_of_error(message: str) -> tuple[Outcome, str]:
    """The outcome and its detail for what the browser said when a navigation failed."""
    found = _NET_ERROR.search(message)
    if found:
        name = found.group(1)
        return next(outcome for pattern, outcome in _NET_ERRORS if pattern.fullmatch(name)), name
    if "Page crashed" in message or "Target crashed" in message:
        return Outcome.PAGE_CRASHED, "renderer crashed while it loaded"
    if "has been closed" in message or "Connection closed" in message:
        return Outcome.BROWSER_FAILED, BROWSER_GONE
    return Outcome.BROWSER_FAILED, message.splitlines()[0][:200] if message else "unknown"


def hung(visit: Visit) -> bool:
    """Whether a document did not answer in time.

    In about one visit of a hundred to a page with frames, `getTools()` hangs for ever in a child frame of an
    honest page (measured on Chromium 156), and on an overloaded machine a top document can be late; a fresh context
    is what helps. A page that hangs by itself hangs again.
    """
    return any(document.error == TIMED_OUT for document in visit.documents)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often an attempt is repeated, and after how many seconds."""

    retries: int = 1
    """Further attempts at what may pass by the site's fault: timeouts, refused connections, 429 and 5xx, a crash."""
    delay: float = 10.0
    """Seconds before the second attempt; doubled for each one after it."""

    def after(self, visit: Visit, lease: Lease) -> float | None:
        """Seconds until the next attempt, or None when this visit is the target's final one.

        Attempts that went down with a crawler, or ended by our fault, take none of a site's, and the other way round.
        """
        attempt = 1 + (lease.ours if fault(visit) is Fault.OURS else lease.failed)
        if hung(visit):
            return 0.0 if attempt < _HUNG_ATTEMPTS else None
        return self.next_attempt_after(visit.outcome, attempt, visit.http_status, _retry_after(visit))

    def next_attempt_after(
        self, outcome: Outcome, attempt: int, http_status: int | None = None, retry_after: float | None = None
    ) -> float | None:
        """Seconds until the next attempt, or None when this outcome is the target's final one.

        `attempt` is the number of this one among those by the same fault, from 1.
        What is ours (`browser_failed`, `network_down`) gets four attempts whatever `retries` says: it tells
        nothing of the page. `retry_after` is the server's own wish, obeyed up to ten minutes.
        """
        passing = outcome in _PASSING or (outcome is Outcome.HTTP_ERROR and http_status in _PASSING_STATUS)
        attempts = _OURS_ATTEMPTS if outcome in _OURS else 1 + self.retries if passing else 1
        if attempt >= attempts:
            return None
        wait = self.delay * 2.0 ** (attempt - 1)
        return max(wait, min(retry_after, _LONGEST_RETRY_AFTER)) if retry_after is not None else wait


def fault(visit: Visit) -> Fault:
    """Whose fault it is when a visit is not the last one of its target."""
    return Fault.OURS if visit.outcome in _OURS else Fault.SITE


def site_rest(visit: Visit) -> float:
    """Seconds for which the server asked to be left alone: `Retry-After` with 429 or 503, up to ten minutes.

    It speaks for the server, so the site's other pages wait as well (RFC 9110, 10.2.3; RFC 6585, 4).
    """
    if visit.outcome is not Outcome.HTTP_ERROR or visit.http_status not in _BUSY_STATUS:
        return 0.0
    return min(_retry_after(visit) or 0.0, _LONGEST_RETRY_AFTER)


def _retry_after(visit: Visit) -> float | None:
    wish = visit.headers.get("retry-after", "")
    return float(wish) if wish.isascii() and wish.isdigit() else None
