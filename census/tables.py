"""From visits to tables: pure, one pass, the same rows in the same order for the same visits."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import UTC
from operator import itemgetter
from typing import Any

import polars as pl

from census.canonical_json import canonical_json
from census.columns import TABLES, schema
from census.finding import Finding
from census.findings import finding_rows
from census.listing import Decision, ToolKey, listings
from census.recheck import validators_json
from census.tool_rows import tool_rows
from census.visit import TOP, ControlVisit, Document, Visit
from census.vocabulary import Api, BrowserView, Kind, Listing, Outcome, PageView

Tables = dict[str, pl.DataFrame]
Row = dict[str, object]

BROWSER_VIEW_UNAVAILABLE = "browser_view_unavailable"
PAGE_VIEW_FAILED = "page_view_failed"

_NOT_LINTED: Mapping[str, tuple[Finding, ...]] = {}

_REFUSALS = {"NotAllowedError", "SecurityError"}
"""How `getTools()` rejects when a policy forbids tools: an answer, unlike a time-out."""


def build_tables(
    visits: Iterable[Visit],
    controls: Iterable[ControlVisit],
    observations: Iterable[Visit] = (),
    vouched: Container[str] = frozenset(),
    findings: Mapping[str, tuple[Finding, ...]] = _NOT_LINTED,
) -> Tables:
    """Make every table of a release; rows keep the order of the visits, then of frames, then tool names.

    `vouched` has the ids of the visits that a good control visit followed. `findings` are those of each linted
    visit, by its id; of a visit that captured nothing, none is taken.
    An empty input gives empty tables of the same schemas.
    """
    rows: dict[str, list[tuple[object, ...]]] = {table: [] for table in TABLES}
    in_order = {table: itemgetter(*(column.name for column in columns)) for table, columns in TABLES.items()}

    def add(table: str, new: Iterable[Row], site: str | None = None) -> None:
        get, known = in_order[table], rows[table]
        for row in new:
            row["site"] = site
            known.append(get(row))

    for visit in visits:
        decisions = listings(visit)
        site = visit.target.site
        add("pages", [page_row(visit, decisions, vouched) | _linted(visit, findings)], site)
        if visit.outcome is Outcome.CAPTURED:
            add("findings", finding_rows(visit.visit_id, findings.get(visit.visit_id, ())), site)
        add("frames", (_frame(visit, document) for document in visit.documents), site)
        add("tools", tool_rows(visit, decisions), site)
    for visit in observations:
        add("observations", _observation(visit, vouched), visit.target.site)
    add("controls", (_control(control) for control in controls))
    return {table: _table(table, rows[table]) for table in TABLES}


def _table(table: str, rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    types = schema(table)
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    return pl.DataFrame(
        [_series(name, values, dtype) for (name, dtype), values in zip(types.items(), columns, strict=True)]
    )


def _series(name: str, values: Sequence[Any], dtype: pl.DataType) -> pl.Series:
    if not isinstance(dtype, pl.List):
        return pl.Series(name, values, dtype=dtype)
    # Each list is converted in Python, at the price of a whole row; there are few different ones.
    lists: dict[tuple[str, ...], int] = {}
    rows = [None if value is None else lists.setdefault(tuple(value), len(lists)) for value in values]
    return pl.Series(name, list(map(list, lists)), dtype=dtype).gather(pl.Series(rows, dtype=pl.UInt32))


def unmeasured(visit: Visit) -> str | None:
    """Why a page was not measured; None when it was, so that zero tools means that it has none.

    The reason is the outcome when nothing was captured; `browser_view_unavailable` when the browser's list
    was not followed through the whole visit; `page_view_failed` when the top document did not answer
    `getTools()`: a page that hangs may have hung before it registered. A page that a policy forbids tools, or
    that has no API, did answer.
    """
    top = _top(visit)
    if visit.outcome is not Outcome.CAPTURED:
        return visit.outcome.value
    if visit.browser_view is not BrowserView.READ:
        return BROWSER_VIEW_UNAVAILABLE
    if top is None or (top.page_view is PageView.FAILED and top.error not in _REFUSALS):
        return PAGE_VIEW_FAILED
    return None


def api_of(top: Document) -> Api | None:
    """Say what the top document offers in an untouched world; None when it is not known."""
    if top.page_view is PageView.READ:
        return Api.NATIVE
    if top.page_view is PageView.FAILED:
        return Api.BLOCKED if top.error in _REFUSALS else None
    if top.secure is None:
        return None
    return Api.NONE if top.secure else Api.INSECURE


def _top(visit: Visit) -> Document | None:
    return next((document for document in visit.documents if document.frame == TOP), None)


def page_row(visit: Visit, decisions: dict[ToolKey, Decision], vouched: Container[str] = frozenset()) -> Row:
    """Make a visit's row of `pages`, all but what lint has to say of it."""
    target, browser = visit.target, visit.browser
    captured = visit.outcome is Outcome.CAPTURED
    return {
        "visit_id": visit.visit_id,
        "target_url": target.url,
        "target_key": target.key,
        "final_url": visit.final_url,
        "project": target.project,
        "repository": target.repository,
        "source": target.source,
        "screen": target.screen,
        "validators": validators_json(visit.validators),
        "carried_from": target.recheck.release if target.recheck and visit.outcome is Outcome.UNCHANGED else None,
        "rank": target.rank,
        "visited_at": visit.visited_at.astimezone(UTC),
        "build": browser.build if browser else None,
        "browser": browser.name if browser else None,
        "shell": browser.shell if browser else None,
        "outcome": visit.outcome,
        "outcome_detail": visit.outcome_detail,
        "http_status": visit.http_status,
        "attempts": visit.attempt,
        "load_event": visit.load_event,
        "settled": visit.settled,
        "load_ms": visit.load_ms,
        "settle_reason": visit.settle_reason,
        "settle_ms": visit.settle_ms,
        "navigated_during_read": visit.navigated_during_read if browser else None,
        "browser_view": visit.browser_view,
        "browser_view_error": visit.browser_view_error,
        "views_stable": visit.views_stable,
        "tools_dropped": visit.tools_dropped if captured else None,
        "dialogs": visit.dialogs if browser else None,
        "popups": visit.popups if browser else None,
        "downloads_blocked": visit.downloads_blocked if browser else None,
        # Of a page that was not captured only the response headers can tell of a challenge; they cannot rule it out.
        "challenge_suspected": visit.challenge_suspected if captured else visit.challenge_suspected or None,
        "login_suspected": visit.login_suspected if captured else None,
        "vouched": visit.visit_id in vouched if captured else None,
        "headers": canonical_json(visit.headers or None),
        **_page_documents(visit),
        **_page_scripts(visit),
        **_tool_counts(visit, decisions),
    }


def _page_documents(visit: Visit) -> Row:
    top = _top(visit)
    captured = visit.outcome is Outcome.CAPTURED
    unread = sum(document.page_view is PageView.FAILED for document in visit.documents)
    return {
        "page_view": top.page_view if top else None,
        "page_view_error": top.error if top else None,
        "api": api_of(top) if top else None,
        "polyfill": top.polyfill if top else None,
        "frames": len(visit.documents) if captured else None,
        "frames_unread": unread if captured else None,
        "frames_dropped": visit.documents_dropped if captured else None,
    }


def _page_scripts(visit: Visit) -> Row:
    scripts = visit.script_evidence
    statuses = sorted({trial.status for trial in visit.origin_trials})
    return {
        # What was found stands; that nothing was found is known only when every script was read.
        "old_api": list(scripts.old_names) if scripts and (scripts.old_names or not scripts.unread) else None,
        "names_api": scripts.names_api if scripts and (scripts.names_api or not scripts.unread) else None,
        "scripts_unread": scripts.unread if scripts else None,
        "origin_trial": "Success" if "Success" in statuses else ",".join(statuses) or None,
    }


def _tool_counts(visit: Visit, decisions: dict[ToolKey, Decision]) -> Row:
    """Count tools: null, never 0, when the page was not measured.

    The counts by listing are also null when one tool's listing is not decided or a tool was not kept: a part of
    a page would be taken for the page.
    """
    why = unmeasured(visit)
    measured = why is None
    by_listing = Counter(decision.listing for decision in decisions.values())
    decided = measured and by_listing[None] == 0 and not visit.tools_dropped

    def count(*kinds: Listing) -> int | None:
        return sum(by_listing.get(kind, 0) for kind in kinds) if decided else None

    forms = sum(tool.kind is Kind.FORM for tool in visit.browser_tools)
    return {
        "unmeasured": why,
        "tools_callable": len(decisions) + visit.tools_dropped if measured else None,
        "tools_form": forms if measured else None,
        "tools_listed": count(Listing.LISTED),
        "tools_unlisted": count(Listing.ON_REQUEST, Listing.OWN_DOCUMENT, Listing.NOWHERE),
        "tools_on_request": count(Listing.ON_REQUEST),
        "tools_own_document": count(Listing.OWN_DOCUMENT),
        "tools_nowhere": count(Listing.NOWHERE),
    }


def _frame(visit: Visit, document: Document) -> Row:
    return {
        "visit_id": visit.visit_id,
        "frame": document.frame,
        "parent": document.parent,
        "url": document.url,
        "origin": document.origin,
        "relation": document.relation,
        "allow": document.allow,
        "sandbox": document.sandbox,
        "tools_policy": document.tools_policy,
        "error": document.error,
        "secure": document.secure,
        "own_process": document.own_process,
        "page_view": document.page_view,
        "polyfill": document.polyfill,
        "tools_in_list": len(document.tools) if document.page_view is PageView.READ else None,
    }


def _linted(visit: Visit, findings: Container[str]) -> Row:
    return {"linted": visit.visit_id in findings if visit.outcome is Outcome.CAPTURED else None}


def _observation(visit: Visit, vouched: Container[str]) -> Iterable[Row]:
    decisions = listings(visit)
    own = {"pass": visit.pass_, "found_on": visit.target.found_on}
    page = page_row(visit, decisions, vouched) | _linted(visit, ()) | own
    nothing: Row = {column.name: None for column in TABLES["tools"]}
    return (tool | page for tool in tool_rows(visit, decisions) or [nothing])


def _control(control: ControlVisit) -> Row:
    return {
        "visited_at": control.visited_at.astimezone(UTC),
        "browser": control.browser.name,
        "build": control.browser.build,
        "read": control.read,
        "good": control.good,
        "detail": control.detail,
        "vouches_for": control.vouches_for,
    }
