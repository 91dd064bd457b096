"""The closed vocabularies of the census: one word for one thing, in code, tables and prose."""

from enum import StrEnum
from typing import Self


class Word(StrEnum):
    """A word of a closed vocabulary, with what it means; tables hold the word, the docs both."""

    _value_: str
    meaning: str

    def __new__(cls, word: str, meaning: str = "") -> Self:
        """Make a word that is its own text, as in any StrEnum. `Outcome("captured")` looks one up."""
        self = str.__new__(cls, word)
        self._value_ = word
        self.meaning = meaning
        return self


class Outcome(Word):
    """How a visit ended: `captured`, or the one reason why not."""

    CAPTURED = "captured", "The page was read."
    HTTP_ERROR = "http_error", "The server answered with a status of 400 or more."
    DNS_ERROR = "dns_error", "The host's name has no address."
    CONNECT_ERROR = "connect_error", "No connection, or one that ended before the page had come."
    TLS_ERROR = "tls_error", "The connection could not be made secure: a bad certificate, no common protocol."
    TIMEOUT = "timeout", "No answer within the time that a visit has."
    REDIRECT_LOOP = "redirect_loop", "Redirects without end."
    TOO_LARGE = "too_large", "A body or a page over the stated limits."
    NOT_HTML = "not_html", "A download, an image, a PDF: no page."
    ROBOTS_DISALLOWED = "robots_disallowed", "robots.txt disallows the page, or could not be had from a failing server."
    OPTED_OUT = "opted_out", "The site asked to be left out; it was not visited, or is no longer published."
    ADDRESS_REFUSED = "address_refused", "A private, loopback or link-local address, perhaps behind a redirect."
    PAGE_CRASHED = "page_crashed", "The page took its renderer down."
    GAVE_UP = "gave_up", "Ours: every attempt took its crawler down."
    BROWSER_FAILED = "browser_failed", "Ours: the browser failed, not the page."
    NETWORK_DOWN = "network_down", "Ours: the control host did not answer either."
    SCREENED_OUT = (
        "screened_out",
        "Not visited: its source has no sign of WebMCP, and the sample of such pages is without it.",
    )
    UNCHANGED = "unchanged", "Not visited: not modified since the last release, whose rows `build` takes. In no table."


class Pass(Word):
    """Which kind of visit: the main one changes nothing in the page, the others are observations beside it."""

    MAIN = "main", "The page as it is."
    LEGACY = (
        "legacy",
        "Names of the API that are gone stand for the native object: shows tools that are declared, but dead.",
    )
    AUDIT = "audit", "A random sample again, with the full browser instead of the shell."
    INNER = "inner", "A page that is on no list: a same-site link, or route, of a page with signs of WebMCP."


class Screen(Word):
    """What the screen over plain HTTP made of a target, where a crawl had one."""

    EVIDENCE = "evidence", "Its source has a sign of WebMCP: visited."
    UNREAD = "unread", "It, or a script of its own site, could not be read: visited."
    NONE_SAMPLED = "none_sampled", "No sign, and drawn into the random sample: visited."
    NONE_NOT_VISITED = "none_not_visited", "No sign, and not drawn: not visited."


OURS = frozenset({Outcome.BROWSER_FAILED, Outcome.NETWORK_DOWN, Outcome.GAVE_UP})
"""Outcomes that say something about the crawl and nothing about the page."""


class LoadEvent(Word):
    """Whether the top document's load event fired before the reading."""

    FIRED = "fired", "It fired before the reading."
    NEVER = "never", "It had not fired when the page was read."


class Settled(Word):
    """Whether the page held still by the settling rule, or was read at the hard cap."""

    YES = "yes", "The page held still."
    DEADLINE = "deadline", "It never did and was read at the hard cap."


class PageView(Word):
    """Whether a document answered `getTools()`: what could not be read is never an empty list."""

    READ = "read", "It answered with its list."
    NO_API = "no_api", "There is no `modelContext` in it."
    FAILED = "failed", "It rejected, or did not answer in time."


class BrowserView(Word):
    """Whether the browser's `WebMCP` DevTools domain was followed through the whole visit."""

    READ = "read", "It was followed from before the first document to the reading."
    UNAVAILABLE = "unavailable", "It was not, so what an agent could call is not known."


class Api(Word):
    """What the top document offers in an untouched (isolated) world."""

    NATIVE = "native", "`document.modelContext` is there and answers."
    NONE = "none", "No object, in a secure context."
    INSECURE = "insecure", "No object, because the context is not secure."
    BLOCKED = "blocked", "The object is there and every call is rejected: a policy, or `Origin-Agent-Cluster: ?0`."


class Kind(Word):
    """How a tool came to be."""

    SCRIPT = "script", "A script's `registerTool()`."
    FORM = "form", "A `<form toolname>`."


class Listing(Word):
    """How a page can learn of a callable tool. All but `listed` are *unlisted callable*."""

    LISTED = "listed", "The top document's `getTools()` has it."
    ON_REQUEST = "on_request", "The top document gets it only by naming the frame's origin in `fromOrigins`."
    OWN_DOCUMENT = "own_document", "Only the list of the frame that registered it has it."
    NOWHERE = "nowhere", "No document's list has it, and the browser offers it all the same."


class Relation(Word):
    """A document's origin seen from the top document's."""

    TOP = "top", "The page's own document."
    SAME_ORIGIN = "same_origin", "The same origin."
    SAME_SITE = "same_site", "Another origin of the same registrable domain and scheme."
    CROSS_SITE = "cross_site", "Another site."
    OPAQUE = "opaque", "An origin of its own: sandboxed, `data:`."


class ToolsPolicy(Word):
    """The `tools` Permissions Policy in force in a document."""

    ALLOWED = "allowed", "Tools may be registered."
    BLOCKED = "blocked", "They may not."
