"""How a page can learn of a callable tool: decided here, from one visit's documents and views."""

from typing import NamedTuple

from census.visit import TOP, BrowserTool, Document, PageTool, Visit
from census.vocabulary import Listing, PageView, Relation, Word

ToolKey = tuple[str, str]
"""(frame, name): one name in two frames is two tools, never one."""


class ListingCause(Word):
    """Why a callable tool is not `listed`, or why its listing is not known."""

    NEEDS_FROM_ORIGINS = (
        "needs_from_origins",
        "`on_request`: exposed to the host, which has to name the frame's origin in `fromOrigins`.",
    )
    NOT_EXPOSED_TO_HOST = (
        "not_exposed_to_host",
        "`own_document`: registered in a frame of another origin and not exposed to the host.",
    )
    OPAQUE_ORIGIN = "opaque_origin", "`own_document`: the frame's origin is `null`, which `fromOrigins` cannot name."
    SCHEMA_NOT_AN_OBJECT = "schema_not_an_object", "`nowhere`: the browser view has the tool without an input schema."
    UNEXPLAINED = "unexplained", "Unlisted, and none of the known causes fits."
    VIEWS_NOT_STABLE = (
        "views_not_stable",
        "Not known: the browser view changed between its two readings, every time.",
    )
    VIEW_UNAVAILABLE = "view_unavailable", "Not known: a view that would tell could not be read."
    VIEW_CUT = "view_cut", "Not known: the page has more tools than the stated number, so its lists are not whole."
    FRAME_UNKNOWN = "frame_unknown", "Not known: a list has the name, in an item whose frame was not recognised."
    LIBRARY_ONLY = "library_only", "No listing, because not callable: only an object of the page's own has the tool."
    NOT_IN_BROWSER_VIEW = (
        "not_in_browser_view",
        "No listing, because not callable: a document lists the tool and the browser does not offer it.",
    )


class Decision(NamedTuple):
    """A tool's listing, and the cause; `Decision(LISTED, None)` is the only one without a cause."""

    listing: Listing | None
    cause: ListingCause | None


def listings(visit: Visit) -> dict[ToolKey, Decision]:
    """Decide the listing of each callable tool of a visit; it is None where the views do not tell."""
    if not visit.browser_tools:
        return {}
    views = _Views(visit)
    return {(tool.frame, tool.name): _decide(visit, views, tool) for tool in visit.browser_tools}


class _Views:
    """The page views that were read, as sets: a page can have thousands of tools."""

    def __init__(self, visit: Visit) -> None:
        self.documents = {document.frame: document for document in visit.documents}
        self._lists = {
            document.frame: _keys(document.tools) for document in visit.documents if document.page_view is PageView.READ
        }
        top = self.documents.get(TOP)
        self.requested = _keys(top.on_request) if top else set()

    def of(self, frame: str) -> set[tuple[str | None, str]] | None:
        """Give what a document's `getTools()` has; None when it could not be read."""
        return self._lists.get(frame)


def _keys(items: tuple[PageTool, ...]) -> set[tuple[str | None, str]]:
    return {(item.frame, item.name) for item in items}


def _decide(visit: Visit, views: _Views, tool: BrowserTool) -> Decision:
    key, unrecognised = (tool.frame, tool.name), (None, tool.name)
    host = views.of(TOP)
    own = views.of(tool.frame)
    if visit.views_stable is False:
        return Decision(None, ListingCause.VIEWS_NOT_STABLE)
    if visit.views_stable is None or host is None:
        return Decision(None, ListingCause.VIEW_UNAVAILABLE)
    if key in host:
        return Decision(Listing.LISTED, None)
    if key in views.requested:
        return Decision(Listing.ON_REQUEST, ListingCause.NEEDS_FROM_ORIGINS)
    if any(unrecognised in keys for keys in (host, views.requested, own or ())):
        return Decision(None, ListingCause.FRAME_UNKNOWN)
    if visit.tools_dropped:
        return Decision(None, ListingCause.VIEW_CUT)
    if own is None:
        return Decision(None, ListingCause.VIEW_UNAVAILABLE)
    if key in own:
        return Decision(Listing.OWN_DOCUMENT, _why_own_document(views.documents[tool.frame]))
    return Decision(Listing.NOWHERE, _why_nowhere(tool))


def _why_own_document(own: Document) -> ListingCause:
    if own.origin == "null":
        return ListingCause.OPAQUE_ORIGIN
    if own.relation in (Relation.SAME_SITE, Relation.CROSS_SITE):
        return ListingCause.NOT_EXPOSED_TO_HOST
    return ListingCause.UNEXPLAINED


def _why_nowhere(tool: BrowserTool) -> ListingCause:
    if tool.input_schema is None:
        return ListingCause.SCHEMA_NOT_AN_OBJECT
    return ListingCause.UNEXPLAINED
