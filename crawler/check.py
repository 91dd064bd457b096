"""`check URL`: one page, live: its record as the census would keep it."""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape

from census.errors import CensusError
from census.optout import OptOut
from census.run import Run
from census.tables import build_tables
from census.target import Target
from crawler.crawl import crawl
from crawler.options import chosen_browser, visit_options, visit_settings
from crawler.outcomes import RetryPolicy
from crawler.settings import CrawlSettings
from crawler.target_list import Counts, TargetList

Record = dict[str, Any]

_SHOWN = 160
"""Characters of a description that fit in a terminal; `--json` has all of it."""


@click.command("check", short_help="Visit one page and show its record.")
@click.argument("url")
@click.option("--robots/--no-robots", default=True, show_default=True, help="Obey robots.txt.")
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@visit_options
def check_command(url: str, robots: bool, as_json: bool, **options: Any) -> int:
    """Visit one page and show what the census would record of it.

    \b
    Example:
      webmcp-census check https://example.org/
      webmcp-census check http://localhost:3000/ --allow-private
    """
    try:
        target = Target(url=url)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise CensusError(f"{url!r}: {reason}; give a whole URL such as https://example.org/") from None
    path, browser = chosen_browser(options["browser"])
    settings = CrawlSettings(
        visit=visit_settings(browser, options, contact_needed=False),
        browser=f"{browser.name} {browser.build}",
        concurrency=1,
        delay=0.0,
        robots=robots,
        control_every=0,
        legacy=False,
        retry=replace(RetryPolicy(), retries=0),
    )
    with tempfile.TemporaryDirectory(prefix="webmcp-census-") as folder:
        run = Path(folder)
        crawl(
            run,
            TargetList((target,), Counts(1, 0, 0, 0), ()),
            settings,
            targets_name="check",
            browser=browser,
            browser_path=path,
            optout=OptOut.named_or_default(options["opt_out"]),
            show_progress=False,
        )
        record = record_of(Run(run))
    if as_json:
        click.echo(json.dumps(record, indent=1, default=str))
    else:
        show(record)
    return 0 if record["page"]["outcome"] == "captured" else 2


def record_of(run: Run) -> Record:
    """The one page of a RUN as its rows in the release's tables."""
    tables = build_tables(run.final_visits(), run.controls())
    pages = tables["pages"].to_dicts()
    if not pages:
        raise CensusError("the visit was interrupted before it had an outcome; run the command again")
    return {"page": pages[0], "frames": tables["frames"].to_dicts(), "tools": tables["tools"].to_dicts()}


def show(record: Record) -> None:
    """Print the record for a person."""
    console = Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())
    page = record["page"]
    console.print(f"[bold]{_inert(page['target_url'])}[/bold]")
    if page["final_url"] and page["final_url"] != page["target_url"]:
        console.print(f"  led to {_inert(page['final_url'])}")
    detail = f" ({page['outcome_detail']})" if page["outcome_detail"] else ""
    client = f", with {page['browser']} {page['build']}" if page["build"] else ""
    console.print(f"  {_inert(page['outcome'] + detail + client)}")
    if page["outcome"] != "captured":
        return
    for line in _findings(record):
        console.print(f"  {_inert(line)}")
    for tool in record["tools"]:
        for line in _tool_lines(tool):
            console.print(line)
    blocked = [frame for frame in record["frames"] if frame["frame"] != "top" and frame["error"]]
    for frame in blocked:
        console.print(f"  {frame['frame']} {_inert(frame['url'])}: {_inert(frame['error'])}")


def _findings(record: Record) -> list[str]:
    page = record["page"]
    lines = [f"API: {page['api'] or 'unknown'}; documents: {len(record['frames'])}; settled: {page['settled']}"]
    if page["tools_callable"] is not None:
        lines.append(
            f"an agent could call {_tools(page['tools_callable'])};"
            f" {_known(page['tools_listed'])} listed by the page, {_known(page['tools_unlisted'])} unlisted"
        )
    else:
        why = page["browser_view_error"] or page["page_view_error"] or "no answer"
        lines.append(f"what an agent could call is unknown: {page['unmeasured']} ({why})")
    if page["api"] == "insecure":
        lines.append("the page is not a secure context, so it has no WebMCP: serve it over https")
    if page["api"] == "blocked":
        lines.append(f"every call of the API is rejected ({record['frames'][0]['error']}): a policy header blocks it")
    if page["old_api"] and not page["tools_callable"]:
        names = ", ".join(page["old_api"])
        lines.append(f"declared, dead in this browser: its scripts use {names}; use document.modelContext.registerTool")
    if page["views_stable"] is False:
        lines.append("the page never held still, so nothing is said about which tools are listed")
    return lines


def _tools(number: int) -> str:
    return "1 tool" if number == 1 else f"{number} tools"


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _tool_lines(tool: Record) -> list[str]:
    cause = f" ({tool['listing_cause']})" if tool["listing_cause"] else ""
    kind = tool["kind"] or "only in the page's own list"
    facts = [kind, f"in {tool['frame']}", (tool["listing"] or "listing unknown") + cause]
    description = " ".join((tool["description"] or "").split())
    shown = description if len(description) <= _SHOWN else description[:_SHOWN] + "…"
    return [f"  [bold]{_inert(tool['name'])}[/bold]  {_inert(', '.join(facts))}", f"      {_inert(shown)}"]


def _inert(text: str) -> str:
    """What a page says, made neither markup nor a code that a terminal obeys."""
    return escape("".join(each if each.isprintable() else f"⟨U+{ord(each):04X}⟩" for each in text))
