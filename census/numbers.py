"""Every published number, with the SQL over the tables that gives it.

A number is a `Count` (one value), a `Share` (k of n) or a `Tally` (the n rows by a column's values). Its SQL
runs in polars' `SQLContext` over the tables of a release, and elsewhere with little change.
"""

# ruff: noqa: S608 -- the SQL is put together from constants of this module

from census.conditions import EVERYTHING, MEASURED, UNSCREENED, WITH_TOOLS
from census.number import Count, Number, Share, Tally
from census.screened_numbers import INNER, SCREENED

_ANSWERED = "('captured', 'http_error', 'redirect_loop', 'too_large', 'not_html', 'page_crashed')"
_DECIDED = f"{WITH_TOOLS} AND tools_unlisted IS NOT NULL"
_NOT_DECIDED = f"CASE WHEN {WITH_TOOLS} THEN 'listing_not_decided' ELSE COALESCE(unmeasured, 'no_tools') END"
_SIZES = (
    "CASE WHEN tools_callable = 1 THEN '1' WHEN tools_callable = 2 THEN '2'"
    " WHEN tools_callable <= 5 THEN '3-5' WHEN tools_callable <= 10 THEN '6-10'"
    " WHEN tools_callable <= 20 THEN '11-20' WHEN tools_callable <= 50 THEN '21-50' ELSE '51+' END"
)
_TOOLS = "tools JOIN pages USING (visit_id)"
_OBSERVED = (
    "observations LEFT JOIN (SELECT target_key, tools_callable AS main_tools FROM pages) AS main USING (target_key)"
)
_NOT_COMPARED = (
    "COALESCE(unmeasured, CASE WHEN pass <> 'inner' AND main_tools IS NULL THEN 'main_not_measured'"
    " ELSE 'other_pass' END)"
)
_VISITS = "COUNT(DISTINCT visit_id)"
_NOT_CALLABLE = "COALESCE(unmeasured, CASE WHEN callable THEN 'listing_not_decided' ELSE 'not_callable' END)"

_LINTED = f"linted AND {MEASURED}"
_LINTED_WITH_TOOLS = f"{_LINTED} AND {WITH_TOOLS}"
_NOT_LINTED = "COALESCE(unmeasured, CASE WHEN NOT linted THEN 'not_linted' ELSE 'no_tools' END)"
_FOUND = (
    "pages LEFT JOIN (SELECT visit_id, COUNT(*) AS found, SUM(CASE WHEN severity = 'error' THEN 1 ELSE 0 END) AS errors"
    " FROM findings GROUP BY visit_id) AS counted USING (visit_id)"
)

SIZES = ("1", "2", "3-5", "6-10", "11-20", "21-50", "51+")
"""The values of the tally `tools_per_page`, in order."""


_UNMEASURED = "pages that were not measured"
_OUTSIDE = f"{_UNMEASURED}; pages of a screened list, which the screen picked by what was counted here"
_NO_TOOLS = "pages without callable tools, and pages that were not measured"
_NO_TOOLS_OR_LINT = f"{_NO_TOOLS}, and pages that were not linted"
_UNDECIDED = f"{_NO_TOOLS}; pages with a tool whose listing could not be decided"


def _unlisted(id_: str, title: str, column: str) -> Share:
    return Share(id_, title, _DECIDED, _UNDECIDED, _NOT_DECIDED, where=f"{column} > 0")


_PICKED = "COALESCE(unmeasured, 'screened')"


def _rules(id_: str, title: str, which: str, among: str, leaves_out: str) -> Tally:
    return Tally(
        id_,
        title,
        f"{which} AND {among}",
        leaves_out,
        _NOT_LINTED,
        "findings JOIN pages USING (visit_id)",
        _VISITS,
        f"SELECT {_NOT_LINTED} AS reason, COUNT(*) AS k FROM pages"
        f" WHERE NOT COALESCE({among}, FALSE) GROUP BY reason ORDER BY reason",
        by="rule",
        kind="each",
        of=among,
    )


NUMBERS: tuple[Number, ...] = (
    Count("targets", "Targets with a final visit that may be published", "targets", "SELECT COUNT(*) FROM pages"),
    Count("sites", "Sites of these targets", "sites", "SELECT COUNT(DISTINCT site) FROM pages"),
    Tally("outcomes", "How the visits ended", EVERYTHING, "nothing", by="outcome"),
    Share(
        "carried_over",
        "Targets that an earlier release visited and that had not changed since",
        EVERYTHING,
        "nothing",
        where="carried_from IS NOT NULL",
    ),
    Share("captured", "Targets whose page was captured", EVERYTHING, "nothing", where="outcome = 'captured'"),
    Share("measured", "Targets whose page was measured", EVERYTHING, "nothing", where=MEASURED),
    Share(
        "adoption",
        "Measured pages with a callable tool",
        f"{MEASURED} AND {UNSCREENED}",
        _OUTSIDE,
        _PICKED,
        where=WITH_TOOLS,
    ),
    Share(
        "adoption_reached",
        "Targets with a callable tool, of all whose server answered",
        f"outcome IN {_ANSWERED} AND {UNSCREENED}",
        "targets whose server was not asked or did not answer (a page not measured counts as without); screened lists",
        reason="CASE WHEN screen IS NULL THEN outcome ELSE 'screened' END",
        where=WITH_TOOLS,
    ),
    Share(
        "adoption_unhindered",
        "Measured pages with a callable tool, without suspected challenges and logins",
        f"{MEASURED} AND {UNSCREENED} AND NOT challenge_suspected AND NOT login_suspected",
        "pages that were not measured, or that looked like a bot challenge or a login; pages of a screened list",
        "COALESCE(unmeasured, CASE WHEN screen IS NOT NULL THEN 'screened'"
        " WHEN challenge_suspected THEN 'challenge' ELSE 'login' END)",
        where=WITH_TOOLS,
    ),
    *SCREENED,
    Count(
        "tools",
        "Callable tools on measured pages",
        "tools",
        "SELECT COALESCE(SUM(tools_callable), 0) FROM pages",
    ),
    Count(
        "tools_median",
        "Median callable tools of a page that has any",
        "tools",
        f"SELECT MEDIAN(tools_callable) FROM pages WHERE {WITH_TOOLS}",
    ),
    Count("tools_max", "Most callable tools of a page", "tools", "SELECT MAX(tools_callable) FROM pages"),
    Tally(
        "tools_per_page",
        "Callable tools of a page that has any",
        WITH_TOOLS,
        _NO_TOOLS,
        "COALESCE(unmeasured, 'no_tools')",
        by=_SIZES,
    ),
    _unlisted(
        "unlisted_on_request",
        "Pages with a tool that is listed only on request (`fromOrigins`)",
        "tools_on_request",
    ),
    _unlisted("unlisted_own_document", "Pages with a tool that only its own frame lists", "tools_own_document"),
    _unlisted("unlisted_nowhere", "Pages with a callable tool that no document lists", "tools_nowhere"),
    Tally(
        "listing",
        "How a page can learn of a callable tool (tools, not pages)",
        f"callable AND {MEASURED} AND listing IS NOT NULL",
        "tools of pages that were not measured, that are not callable, or whose listing could not be decided",
        _NOT_CALLABLE,
        _TOOLS,
        by="listing",
    ),
    Tally(
        "tool_names",
        "Commonest names of callable tools, by the pages that have one",
        f"callable AND {MEASURED}",
        _NO_TOOLS,
        _NOT_CALLABLE,
        _TOOLS,
        "COUNT(DISTINCT visit_id)",
        by="name",
        kind="top",
        outside="SELECT COALESCE(unmeasured, 'no_tools') AS reason, COUNT(*) AS k FROM pages"
        f" WHERE NOT COALESCE({WITH_TOOLS}, FALSE) GROUP BY reason ORDER BY reason",
    ),
    Tally(
        "unlisted_causes",
        "Why a callable tool is not in the page's own list (tools, not pages)",
        f"callable AND {MEASURED} AND listing <> 'listed'",
        "tools in the page's own list, that are not callable, of pages not measured, or whose listing is not decided",
        "COALESCE(unmeasured, CASE WHEN NOT callable THEN 'not_callable' WHEN listing = 'listed' THEN 'listed'"
        " WHEN listing IS NULL AND callable THEN 'listing_not_decided' ELSE 'not_callable' END)",
        _TOOLS,
        by="listing_cause",
    ),
    Tally(
        "frame_policies",
        "Frames of measured pages, by whose document it is and the `tools` policy in it (documents, not pages)",
        f"{MEASURED} AND relation <> 'top'",
        "top documents, and documents of pages that were not measured",
        "COALESCE(unmeasured, 'top')",
        "frames JOIN pages USING (visit_id)",
        by="CONCAT(relation, ', tools ', COALESCE(tools_policy, 'not known'))",
    ),
    Share(
        "forms",
        "Pages with a declarative form, of those with a callable tool",
        WITH_TOOLS,
        _NO_TOOLS,
        "COALESCE(unmeasured, 'no_tools')",
        where="tools_form > 0",
    ),
    Tally(
        "api",
        "What the page is offered as `document.modelContext`",
        f"{MEASURED} AND api IS NOT NULL AND {UNSCREENED}",
        f"{_OUTSIDE}; pages whose secure context is not known",
        "COALESCE(unmeasured, CASE WHEN screen IS NULL THEN 'not_known' ELSE 'screened' END)",
        by="api",
    ),
    Share(
        "dead_api",
        "Declared, dead in this browser: old API names in the scripts, no callable tool",
        f"{MEASURED} AND old_api IS NOT NULL AND {UNSCREENED}",
        f"{_OUTSIDE}; pages whose scripts were not read",
        "COALESCE(unmeasured, CASE WHEN screen IS NULL THEN 'scripts_not_read' ELSE 'screened' END)",
        where="ARRAY_LENGTH(old_api) > 0 AND tools_callable = 0",
    ),
    Share(
        "legacy_more_tools",
        "Pages with old API names that have more callable tools once these names are restored",
        f"pass = 'legacy' AND {MEASURED} AND main_tools IS NOT NULL",
        "visits of other passes, and pages not measured in both",
        _NOT_COMPARED,
        _OBSERVED,
        _VISITS,
        where="tools_callable > main_tools",
    ),
    Share(
        "audit_differs",
        "Audited pages on which the full browser offers another number of tools",
        f"pass = 'audit' AND {MEASURED} AND main_tools IS NOT NULL",
        "visits of other passes, and pages not measured in both",
        _NOT_COMPARED,
        _OBSERVED,
        _VISITS,
        where="tools_callable <> main_tools",
    ),
    *INNER,
    Share(
        "polyfills",
        "Pages with an object of their own in place of, or beside, the native one",
        f"{MEASURED} AND {UNSCREENED}",
        _OUTSIDE,
        _PICKED,
        where="polyfill IS NOT NULL",
    ),
    Share(
        "settled_at_deadline",
        "Pages that never held still and were read at the deadline",
        f"{MEASURED} AND settled IS NOT NULL",
        _UNMEASURED,
        "COALESCE(unmeasured, 'not_known')",
        where="settled = 'deadline'",
    ),
    Share(
        "views_never_stable",
        "Pages whose browser view never held still while it was read",
        f"{MEASURED} AND views_stable IS NOT NULL",
        _UNMEASURED,
        "COALESCE(unmeasured, 'not_known')",
        where="views_stable = FALSE",
    ),
    Share(
        "challenges",
        "Pages that looked like a bot challenge",
        MEASURED,
        _UNMEASURED,
        where="challenge_suspected",
    ),
    Share("logins", "Pages that looked like a login", MEASURED, _UNMEASURED, where="login_suspected"),
    Share(
        "lint_errors",
        "Pages with a finding that breaks a tool or its choice (`error`), of those with a callable tool",
        _LINTED_WITH_TOOLS,
        _NO_TOOLS_OR_LINT,
        _NOT_LINTED,
        _FOUND,
        where="errors > 0",
    ),
    Share(
        "lint_findings",
        "Pages with any finding, of those with a callable tool",
        _LINTED_WITH_TOOLS,
        _NO_TOOLS_OR_LINT,
        _NOT_LINTED,
        _FOUND,
        where="found > 0",
    ),
    _rules(
        "lint_tool_rules",
        "Which rule about tools fires on how many of the pages with a callable tool",
        "rule NOT LIKE 'page/%'",
        _LINTED_WITH_TOOLS,
        _NO_TOOLS_OR_LINT,
    ),
    _rules(
        "lint_page_rules",
        "Which rule about the page fires on how many measured pages",
        "rule LIKE 'page/%'",
        _LINTED,
        f"{_UNMEASURED}, or not linted",
    ),
    Tally(
        "origin_trial",
        "Status of the page's WebMCP origin-trial token",
        MEASURED,
        _UNMEASURED,
        by="COALESCE(origin_trial, 'no token')",
    ),
    Tally(
        "builds",
        "Browser builds that made the visits",
        "build IS NOT NULL",
        "targets that needed no browser",
        "outcome",
        by="build",
    ),
    Share(
        "vouched",
        "Captured pages whose browser read zero on the control page afterwards",
        "outcome = 'captured'",
        "pages not captured",
        "outcome",
        where="vouched",
    ),
    Share(
        "controls",
        "Control visits that read zero, as they must",
        "read",
        "control visits that could not be made",
        table="controls",
        reason="detail",
        where="good",
    ),
)
"""Every number that a release publishes, in order of the summary."""
