"""Rules on what lets a visited page have tools at all: secure context, policies, origin-trial tokens."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from census.finding import Severity
from census.vocabulary import Api, Relation
from measure.lint.analysis import Analysis
from measure.lint.examples import VISITED, tool, visited
from measure.lint.manifest import DocumentFacts, Manifest, PageFacts, TokenFacts
from measure.lint.rule import Hit, Rule
from measure.lint.text import quoted

_BLOCKED_BY = {
    "NotAllowedError": (
        "a `Permissions-Policy` header forbids `tools`",
        "Take `tools=()` out of the page's `Permissions-Policy` header, or write `tools=(self)`.",
    ),
    "SecurityError": (
        "the page shares its agent cluster with its site (`Origin-Agent-Cluster: ?0`, or `document.domain` in use)",
        "Drop the header `Origin-Agent-Cluster: ?0` and code that sets `document.domain`.",
    ),
}


def _facts(analysis: Analysis) -> Iterator[PageFacts]:
    if analysis.page is not None:
        yield analysis.page


def _insecure(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.api is Api.INSECURE:
            yield Hit(
                None,
                (),
                f"{quoted(page.url)} is no secure context, so it has no WebMCP at all.",
                "Serve it over https; `http://localhost` and `http://127.0.0.1` are secure while you develop.",
            )


def _blocked(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.api is Api.BLOCKED:
            why, remedy = _BLOCKED_BY.get(
                page.error or "", ("for a reason that is not known", "Look at the error in the page's console.")
            )
            yield Hit(None, (), f"Every call of the API is rejected ({page.error}): {why}.", remedy)


def _meant_to_have_tools(frame: DocumentFacts) -> bool:
    """Whether a frame's `allow` gives it `tools`, or leaves it what a frame of the page's own origin has."""
    directives = [directive.split() for directive in (frame.allow or "").split(";")]
    given = next((each[1:] for each in directives if each and each[0] == "tools"), None)
    return frame.relation is Relation.SAME_ORIGIN if given is None else "'none'" not in given


def _frame_blocked(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        for frame in page.documents:
            if frame.error in _BLOCKED_BY and _meant_to_have_tools(frame) and page.api is not Api.BLOCKED:
                yield Hit(
                    None,
                    (),
                    f"The frame {frame.frame} ({quoted(frame.url)}) cannot have tools: {frame.error}.",
                    f"Allow `tools` for {frame.origin} in the page's `Permissions-Policy`, in the frame's `allow` and"
                    " in the frame's own header; if it is meant to have none, this is no fault.",
                )


def _token_hits(analysis: Analysis, status: str, says: str, remedy: str) -> Iterator[Hit]:
    for page in _facts(analysis):
        if any(token.status == "Success" for token in page.tokens):
            continue
        for token in page.tokens:
            if token.status == status and not (status == "WrongOrigin" and _on_this_machine(page.url)):
                day = f" ({token.expires_at:%Y-%m-%d})" if token.expires_at and status == "Expired" else ""
                origin = f" {quoted(token.origin)}" if token.origin else " another origin"
                yield Hit(None, (), says.format(day=day, origin=origin, url=quoted(page.url)), remedy)
                return


def _on_this_machine(url: str) -> bool:
    """Whether a page is looked at where it is made: no token is for such an origin, and none is needed."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.endswith((".localhost", ".test")) or host.startswith("127.")


def _expired(analysis: Analysis) -> Iterator[Hit]:
    return _token_hits(
        analysis,
        "Expired",
        "The page's origin-trial token for WebMCP has expired{day}, so visitors without a switch have no WebMCP there.",
        "Register the origin for the trial again, if it still runs, and replace the token; else take it out.",
    )


def _wrong_origin(analysis: Analysis) -> Iterator[Hit]:
    return _token_hits(
        analysis,
        "WrongOrigin",
        "The page's origin-trial token for WebMCP is for{origin} and not for {url}.",
        "Register this origin, scheme and port included, or tick “match all subdomains” when registering the domain.",
    )


def _invalid_token(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        statuses = {token.status for token in page.tokens}
        if statuses and not statuses & {"Success", "Expired", "WrongOrigin"}:
            yield Hit(
                None,
                (),
                f"This browser does not take the page's origin-trial token for WebMCP: {', '.join(sorted(statuses))}.",
                "Copy the token again in one piece; each browser's trial has tokens of its own.",
            )


def _page(**facts: Any) -> Manifest:
    return visited(tool("pay_order", "Pays the open order. Use when the user wants to finish it."), **facts)


def _frame(allow: str | None) -> DocumentFacts:
    return DocumentFacts(
        "top.0", "https://widget.example/", "https://widget.example", Relation.CROSS_SITE, allow, "NotAllowedError"
    )


def _tokens(*statuses: str) -> tuple[TokenFacts, ...]:
    return tuple(TokenFacts(status, "https://shop.example", VISITED) for status in statuses)


RULES = (
    Rule(
        "page/insecure",
        Severity.ERROR,
        "Without a secure context there is no WebMCP.",
        "WebMCP, the Document interface: SecureContext. Measured on Chromium 156.",
        "Serve the page over https.",
        fires=_page(url="http://shop.example/", api=Api.INSECURE),
        silent=_page(url="http://shop.example/", api=Api.NONE),
        check=_insecure,
    ),
    Rule(
        "page/blocked",
        Severity.ERROR,
        "The API is there and rejects every call: a script that only looks for it believes that it works.",
        "WebMCP, the policy-controlled feature `tools`. Measured on Chromium 156: NotAllowedError under"
        " `Permissions-Policy: tools=()`, SecurityError under `Origin-Agent-Cluster: ?0`.",
        "Allow `tools`, and keep origin-keyed agent clusters.",
        fires=_page(api=Api.BLOCKED, error="NotAllowedError"),
        silent=_page(api=Api.NATIVE),
        check=_blocked,
    ),
    Rule(
        "page/frame-blocked",
        Severity.NOTE,
        "A frame that seems meant to have tools may not register any.",
        "Measured on Chromium 156: a frame of another origin needs `allow=tools`, and the page's own policy must not"
        " exclude it. Frames of other origins that were given no `tools` are no finding.",
        "Allow `tools` for the frame in all three places.",
        fires=_page(documents=(_frame("tools; camera"),)),
        silent=_page(documents=(_frame("camera"),)),
        check=_frame_blocked,
    ),
    Rule(
        "page/token-expired",
        Severity.ERROR,
        "Without a valid token a visitor's browser offers no WebMCP on this page.",
        "Chrome origin trials; judged by the browser itself, also when a switch forces the feature on.",
        "Replace the token.",
        fires=_page(tokens=_tokens("Expired")),
        silent=_page(tokens=_tokens("Expired", "Success")),
        check=_expired,
    ),
    Rule(
        "page/token-wrong-origin",
        Severity.ERROR,
        "A token counts for the origin it was registered for, and for no other.",
        "Chrome origin trials; judged by the browser itself. Pages on a loopback address are no finding.",
        "Register this origin.",
        fires=_page(tokens=_tokens("WrongOrigin")),
        silent=_page(tokens=_tokens("Success")),
        check=_wrong_origin,
    ),
    Rule(
        "page/token-invalid",
        Severity.WARNING,
        "The browser cannot read the token, or another vendor signed it.",
        "Chrome origin trials: InvalidSignature, WrongVersion, UnknownTrial and the like.",
        "Copy the token again.",
        fires=_page(tokens=_tokens("InvalidSignature")),
        silent=_page(tokens=_tokens("InvalidSignature", "Success")),
        check=_invalid_token,
    ),
)
