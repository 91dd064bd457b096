"""The closed vocabularies of the census: one word for one thing, in code, tables and prose."""

from enum import StrEnum


class Outcome(StrEnum):
    """How a visit ended: `captured`, or the one reason why not."""

    CAPTURED = "captured"
    HTTP_ERROR = "http_error"
    DNS_ERROR = "dns_error"
    CONNECT_ERROR = "connect_error"
    TLS_ERROR = "tls_error"
    TIMEOUT = "timeout"
    REDIRECT_LOOP = "redirect_loop"
    TOO_LARGE = "too_large"
    NOT_HTML = "not_html"
    ROBOTS_DISALLOWED = "robots_disallowed"
    OPTED_OUT = "opted_out"
    ADDRESS_REFUSED = "address_refused"
    PAGE_CRASHED = "page_crashed"
    GAVE_UP = "gave_up"
    BROWSER_FAILED = "browser_failed"
    NETWORK_DOWN = "network_down"


class Pass(StrEnum):
    """Which kind of visit: the main one changes nothing in the page, the others are observations beside it.

    `legacy`: names of the API that are gone stand for the native object, so that tools which are declared but dead
    in this browser show. `audit`: a random sample again, with the full browser instead of the shell.
    """

    MAIN = "main"
    LEGACY = "legacy"
    AUDIT = "audit"


OURS = frozenset({Outcome.BROWSER_FAILED, Outcome.NETWORK_DOWN, Outcome.GAVE_UP})
"""Outcomes that say something about the crawl and nothing about the page."""


class LoadEvent(StrEnum):
    """Whether the top document's load event fired before the reading."""

    FIRED = "fired"
    NEVER = "never"


class Settled(StrEnum):
    """Whether the page held still by the settling rule, or was read at the hard cap."""

    YES = "yes"
    DEADLINE = "deadline"


class PageView(StrEnum):
    """Whether a document answered `getTools()`: what could not be read is never an empty list."""

    READ = "read"
    NO_API = "no_api"
    FAILED = "failed"


class BrowserView(StrEnum):
    """Whether the browser's `WebMCP` DevTools domain was followed through the whole visit."""

    READ = "read"
    UNAVAILABLE = "unavailable"


class Api(StrEnum):
    """What the top document offers in an untouched (isolated) world.

    `native`: the object is there and answers; `blocked`: it is there and every call rejects (policy,
    `Origin-Agent-Cluster: ?0`); `insecure`: no object because the context is not secure; `none`: no object.
    """

    NATIVE = "native"
    NONE = "none"
    INSECURE = "insecure"
    BLOCKED = "blocked"


class Kind(StrEnum):
    """How a tool came to be: a script's `registerTool()` or a `<form toolname>`."""

    SCRIPT = "script"
    FORM = "form"


class Listing(StrEnum):
    """How a page can learn of a callable tool. All but `listed` are *unlisted callable*."""

    LISTED = "listed"
    ON_REQUEST = "on_request"
    OWN_DOCUMENT = "own_document"
    NOWHERE = "nowhere"


class Relation(StrEnum):
    """A document's origin seen from the top document's."""

    TOP = "top"
    SAME_ORIGIN = "same_origin"
    SAME_SITE = "same_site"
    CROSS_SITE = "cross_site"
    OPAQUE = "opaque"


class ToolsPolicy(StrEnum):
    """The `tools` Permissions Policy in force in a document."""

    ALLOWED = "allowed"
    BLOCKED = "blocked"
