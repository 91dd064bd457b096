"""A release's report, for a reader who has never seen the tables."""

import json
from datetime import datetime

import polars as pl

from census.figures import OUTCOMES_FIGURE, TOOLS_FIGURE
from census.manifest import Manifest
from census.report_rates import rates_section
from census.screened import estimate_text, screened_section, was_screened
from census.summary import Parts, Rate, Summary
from census.tables import Tables
from census.text import escape_markdown, interval_text, markdown_table, percent, rate_text

_MOST_TOOLS = 10
_UNLISTED = ("unlisted_on_request", "unlisted_own_document", "unlisted_nowhere")


def write_report(manifest: Manifest, summary: Summary, tables: Tables) -> str:
    """Write `report.md`: every share with its interval and n, every page-supplied string escaped."""
    sections = (
        f"# WebMCP census {manifest.release_version}",
        _about(manifest, summary),
        "## How many pages have tools for agents",
        _headline(summary),
        "## How the visits ended",
        f"![Bar chart: how the visits ended]({OUTCOMES_FIGURE})",
        _tally("Outcome", summary.parts("outcomes")),
        "## The tools",
        _tools(summary),
        f"![Bar chart: how many tools a page has]({TOOLS_FIGURE})",
        "### Commonest names",
        _tally("Name", summary.parts("tool_names")),
        "### Pages with the most tools",
        _most_tools(tables["pages"]),
        "## Callable, but not in the page's own list",
        _unlisted(summary),
        "## What the page is offered",
        _tally("`document.modelContext`", summary.parts("api")),
        (
            "`native`: the object is there and answers. `blocked`: it is there and every call is rejected."
            " `insecure`: no object, because the page is not in a secure context. `none`: no object."
        ),
        _rates(summary, "dead_api", "polyfills"),
        "### Other passes over the same pages",
        (
            "A page that uses names of the API which are gone is visited a second time with these names standing for"
            " the native object; a random sample may be visited again with the full browser. These observations are in"
            " the table `observations` and in no other number."
        ),
        _rates(summary, "legacy_more_tools", "audit_differs"),
        *_inner(summary),
        "### Origin-trial tokens",
        "The browser had WebMCP switched on. A stock browser offers it only where the status is `Success`.",
        _tally("Status", summary.parts("origin_trial")),
        "## What lint finds",
        _lint(manifest, summary),
        *rates_section(manifest, tables["rates"], tables["trials"].height),
        "## How well the pages could be read",
        _rates(summary, "measured", "settled_at_deadline", "views_never_stable", "challenges", "logins"),
        "### Control visits",
        (
            "Between real pages the crawler opens a page of its own that registers nothing. It must read zero"
            " tools; when it does not, the visits since the last good one are made again."
        ),
        _rates(summary, "controls", "vouched"),
        "## How it was made",
        _made(manifest, summary),
    )
    return "\n\n".join(sections) + "\n"


def headlines(summary: Summary) -> str:
    """Write the numbers that a terminal shows after a build, one a line."""
    shares = [
        "measured",
        "adoption",
        "unlisted_on_request",
        "unlisted_own_document",
        "unlisted_nowhere",
        "dead_api",
    ]
    if summary.rate("lint_errors").n:
        shares.append("lint_errors")
    lines = [
        f"{summary.value('targets').value:,} targets, {summary.value('tools').value:,} callable tools",
        *(f"{rate.title}: {rate_text(rate)}" for rate in map(summary.rate, shares)),
        f"Left out of the measured pages: {_counts(summary.rate('adoption').leaves_out)}",
    ]
    if was_screened(summary):
        lines += [
            f"{number.title}: {estimate_text(number)}"
            for number in (summary.estimate("screened_share"), summary.estimate("screen_recall"))
        ]
    return "\n".join(lines)


def _counts(leaves_out: dict[str, int]) -> str:
    return ", ".join(f"{k:,} {reason}" for reason, k in leaves_out.items()) or "nothing"


def _about(manifest: Manifest, summary: Summary) -> str:
    builds = ", ".join(
        f"{build.browser} {build.build}{' (headless shell)' if build.shell else ''}" for build in manifest.builds
    )
    text = (
        f"{summary.value('targets').value:,} targets on {summary.value('sites').value:,} sites, visited"
        f" {_day(manifest.visited_from)} to {_day(manifest.visited_to)} with"
        f" {escape_markdown(builds) or 'no browser'}. One visit each, without a click or a login: what a page"
        " registers only after those is not counted."
    )
    if opted_out := manifest.outcomes.get("opted_out"):
        text += (
            f" {opted_out:,} further targets are of sites that opted out: they are counted here and appear in nothing"
            " else, no denominator included."
        )
    if manifest.carried:
        pages = ", ".join(f"{number:,} by {version}" for version, number in sorted(manifest.carried.items()))
        text += (
            f" {sum(manifest.carried.values()):,} pages were not visited again, as their servers said of the document"
            f" and every script that it had not changed: their rows are those of the visit in {pages}, with its time"
            " and its browser (`carried_from`). What such a page fetches as data may have changed all the same."
        )
    if manifest.partial:
        text += (
            f"\n\n**Partial: {manifest.unfinished:,} of {manifest.targets:,} targets have no final outcome."
            "** The gaps are not random, so no number here stands for the whole list."
        )
    return text


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d}" if time else "never"


def _headline(summary: Summary) -> str:
    adoption = summary.rate("adoption")
    screened = [screened_section(summary)] if was_screened(summary) else []
    # Of a list that was screened as a whole there is no page that stands for it; the estimate does.
    sentence = [] if screened and adoption.rate is None else [f"**{_headline_sentence(adoption)}**"]
    return "\n\n".join(
        (
            *sentence,
            *screened,
            f"The {adoption.n:,} leave out {_left_out(adoption)}.",
            _rates(summary, "adoption", "adoption_unhindered", "adoption_reached"),
            (
                "Intervals are 95 % Wilson intervals that treat pages as independent. Pages of one project"
                " are alike, so the truth is less certain than they say."
            ),
        )
    )


def _headline_sentence(adoption: Rate) -> str:
    if adoption.rate is None:
        return "No page was measured."
    return (
        f"{percent(adoption.rate)} of the measured pages have at least one tool that an agent could call"
        f" (95 % interval {interval_text(adoption)}; {adoption.k:,} of {adoption.n:,} pages)."
    )


def _left_out(number: Rate | Parts) -> str:
    if not number.leaves_out:
        return "nothing"
    return f"{number.leaves_out_says} ({escape_markdown(_counts(number.leaves_out), 1000)})"


def _left_out_briefly(rate: Rate) -> str:
    return f"{rate.leaves_out_says}: {sum(rate.leaves_out.values()):,}" if rate.leaves_out else "nothing"


def _rates(summary: Summary, *ids: str) -> str:
    rates = [summary.rate(id_) for id_ in ids]
    return markdown_table(
        ("", "share", "95 % interval", "count", "of", "left out"),
        (
            (
                rate.title,
                percent(rate.rate),
                interval_text(rate),
                f"{rate.k:,}",
                f"{rate.n:,}",
                _left_out_briefly(rate),
            )
            for rate in rates
        ),
    )


def _inner(summary: Summary) -> tuple[str, ...]:
    inner, only = summary.rate("inner_with_tools"), summary.value("inner_tools")
    if not inner.n:
        return ()
    return (
        "### Inner pages",
        (
            "Same-site links and routes of pages with signs of WebMCP were visited as well. They are on no target list"
            f" and in no other number. {only.title}: {only.value:,}."
        ),
        _rates(summary, "inner_with_tools"),
    )


def _tally(heading: str, tally: Parts) -> str:
    table = markdown_table(
        (heading, "count", "share", "95 % interval"),
        ((escape_markdown(part.part), f"{part.k:,}", percent(part.rate), interval_text(part)) for part in tally.parts),
    )
    return f"{table}\n\nn = {tally.n:,}; left out: {_left_out(tally)}."


def _tools(summary: Summary) -> str:
    median, most = summary.value("tools_median").value, summary.value("tools_max").value
    tools = summary.value("tools").value
    with_tools = summary.parts("tools_per_page").n
    text = f"{tools:,} callable tools on {with_tools:,} pages"
    if with_tools:
        text += f"; a page that has any has {median:g} (median), and the most is {most:,}"
    return f"{text}.\n\n{_rates(summary, 'forms')}"


def _most_tools(pages: pl.DataFrame) -> str:
    top = (
        pages.filter(pl.col("tools_callable") > 0)
        .sort("tools_callable", descending=True, maintain_order=True)
        .head(_MOST_TOOLS)
    )
    rows = top.select("target_url", "site", "tools_callable").iter_rows()
    return markdown_table(
        ("Page", "Site", "Tools"),
        ((escape_markdown(url), escape_markdown(site), f"{tools:,}") for url, site, tools in rows),
    )


def _unlisted(summary: Summary) -> str:
    return "\n\n".join(
        (
            (
                "The browser can offer an agent a tool that the page's own `getTools()` does not list. The"
                " three kinds are different things, and a page can have more than one."
            ),
            _rates(summary, *_UNLISTED),
            _tally("Tools, by listing", summary.parts("listing")),
        )
    )


def _lint(manifest: Manifest, summary: Summary) -> str:
    if manifest.lint is None:
        return (
            "Lint was not run on these visits, so nothing is said about findings: that is not the same as none."
            " `webmcp-census lint RUN` before the build adds them."
        )
    return "\n\n".join(
        (
            (
                f"{len(manifest.lint.rules):,} static rules, run on {manifest.lint.visits:,} captured pages by"
                f" webmcp-census {escape_markdown(manifest.lint.code_version)}. A page counts once for a rule, however"
                " many of its tools the rule fires on; the findings are in the table `findings`."
            ),
            _rates(summary, "lint_errors", "lint_findings"),
            _tally("Rule about tools", summary.parts("lint_tool_rules")),
            _tally("Rule about the page", summary.parts("lint_page_rules")),
        )
    )


def _made(manifest: Manifest, summary: Summary) -> str:
    lists = markdown_table(
        ("Target list", "SHA-256", "Targets", "Crawl begun", "Crawler"),
        (
            (
                escape_markdown(run.targets_name),
                run.targets_sha256,
                f"{run.targets:,}",
                f"{run.created_at:%Y-%m-%d %H:%M} UTC",
                escape_markdown(run.code_version),
            )
            for run in manifest.runs
        ),
    )
    settings = markdown_table(
        ("Setting", "Value"),
        (
            (escape_markdown(name), escape_markdown(json.dumps(value, sort_keys=True, ensure_ascii=False)))
            for name, value in sorted(manifest.settings.items())
        ),
    )
    return "\n\n".join(
        (
            lists,
            _tally("Build", summary.parts("builds")),
            settings,
            "Each number is in `summary.json`, with the SQL over `data/*.parquet` that gives it.",
            f"Schema {manifest.schema_version}, built by webmcp-census {manifest.code_version}.",
        )
    )
