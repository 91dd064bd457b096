"""Rows of the table `tools`: what either view, or the page's own list, has of a tool."""

from census.canonical_json import canonical_json
from census.listing import Decision, ListingCause, ToolKey
from census.visit import BrowserTool, PageTool, Visit
from census.vocabulary import BrowserView

Row = dict[str, object]


def tool_rows(visit: Visit, decisions: dict[ToolKey, Decision]) -> list[Row]:
    """List a visit's tools: each of the browser view, and each that only a page view or the page's own object has.

    An item whose frame was not recognised belongs to no document of the visit and makes no row.
    """
    if not visit.browser_tools and not any(each.tools or each.on_request or each.own_list for each in visit.documents):
        return []
    items: dict[ToolKey, PageTool] = {}
    for document in visit.documents:
        for item in (*document.tools, *document.on_request):
            if item.frame is not None:
                items.setdefault((item.frame, item.name), item)
    rows = {
        (tool.frame, tool.name): _callable_tool(
            visit, tool, items.get((tool.frame, tool.name)), decisions[tool.frame, tool.name]
        )
        for tool in visit.browser_tools
    }
    for key, item in items.items():
        if key not in rows:
            rows[key] = _page_only_tool(visit, key, item, *_why_page_only(visit))
    for document in visit.documents:
        for item in document.own_list:
            key = (document.frame, item.name)
            if key not in rows:
                is_callable, cause = _why_page_only(visit)
                cause = ListingCause.LIBRARY_ONLY if is_callable is False else cause
                rows[key] = _page_only_tool(visit, key, item, is_callable, cause)
    position = {document.frame: index for index, document in enumerate(visit.documents)}
    return [rows[key] for key in sorted(rows, key=lambda key: (position.get(key[0], len(position)), *key))]


def _callable_tool(visit: Visit, tool: BrowserTool, item: PageTool | None, decision: Decision) -> Row:
    # The browser view leaves out a schema written in Latin-1 (measured on 156); the page view has it.
    fallback = item if tool.input_schema is None else None
    return {
        "visit_id": visit.visit_id,
        "frame": tool.frame,
        "name": tool.name,
        "title": item.title if item else None,
        "description": tool.description,
        "input_schema": canonical_json(fallback.input_schema if fallback else tool.input_schema),
        "annotations": canonical_json(tool.annotations),
        "kind": tool.kind,
        "registered_by": tool.registered_by,
        "first_seen_ms": tool.first_seen_ms,
        "callable": True,
        "listing": decision.listing,
        "listing_cause": decision.cause,
        "cut": tool.cut or (fallback is not None and fallback.cut),
    }


def _page_only_tool(visit: Visit, key: ToolKey, item: PageTool, is_callable: bool | None, cause: ListingCause) -> Row:
    return {
        "visit_id": visit.visit_id,
        "frame": key[0],
        "name": key[1],
        "title": item.title,
        "description": item.description,
        "input_schema": canonical_json(item.input_schema),
        "annotations": canonical_json(item.annotations),
        "kind": None,
        "registered_by": None,
        "first_seen_ms": None,
        "callable": is_callable,
        "listing": None,
        "listing_cause": cause,
        "cut": item.cut,
    }


def _why_page_only(visit: Visit) -> tuple[bool | None, ListingCause]:
    """Whether a tool that the browser view lacks is callable: only a whole and stable view says no."""
    if visit.browser_view is not BrowserView.READ:
        return None, ListingCause.VIEW_UNAVAILABLE
    if visit.views_stable is not True:
        return None, ListingCause.VIEWS_NOT_STABLE
    if visit.tools_dropped:
        return None, ListingCause.VIEW_CUT
    return False, ListingCause.NOT_IN_BROWSER_VIEW
