"""What the rules read: the tools of one page as an agent would be shown them, and what a visit says of the page."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from census.vocabulary import Api, Kind, Listing, Relation, Settled


@dataclass(frozen=True, slots=True)
class ManifestTool:
    """A tool of a page or of a manifest file. What a source does not say is None, never a guess."""

    name: str
    description: str
    title: str = ""
    input_schema: JsonValue = None
    annotations: Mapping[str, JsonValue] | None = None
    """Hints by the name they were given under: `readOnlyHint` in a file or a page's list, `readOnly` in the
    browser's. Values of a file stand as they are, so that a rule can say what a browser makes of them."""
    kind: Kind | None = None
    frame: str | None = None
    callable: bool | None = True
    listing: Listing | None = None
    listing_cause: str | None = None
    first_seen_ms: int | None = None
    """Milliseconds from the commit of the top document to the first sign of the tool."""


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """A document of the visit: what decides whether its tools may be registered."""

    frame: str
    url: str
    origin: str
    relation: Relation
    allow: str | None
    error: str | None
    """The name of the error with which every call rejects; None when `getTools()` answered."""


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """A WebMCP origin-trial token, as the browser judges it."""

    status: str
    origin: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a visit says of the page, apart from its tools."""

    visit_id: str
    url: str
    visited_at: datetime
    build: str | None = None
    api: Api | None = None
    error: str | None = None
    """The error with which the top document's calls reject, when `api` is `blocked`."""
    old_api: tuple[str, ...] = ()
    polyfill: str | None = None
    tokens: tuple[TokenFacts, ...] = ()
    documents: tuple[DocumentFacts, ...] = ()
    """Child documents, in the order of the frame tree."""
    settled: Settled | None = None
    settle_ms: int | None = None
    views_stable: bool | None = None
    navigated_during_read: int = 0
    tools_dropped: int = 0
    dialogs: int = 0
    popups: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """The tools of one page state, in the order of their source; `page` is None for a manifest file."""

    source: str
    tools: tuple[ManifestTool, ...]
    page: PageFacts | None = None
