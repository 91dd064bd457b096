"""Rules on how the tools of a visited page can be learnt of: callable and unlisted, or listed and not callable."""

from collections.abc import Iterator

from census.finding import Severity
from census.listing import ListingCause
from census.vocabulary import Listing
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import tool, visited
from measure.lint.rule import Hit, Rule
from measure.lint.text import quoted


def _with(analysis: Analysis, listing: Listing, *causes: ListingCause) -> Iterator[ToolAnalysis]:
    return (
        each
        for each in analysis.offered
        if each.tool.listing is listing and (not causes or each.tool.listing_cause in causes)
    )


def _origin(analysis: Analysis, each: ToolAnalysis) -> str:
    documents = analysis.page.documents if analysis.page else ()
    return next((document.origin for document in documents if document.frame == each.tool.frame), "the frame's origin")


def _on_request(analysis: Analysis) -> Iterator[Hit]:
    for each in _with(analysis, Listing.ON_REQUEST):
        origin = _origin(analysis, each)
        yield Hit(
            each.index,
            (),
            f"{quoted(each.name)} in {each.tool.frame} is callable, and the page lists it only when it asks for"
            f" {origin}.",
            f'Ask with `getTools({{fromOrigins: ["{origin}"]}})` wherever the page hands its tools on.',
        )


def _not_exposed(analysis: Analysis) -> Iterator[Hit]:
    for each in _with(analysis, Listing.OWN_DOCUMENT, ListingCause.NOT_EXPOSED_TO_HOST):
        yield Hit(
            each.index,
            (),
            f"{quoted(each.name)} in {each.tool.frame} ({_origin(analysis, each)}) is callable by an agent, and in no"
            " list of the page that shows the frame.",
            f"If the page may know it, register {quoted(each.name)} with `registerTool(tool, {{exposedTo: [the page's"
            " origin]})` and ask with `fromOrigins`; if no agent should call it, take `tools` out of the frame's"
            " `allow`.",
        )


def _opaque(analysis: Analysis) -> Iterator[Hit]:
    for each in _with(analysis, Listing.OWN_DOCUMENT, ListingCause.OPAQUE_ORIGIN):
        yield Hit(
            each.index,
            (),
            f"{quoted(each.name)} belongs to {each.tool.frame}, whose origin is opaque: no page can list or run it,"
            " an agent can.",
            "Add `allow-same-origin` to the frame's `sandbox` if its content is yours, or register the tool outside"
            " it.",
        )


def _nowhere(analysis: Analysis) -> Iterator[Hit]:
    for each in _with(analysis, Listing.NOWHERE):
        known = each.tool.listing_cause == ListingCause.SCHEMA_NOT_AN_OBJECT
        why = ": the browser has no object for its input schema" if known else ", for a reason that is not known"
        yield Hit(
            each.index,
            (),
            f"{quoted(each.name)} is callable and on no list at all{why}.",
            "Give `inputSchema` as a plain object, `{type: 'object', properties: {…}}`; an object with toJSON(), a Date"
            " or a String object is none."
            if known
            else f"Ask `getTools()` in the page's console, and look for a script that replaces it, or"
            f" {quoted(each.name)}.",
        )


def _library_only(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.tools:
        if each.tool.callable is False and each.tool.listing_cause == ListingCause.LIBRARY_ONLY:
            yield Hit(
                each.index,
                (),
                f"{quoted(each.name)} exists only in an object of the page's own; no agent of the browser can call it.",
                f"Register {quoted(each.name)} with `document.modelContext.registerTool()` of the browser; let the"
                " library step aside when the browser has the API.",
            )


def _not_offered(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.tools:
        if each.tool.callable is False and each.tool.listing_cause == ListingCause.NOT_IN_BROWSER_VIEW:
            yield Hit(
                each.index,
                (),
                f"{quoted(each.name)} is in the page's list, and the browser does not offer it to agents.",
                "Look whether it was unregistered (an aborted signal, a removed form) while the page was read, and"
                " register it once the page is there to stay.",
            )


_TOOL = "pay_order", "Pays the open order by invoice. Use when the user wants to finish an order."

RULES = (
    Rule(
        "page/listed-on-request",
        Severity.NOTE,
        "The tool is exposed to the page, which has to ask for its origin.",
        "WebMCP, getTools(): fromOrigins. Measured on Chromium 156.",
        "Ask with `fromOrigins`.",
        fires=visited(
            tool(*_TOOL, frame="top.0", listing=Listing.ON_REQUEST, listing_cause=ListingCause.NEEDS_FROM_ORIGINS)
        ),
        silent=visited(tool(*_TOOL, frame="top.0", listing=Listing.LISTED)),
        check=_on_request,
    ),
    Rule(
        "page/not-exposed",
        Severity.WARNING,
        "An agent may call a tool that the page does not know of.",
        "Measured on Chromium 156: with `allow=tools` and without `exposedTo`, a frame's tools are callable and only in"
        " its own list.",
        "Expose it to the page, or take `tools` out of `allow`.",
        fires=visited(
            tool(*_TOOL, frame="top.0", listing=Listing.OWN_DOCUMENT, listing_cause=ListingCause.NOT_EXPOSED_TO_HOST)
        ),
        silent=visited(tool(*_TOOL, frame="top.0", listing=Listing.LISTED)),
        check=_not_exposed,
    ),
    Rule(
        "page/opaque-origin",
        Severity.WARNING,
        "A sandboxed frame's tools are callable, and no page can name their origin.",
        "Measured on Chromium 156: origin `null`, the page's executeTool() ends in NotSupportedError.",
        "Add `allow-same-origin`, or register outside the frame.",
        fires=visited(
            tool(*_TOOL, frame="top.0", listing=Listing.OWN_DOCUMENT, listing_cause=ListingCause.OPAQUE_ORIGIN)
        ),
        silent=visited(tool(*_TOOL, frame="top.0", listing=Listing.LISTED)),
        check=_opaque,
    ),
    Rule(
        "page/listed-nowhere",
        Severity.ERROR,
        "The tool is callable and invisible, also to the page that registered it.",
        "Measured on Chromium 156: an input schema that serialises to a string, number, boolean or null keeps the tool"
        " out of getTools(); builds 150 to 153 list it.",
        "Give a plain object as the schema.",
        fires=visited(tool(*_TOOL, listing=Listing.NOWHERE, listing_cause=ListingCause.SCHEMA_NOT_AN_OBJECT)),
        silent=visited(tool(*_TOOL, listing=Listing.LISTED)),
        check=_nowhere,
    ),
    Rule(
        "page/library-only",
        Severity.ERROR,
        "A polyfill's own list has the tool, the browser does not: to agents it does not exist.",
        "Measured with the public polyfills on Chromium 156.",
        "Register it with the browser's own API.",
        fires=visited(tool(*_TOOL, callable=False, listing_cause=ListingCause.LIBRARY_ONLY)),
        silent=visited(tool(*_TOOL, listing=Listing.LISTED)),
        check=_library_only,
    ),
    Rule(
        "page/not-offered",
        Severity.WARNING,
        "A list and the browser disagree: the tool is named and cannot be called.",
        "Two views of one visit, read at one moment and stable.",
        "Register it for as long as the page is there.",
        fires=visited(tool(*_TOOL, callable=False, listing_cause=ListingCause.NOT_IN_BROWSER_VIEW)),
        silent=visited(tool(*_TOOL, callable=None, listing_cause=ListingCause.VIEWS_NOT_STABLE)),
        check=_not_offered,
    ),
)
