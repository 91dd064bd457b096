"""What is counted beside the pages of the list that were visited: estimates of the others, and inner pages."""

# ruff: noqa: S608 -- the SQL is put together from constants of this house

from typing import Literal

from census.conditions import MEASURED, WITH_TOOLS
from census.number import Count, Estimate, Number, Share

_LEFT = "screen IN ('none_sampled', 'none_not_visited')"


def _screened(id_: str, title: str, unit: str, form: Literal["missed", "recall", "share", "items"]) -> Estimate:
    return Estimate(
        id_,
        title,
        unit,
        form,
        found_sql=f"SELECT COUNT(*) FROM pages WHERE screen IN ('evidence', 'unread') AND {WITH_TOOLS}",
        stratum_sql=f"SELECT COUNT(*) FROM pages WHERE {_LEFT}",
        sample_sql="SELECT COUNT(*) FROM pages WHERE screen = 'none_sampled'",
        sample_found_sql=f"SELECT COUNT(*) FROM pages WHERE screen = 'none_sampled' AND {WITH_TOOLS}",
        total_sql="SELECT COUNT(*) FROM pages WHERE screen IS NOT NULL",
        mean_sql=f"SELECT AVG(tools_callable) FROM pages WHERE screen IS NOT NULL AND {WITH_TOOLS}",
    )


SCREENED: tuple[Estimate, ...] = (
    _screened(
        "screened_share",
        "Screened targets on which a visit would find a callable tool",
        "share of targets",
        "share",
    ),
    _screened(
        "screen_missed",
        "Targets without a sign for the screen on which a visit would find a callable tool",
        "targets",
        "missed",
    ),
    _screened(
        "screen_missed_tools",
        "Their tools, if such a page has as many as the pages with tools have on average",
        "tools",
        "items",
    ),
    _screened(
        "screen_recall",
        "Of the screened targets with a callable tool, the share that the screen sends to the browser",
        "share of targets with tools",
        "recall",
    ),
)
"""The published numbers about the screen, in order of the summary."""

INNER: tuple[Number, ...] = (
    Share(
        "inner_with_tools",
        "Inner pages with a callable tool: same-site links of pages with signs of WebMCP, on no target list",
        f"pass = 'inner' AND {MEASURED}",
        "visits of other passes, and inner pages that were not measured",
        "COALESCE(unmeasured, 'other_pass')",
        "observations",
        "COUNT(DISTINCT visit_id)",
        where=WITH_TOOLS,
    ),
    Count(
        "inner_tools",
        "Tools (site and name) that only inner pages have",
        "tools",
        "SELECT COUNT(*)"
        " FROM (SELECT DISTINCT site, name FROM observations WHERE pass = 'inner' AND callable) AS inner_"
        " LEFT JOIN (SELECT DISTINCT site AS main_site, name AS main_name FROM tools WHERE callable) AS main"
        " ON site = main_site AND name = main_name WHERE main_name IS NULL",
    ),
)
"""The published numbers about inner pages."""
