"""Every column of every table, described once; the schemas, the card and the docs are made from this.

A column has the same type in every release of one schema version. Nested data is canonical JSON text
(sorted keys, no spaces), a closed vocabulary is a plain string, a time is UTC in microseconds. Null means
"not known" or "does not apply", never zero and never "no".
"""

from typing import NamedTuple

import polars as pl

from census.finding import Severity
from census.listing import ListingCause
from census.vocabulary import (
    Api,
    BrowserView,
    Kind,
    Listing,
    LoadEvent,
    Outcome,
    PageView,
    Pass,
    Relation,
    Screen,
    Settled,
    ToolsPolicy,
    Word,
)

SCHEMA_VERSION = "1.3.0"

_TEXT = pl.String()
_COUNT = pl.Int64()
_FLAG = pl.Boolean()
_TIME = pl.Datetime("us", "UTC")


class Column(NamedTuple):
    """A column: its name, its type, and what it means (with the unit)."""

    name: str
    dtype: pl.DataType
    description: str
    words: type[Word] | None = None
    """The closed vocabulary that its values are from."""


_PAGES = (
    Column("visit_id", _TEXT, "The target's final visit; joins the tables."),
    Column("target_url", _TEXT, "URL as the target list gives it."),
    Column("final_url", _TEXT, "URL of the top document when it was read, after redirects."),
    Column("site", _TEXT, "The target's registrable domain, with the public-suffix list's private part."),
    Column("project", _TEXT, "Whose page it is, from the target list."),
    Column("source", _TEXT, "Which list named the target."),
    Column("visited_at", _TIME, "Start of the visit."),
    Column("build", _TEXT, "Full version of the browser; null when no browser was needed."),
    Column("outcome", _TEXT, "How the visit ended: `captured`, or the one reason why not.", Outcome),
    Column("outcome_detail", _TEXT, "What the outcome rests on, in words."),
    Column("http_status", _COUNT, "HTTP status of the top document's last response."),
    Column("attempts", _COUNT, "Which attempt at the target the final visit was, from 1."),
    Column("load_event", _TEXT, "Did the load event fire before the reading.", LoadEvent),
    Column("settled", _TEXT, "Did the page hold still before it was read.", Settled),
    Column("settle_ms", _COUNT, "Milliseconds from the commit of the top document to the reading."),
    Column("navigated_during_read", _COUNT, "Times the top document was replaced after it began to settle."),
    Column("page_view", _TEXT, "Did the top document's `getTools()` answer.", PageView),
    Column("browser_view", _TEXT, "Was the browser's own list followed.", BrowserView),
    Column("views_stable", _FLAG, "Was the browser view the same before and after the page views."),
    Column("api", _TEXT, "What the top document offers a script; null when not known.", Api),
    Column("old_api", pl.List(pl.String()), "Names in its scripts of the API that this browser no longer has."),
    Column("polyfill", _TEXT, "The top document's own object in place of, or beside, the native one."),
    Column(
        "origin_trial",
        _TEXT,
        "Status of the WebMCP origin-trial token: `Success` when one of several has it, else the distinct"
        " statuses, comma-separated; null without a token or when not captured.",
    ),
    Column("frames", _COUNT, "Documents read, the top document included; null when not captured."),
    Column("tools_callable", _COUNT, "Tools the browser offers an agent; null unless the page was measured."),
    Column("tools_listed", _COUNT, "Of these, in the top document's list; null unless all are decided."),
    Column("tools_unlisted", _COUNT, "Of these, unlisted: the sum of the three kinds; null likewise."),
    Column("dialogs", _COUNT, "Dialogs the page opened, all dismissed."),
    Column("popups", _COUNT, "Windows the page opened, all closed."),
    Column("downloads_blocked", _COUNT, "Downloads the page started, all refused."),
    Column(
        "unmeasured",
        _TEXT,
        "Why the page was not measured; null when it was.",
    ),
    Column("tools_on_request", _COUNT, "Tools the top document gets only with `fromOrigins`; null likewise."),
    Column("tools_own_document", _COUNT, "Tools that only their own frame lists; null likewise."),
    Column("tools_nowhere", _COUNT, "Tools that no document lists; null likewise."),
    Column("tools_form", _COUNT, "Callable tools made by a form; null unless the page was measured."),
    Column("tools_dropped", _COUNT, "Tools beyond the stated number per page, not kept."),
    Column("frames_unread", _COUNT, "Documents whose page view failed; null when not captured."),
    Column("frames_dropped", _COUNT, "Documents beyond the stated number per page, not read."),
    Column("page_view_error", _TEXT, "The error's name when the top document's page view failed."),
    Column("browser_view_error", _TEXT, "Why the browser view was unavailable."),
    Column("load_ms", _COUNT, "Milliseconds from the commit of the first document to the load event."),
    Column("settle_reason", _TEXT, "Which part of the settling rule ended the waiting."),
    Column("names_api", _FLAG, "A script names the current API; null when scripts were not read."),
    Column("scripts_unread", _COUNT, "Scripts whose text was not looked at."),
    Column("challenge_suspected", _FLAG, "The page looked like a bot challenge."),
    Column("login_suspected", _FLAG, "The page looked like a login form."),
    Column("vouched", _FLAG, "Did a good control visit of the same browser follow; null when not captured."),
    Column("headers", _TEXT, "Response headers that decide what a document may do, as JSON."),
    Column("browser", _TEXT, "Product name of the browser."),
    Column("shell", _FLAG, "True for `chromium-headless-shell`, which has no site isolation."),
    Column("repository", _TEXT, "Source repository of the target, from the target list."),
    Column("target_key", _TEXT, "The target URL without what does not tell two targets apart."),
    Column("linted", _FLAG, "Were lint's rules run on it; null when not captured."),
    Column("screen", _TEXT, "What the screen over plain HTTP made of it; null where the crawl had none.", Screen),
    Column(
        "validators",
        _TEXT,
        "The document and all scripts with what their servers gave to ask by again, as JSON: [url, etag,"
        " last-modified]; null when one has nothing.",
    ),
    Column("carried_from", _TEXT, "The release that made the visit, where this one did not; null for a visit of now."),
    Column("rank", _COUNT, "Place in the list that named the target, 1 for the first; null when it has no order."),
)

_FRAMES = (
    Column("visit_id", _TEXT, "The visit; joins the tables."),
    Column("site", _TEXT, "The page's site, as in `pages`."),
    Column("frame", _TEXT, "`top`, its child `top.0`, a grandchild `top.0.0`, in frame-tree order."),
    Column("parent", _TEXT, "The frame it is in; null for `top`."),
    Column("url", _TEXT, "URL of the document."),
    Column("origin", _TEXT, "Serialised origin; `null` (the text) when opaque."),
    Column("relation", _TEXT, "Its origin, seen from the top document's.", Relation),
    Column("allow", _TEXT, "The frame element's `allow` attribute."),
    Column("sandbox", _TEXT, "The frame element's `sandbox` attribute; empty when it has no tokens."),
    Column("tools_policy", _TEXT, "The `tools` permissions policy in force.", ToolsPolicy),
    Column("error", _TEXT, "The error's name when the page view failed."),
    Column("secure", _FLAG, "Is it a secure context."),
    Column("own_process", _FLAG, "Does the frame run in a renderer process of its own."),
    Column("page_view", _TEXT, "Did `getTools()` answer.", PageView),
    Column("polyfill", _TEXT, "The document's own object in place of, or beside, the native one."),
    Column("tools_in_list", _COUNT, "Items of `getTools()`, other frames' included; null when not read."),
)

_TOOLS = (
    Column("visit_id", _TEXT, "The visit; joins the tables."),
    Column("site", _TEXT, "The page's site, as in `pages`."),
    Column("frame", _TEXT, "The document that has the tool."),
    Column("name", _TEXT, "The tool's name: one name in two frames is two tools."),
    Column("title", _TEXT, "From the page view; empty when the page gave none, null when no list has it."),
    Column("description", _TEXT, "What the page says the tool does."),
    Column("input_schema", _TEXT, "The input schema, as JSON; null when there is none."),
    Column("annotations", _TEXT, "The tool's hints, as JSON; null when there are none."),
    Column("kind", _TEXT, "How it came to be; null when only a page view has the tool.", Kind),
    Column("registered_by", _TEXT, "URL of the script that registered it; null for a form."),
    Column("first_seen_ms", _COUNT, "Milliseconds from the commit of the top document to its first sign."),
    Column("callable", _FLAG, "Does the browser offer it to an agent; null when that could not be read."),
    Column("listing", _TEXT, "How a page can learn of it; null: not decided.", Listing),
    Column("listing_cause", _TEXT, "Why it is unlisted, or why that is not decided.", ListingCause),
    Column("cut", _FLAG, "A string or the schema was over the stated limits and was cut."),
)

_FINDINGS = (
    Column("visit_id", _TEXT, "The visit; joins the tables."),
    Column("site", _TEXT, "The page's site, as in `pages`."),
    Column("rule", _TEXT, "The rule's id, `family/name`."),
    Column("severity", _TEXT, "How bad it is.", Severity),
    Column("tool", _TEXT, "Name of the tool; null when the finding is about the page."),
    Column("frame", _TEXT, "The document that has the tool; null for the page."),
    Column("pointer", _TEXT, "RFC 6901 pointer into the page's list of tools; empty for the whole page."),
    Column("message", _TEXT, "What is wrong, in a sentence."),
    Column("remedy", _TEXT, "What to change."),
)

_CONTROLS = (
    Column("visited_at", _TIME, "When the control page was visited."),
    Column("browser", _TEXT, "Product name of the browser."),
    Column("build", _TEXT, "Full version of the browser."),
    Column("read", _FLAG, "Could it be made: one that could not says nothing of a leak."),
    Column("good", _FLAG, "Both views read zero tools, as they must."),
    Column("detail", _TEXT, "What was read."),
    Column("vouches_for", _COUNT, "Visits of this browser since its last good control."),
)

_OBSERVATIONS = (
    Column("pass", _TEXT, "Which kind of visit.", Pass),
    *_PAGES,
    *(column for column in _TOOLS if column.name not in ("visit_id", "site")),
    Column("found_on", _TEXT, "Of an inner page: the `target_key` of the page that links to it; null otherwise."),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "pages": _PAGES,
    "frames": _FRAMES,
    "tools": _TOOLS,
    "findings": _FINDINGS,
    "observations": _OBSERVATIONS,
    "controls": _CONTROLS,
}
"""The tables of a release: `pages` has one row for each finished target, `frames` for each document of it,
`tools` for each tool of a document, `findings` for each thing that lint found (none when `pages.linted` is false
throughout: lint was not run), `controls` for each visit to the crawler's own empty page. `observations` has
the columns of `pages` and `tools` for visits of other passes, a row for each tool, and one with null in the columns
of `tools` for a visit without any; none of them is in the other tables. Rows are in order of the site and, within one,
of the target list; then of frames, then of tool names. Sites that opted out are in none of the tables."""


def schema(table: str) -> dict[str, pl.DataType]:
    """Give the polars schema of a table. Raises KeyError when there is no such table."""
    return {column.name: column.dtype for column in TABLES[table]}
