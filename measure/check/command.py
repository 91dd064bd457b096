"""`webmcp-census check`: one page, live."""

import json
from functools import partial
from typing import Any

import click
from pydantic import JsonValue

from crawler.options import visit_options
from measure.check.live_page import target_of, visit_page
from measure.compatibility.builds_option import builds_option
from measure.gate import gate_options
from measure.outputs.formats import output_options, outputs_of, write_outputs


@click.command("check", short_help="Visit one page: what an agent would see, and what to fix.")
@click.argument("url")
@click.option("--robots/--no-robots", default=True, show_default=True, help="Obey robots.txt.")
@builds_option
@output_options
@gate_options
@visit_options
def check_command(url: str, robots: bool, builds: str | None, as_json: bool, **options: Any) -> int:
    """Visit one page and say what an agent would see of it, what is wrong, and how to put it right.

    No tool of the page is called.

    \b
    Examples:
      webmcp-census check https://example.org/
      webmcp-census check http://localhost:3000/ --allow-private
      webmcp-census check https://example.org/ --builds 156,150

    Exits 0 when no finding is at or above --fail-on, 1 when one is, 2 when the page could not be read or has no tools.
    """
    target_of(url)
    outputs = outputs_of(options["formats"], as_json, options["output"])
    visit = visit_page(url, options, robots=robots)
    # Polars and the rules take seconds to import: after the arguments are known to be good.
    from census.tables import build_tables
    from measure.check.agent_view import agent_view
    from measure.check.page_report import page_report
    from measure.check.view import show_check
    from measure.compatibility.in_builds import plain, sentences, support_in
    from measure.compatibility.page_use import use_of_visit
    from measure.lint.visit_manifest import manifest_of_visit

    tables = build_tables([visit], [])
    manifest = manifest_of_visit(visit)
    record: dict[str, JsonValue] = {
        "page": _plain(tables["pages"].to_dicts()[0]),
        "frames": _plain(tables["frames"].to_dicts()),
        "tools": _plain(tables["tools"].to_dicts()),
        "agent_view": agent_view(manifest.tools),
    }
    supports = support_in(builds, use_of_visit(visit, manifest)) if builds else []
    if builds:
        record["builds"] = plain(supports)
    report = page_report("check", visit, options, record, sentences(supports))
    write_outputs(report, outputs, partial(show_check, visit, manifest))
    return report.exit_code


def _plain(rows: object) -> JsonValue:
    value: JsonValue = json.loads(json.dumps(rows, default=str))
    return value
