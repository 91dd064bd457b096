"""The manifest of a visited page: the rows of the census's own tables, so that lint and census never disagree."""

import json
from typing import Any

from census.listing import listings
from census.tables import page_row
from census.tool_rows import tool_rows
from census.visit import TOP, Visit
from census.vocabulary import Api, Kind, Listing
from measure.lint.manifest import DocumentFacts, Manifest, ManifestTool, PageFacts, TokenFacts

_Row = dict[str, Any]


def manifest_of_visit(visit: Visit) -> Manifest:
    """What the rules need of a visit; which tools are callable, and how they are listed, is as in the table `tools`.

    The order of the tools is the table's: by document, then by name. A visit without an outcome `captured` gives a
    manifest without tools.
    """
    decisions = listings(visit)
    tools = tuple(_tool(row) for row in tool_rows(visit, decisions))
    page = page_row(visit, decisions)
    return Manifest(source=visit.final_url or visit.target.url, tools=tools, page=_page(visit, page))


def _tool(row: _Row) -> ManifestTool:
    return ManifestTool(
        name=row["name"],
        description=row["description"] or "",
        title=row["title"] or "",
        input_schema=_parsed(row["input_schema"]),
        annotations=_parsed(row["annotations"]),
        kind=Kind(row["kind"]) if row["kind"] else None,
        frame=row["frame"],
        callable=row["callable"],
        listing=Listing(row["listing"]) if row["listing"] else None,
        listing_cause=row["listing_cause"],
        first_seen_ms=row["first_seen_ms"],
    )


def _parsed(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _page(visit: Visit, row: _Row) -> PageFacts:
    return PageFacts(
        visit_id=visit.visit_id,
        url=visit.final_url or visit.target.url,
        visited_at=visit.visited_at,
        build=row["build"],
        api=Api(row["api"]) if row["api"] else None,
        error=row["page_view_error"],
        old_api=tuple(row["old_api"] or ()),
        polyfill=row["polyfill"],
        tokens=tuple(TokenFacts(each.status, each.origin, each.expires_at) for each in visit.origin_trials),
        documents=tuple(
            DocumentFacts(each.frame, each.url, each.origin, each.relation, each.allow, each.error)
            for each in visit.documents
            if each.frame != TOP
        ),
        settled=visit.settled,
        settle_ms=visit.settle_ms,
        views_stable=visit.views_stable,
        navigated_during_read=visit.navigated_during_read,
        tools_dropped=visit.tools_dropped,
        dialogs=visit.dialogs,
        popups=visit.popups,
    )
