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
    Settled,
    ToolsPolicy,
    Word,
)

SCHEMA_VERSION = "1.3.0"

_TEXT = pl.String()
_COUNT = pl.Int64()
_FLAG = pl.Boolean()
_SHARE = pl.Float64()
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
)

_COMPATIBILITY = (
    Column("behaviour", _TEXT, "The behaviour's id, `topic/name`."),
    Column("question", _TEXT, "What was asked of the build, in words."),
    Column("label", _TEXT, "Short name of the build in the matrix."),
    Column("browser", _TEXT, "Product name of the browser."),
    Column("build", _TEXT, "Full version of the browser."),
    Column("shell", _FLAG, "True for a headless shell, which has no site isolation."),
    Column(
        "value", _TEXT, "Its answer, a word or a short text; any question may have `crash`, `hang`, `not_applicable`."
    ),
    Column("timing", _FLAG, "Does the answer hang on how fast things happen, so that two runs may differ."),
    Column("evidence", _TEXT, "What was run, where, with which switch, and what came back beside the value; JSON."),
    Column("measured_at", _TIME, "When it was asked."),
)

_MEASURED = (
    Column("site", _TEXT, "The page's site; null for a page of a folder that was served for the measurement."),
    Column("target_key", _TEXT, "The page's URL without what does not tell two targets apart; null likewise."),
    Column("run", _TEXT, "The run of rates, eight hex digits; `manifest.json` says how it was made."),
    Column("page", _TEXT, "The page's URL; of a served folder the page's path in it."),
    Column("variant", _TEXT, "The manifest of the page, where it was measured in several; else empty."),
    Column("utterance_set", _TEXT, "The frozen utterance set, name and version."),
    Column("set_digest", _TEXT, "SHA-256 of the set's content."),
    Column("judge", _TEXT, "What chose the tools: kind, model, and each setting that changes its answers."),
    Column("build", _TEXT, "Product and full version of the browser."),
)

_TRIALS = (
    *_MEASURED,
    Column("utterance", _TEXT, "Id of the utterance or the control in its set."),
    Column("tag", _TEXT, "How it is said (direct, ambiguous and so on); null for a control."),
    Column("control", _TEXT, "Why no tool should answer it; null for an utterance."),
    Column("tool", _TEXT, "The tool that is expected, in whose rate it counts; null for a control."),
    Column("session", _COUNT, "The session, from 1: a process, a browser and a cold profile of its own."),
    Column("repeat", _COUNT, "The repeat in its session, from 1."),
    Column("offered", _COUNT, "How many tools the judge was shown."),
    Column("calls", _TEXT, "What the judge called, with the arguments and how far each call got; JSON."),
    Column("outcome", _TEXT, "How the trial ended: `ok`, or the first thing that was not as it should be."),
    Column("detail", _TEXT, "What the outcome is about, in words."),
    Column("invoked", _FLAG, "Was a right tool called with valid arguments; null for a control."),
    Column(
        "false_positive", _FLAG, "Was a control answered with a call; null for others, and without an offered tool."
    ),
    Column("executed", _TEXT, "Were right calls executed; null when there was none."),
    Column("started_at", _TIME, "When the page was opened."),
    Column("ms", _COUNT, "Milliseconds of the trial, without the wait for a free judge."),
    Column("judge_ms", _COUNT, "Milliseconds that the judge took; null when it was not asked."),
    Column("input_tokens", _COUNT, "Tokens that the judge was given; null when its endpoint does not say."),
    Column("output_tokens", _COUNT, "Tokens that it answered; null likewise."),
)

_RATES = (
    *_MEASURED,
    Column("measure", _TEXT, "`invocation`: of a tool's trials, those invoked; `false_positive`: of a control's."),
    Column("name", _TEXT, "The tool, or the kind of control."),
    Column("sessions", _COUNT, "Sessions of the run."),
    Column("repeats", _COUNT, "Repeats in each session."),
    Column("measured_from", _TIME, "Beginning of the run's first trial."),
    Column("k", _COUNT, "Trials that count: rows of `trials` with `invoked`, or with `false_positive`."),
    Column("n", _COUNT, "Trials in all: rows of `trials` in which that is known."),
    Column("rate", _SHARE, "k / n; null when n is 0."),
    Column("low", _SHARE, "Of Wilson's 95 % interval, which takes the trials to be independent."),
    Column("high", _SHARE, "Likewise."),
    Column(
        "quoted_low",
        _SHARE,
        "Of the 95 % interval for more utterances, and for more sessions where there are.",
    ),
    Column("quoted_high", _SHARE, "Likewise; null for controls."),
    Column("between_low", _SHARE, "The lowest of the sessions' rates; null with one session, and for controls."),
    Column("between_high", _SHARE, "The highest of them; null likewise."),
    Column("between_deviation", _SHARE, "Their standard deviation (n - 1); null likewise."),
    Column(
        "within_low",
        _SHARE,
        "The lowest repeat's rate, less its session's; null without repeats, and for controls.",
    ),
    Column("within_high", _SHARE, "The highest of them; null likewise."),
    Column("within_deviation", _SHARE, "Their pooled standard deviation; null likewise."),
    Column("floor_lexical", _SHARE, "What words in common select rightly of the same questions; null for controls."),
    Column("floor_majority", _SHARE, "What the page's commonest answer selects rightly; null likewise."),
    Column("floor_random", _SHARE, "What a blind draw selects rightly; null likewise."),
    Column("direct_k", _COUNT, "Invoked trials of direct requests; null without any, and for controls."),
    Column("direct_n", _COUNT, "Trials of direct requests; null likewise."),
    Column("ambiguous_k", _COUNT, "Invoked trials of ambiguous requests; null likewise."),
    Column("ambiguous_n", _COUNT, "Trials of ambiguous requests; null likewise."),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "pages": _PAGES,
    "frames": _FRAMES,
    "tools": _TOOLS,
    "findings": _FINDINGS,
    "observations": _OBSERVATIONS,
    "controls": _CONTROLS,
    "compatibility": _COMPATIBILITY,
    "trials": _TRIALS,
    "rates": _RATES,
}
"""The tables of a release: `pages` has one row for each finished target, `frames` for each document of it,
`tools` for each tool of a document, `findings` for each thing that lint found (none when `pages.linted` is false
throughout: lint was not run), `controls` for each visit to the crawler's own empty page, `compatibility` for each
behaviour of each browser build that was asked (none when `compat` was not run), `trials` for each judged utterance
and `rates` for each tool and kind of control of a run of rates (none when there was none). `observations` has
the columns of `pages` and `tools` for visits of other passes, a row for each tool, and one with null in the columns
of `tools` for a visit without any; none of them is in the other tables. Rows are in order of the site and, within one,
of the target list; then of frames, then of tool names. Sites that opted out are in none of the tables."""


def schema(table: str) -> dict[str, pl.DataType]:
    """Give the polars schema of a table. Raises KeyError when there is no such table."""
    return {column.name: column.dtype for column in TABLES[table]}
