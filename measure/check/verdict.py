"""Whether a visit answers what its page offers, and if not, why and what to do. Pure."""

from census.tables import BROWSER_VIEW_UNAVAILABLE, api_of, unmeasured
from census.visit import TOP, Document, Visit
from census.vocabulary import Api, Outcome, Settled

_HINTS = {
    Outcome.HTTP_ERROR: "the server answered with an error: open the URL in a browser, or give one that works",
    Outcome.DNS_ERROR: "there is no such host: look for a slip in the URL; for a closed network, --host-resolver-rules",
    Outcome.CONNECT_ERROR: "nothing answers there: is the server running, and is that its port?",
    Outcome.TLS_ERROR: "the certificate is not valid: renew it, or serve a local page over http://localhost",
    Outcome.TIMEOUT: "no document came in time: --navigation-timeout and --visit-deadline allow more",
    Outcome.REDIRECT_LOOP: "the page redirects for ever without cookies: give the URL that it ends at",
    Outcome.TOO_LARGE: "the document is larger than the cap; a page of that size is not read",
    Outcome.NOT_HTML: "what came is no web page: give the URL of the page that registers the tools",
    Outcome.ROBOTS_DISALLOWED: "the site's robots.txt forbids it; for a site of your own, --no-robots",
    Outcome.OPTED_OUT: "the site is on the opt-out list; for a site of your own, --opt-out with a list of your own",
    Outcome.ADDRESS_REFUSED: "for a page on your own machine or network, --allow-private",
    Outcome.PAGE_CRASHED: "the page took its renderer down: look for endless recursion or a flood of memory",
    Outcome.GAVE_UP: "every attempt took the crawler down; please report the page",
    Outcome.BROWSER_FAILED: "the browser failed, not the page: run the command again, or `webmcp-census doctor`",
    Outcome.NETWORK_DOWN: "the network is down on this side: try again when it is up",
    Outcome.SCREENED_OUT: "its source has no sign of WebMCP, so the crawl did not visit it: check its URL alone",
    Outcome.UNCHANGED: "the last release has it, and its server says that nothing has changed: check its URL alone",
}

_HEADERS = {
    "NotAllowedError": "the header `Permissions-Policy: tools=()`, or one like it,",
    "SecurityError": "the header `Origin-Agent-Cluster: ?0`",
}
"""What makes every call reject with an error of that name (measured on 149 to 156)."""

NO_TOOLS = (
    "no tools: WebMCP is there and the page registers nothing without a click, a scroll or a login; call"
    " document.modelContext.registerTool() while the page loads, or give a form a `toolname`"
)
INSECURE = "no API: the page is not a secure context, so it has no WebMCP: serve it over https, or from localhost"
NO_API = "no API: the document has no modelContext although it is a secure context; look at its type and its sandbox"
NEVER_SETTLED = (
    "never settled: the page was still busy when the time was up, and it had registered no tool by then;"
    " --settle-cap allows more, or register before what keeps it busy"
)
_VIEW_UNREAD = "the browser's list of tools could not be followed ({}): run the command again"
_PAGE_UNREAD = "the page did not answer getTools() ({}): look for code that blocks its main thread"


def unanswered(visit: Visit, *, allow_empty: bool = False) -> str | None:
    """Why a visit does not answer the question, and what to do; None when it does.

    With `allow_empty` a page that was read and has no tools is an answer. What could not be read never is.
    """
    if visit.outcome is not Outcome.CAPTURED:
        detail = f" ({visit.outcome_detail})" if visit.outcome_detail else ""
        return f"{visit.outcome.value}{detail}: {_HINTS[visit.outcome]}"
    why = unmeasured(visit)
    top = _top(visit)
    if why == BROWSER_VIEW_UNAVAILABLE:
        return _VIEW_UNREAD.format(visit.browser_view_error or "no answer")
    if why is not None or top is None:
        return _PAGE_UNREAD.format((top.error if top else None) or "no answer")
    if allow_empty or visit.browser_tools or visit.tools_dropped:
        return None
    return _empty(visit, top)


def _empty(visit: Visit, top: Document) -> str:
    api = api_of(top)
    if api is Api.INSECURE:
        return INSECURE
    if api is Api.BLOCKED:
        header = _HEADERS.get(top.error or "", "a header or a policy of an embedder")
        return f"no tools: every call of the API is rejected ({top.error}): {header} blocks it; leave it out"
    names = visit.script_evidence.old_names if visit.script_evidence else ()
    if names:
        return (
            f"no tools: declared, dead in this browser: its scripts use {', '.join(names)};"
            " use document.modelContext.registerTool()"
        )
    if api is not Api.NATIVE:
        return NO_API
    own = sum(len(document.own_list) for document in visit.documents)
    if own:
        return (
            f"no tools: a script puts an object of its own in place of document.modelContext and keeps {own} of them"
            " to itself; leave the native object alone where there is one"
        )
    return NEVER_SETTLED if visit.settled is Settled.DEADLINE else NO_TOOLS


def remarks(visit: Visit) -> list[str]:
    """What a builder should know of a captured page besides lint's findings."""
    if visit.outcome is not Outcome.CAPTURED:
        return []
    found = []
    if visit.tools_dropped:
        found.append(f"{visit.tools_dropped:,} further tools were seen and not kept; none of them was linted")
    if visit.challenge_suspected:
        found.append("this looks like a bot challenge, not like the page itself")
    if visit.login_suspected:
        found.append("this looks like a login: what is behind it was not seen")
    return found


def _top(visit: Visit) -> Document | None:
    return next((document for document in visit.documents if document.frame == TOP), None)
