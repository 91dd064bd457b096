"""The command `crawl`."""

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from census.optout import OPT_OUT_LIST, OptOut
from census.text import inert
from census.vocabulary import OURS
from crawler.crawl import CrawlResult, crawl
from crawler.options import audit_browser, chosen_browser, crawl_settings, visit_options
from crawler.target_list import TargetList, read_target_list


@click.command("crawl", short_help="Visit every target, keep what each shows in RUN.")
@click.argument("targets", metavar="TARGETS")
@click.option(
    "--out",
    "out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Folder of this crawl. When it exists, the crawl goes on where it stopped.",
)
@click.option("--concurrency", default=4, show_default=True, type=click.IntRange(1, 64), help="Visits at once.")
@click.option(
    "--delay",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0),
    metavar="S",
    help="Seconds between two visits of one site.",
)
@click.option("--robots/--no-robots", default=True, show_default=True, help="Obey robots.txt.")
@click.option(
    "--retries",
    default=1,
    show_default=True,
    type=click.IntRange(0, 10),
    help="Further attempts at what may pass: timeouts, refused connections, 429, 5xx, crashes.",
)
@click.option(
    "--retry-delay",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0),
    metavar="S",
    help="Seconds before the second attempt; doubled for each one after it.",
)
@click.option(
    "--control-host",
    metavar="HOST[:PORT]",
    help="Answers whenever our own network is up: tells a dead site from a dead network.",
)
@click.option(
    "--control-every",
    default=25,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Visits of a browser between two visits of the control page.",
)
@click.option(
    "--legacy/--no-legacy",
    default=True,
    show_default=True,
    help="Visit a page that uses names of the API which are gone a second time, with these names restored.",
)
@click.option(
    "--audit",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Share of the captured pages that the full browser visits again.",
)
@click.option("--audit-browser", metavar="PATH", help="The full browser [default: the first one found].")
@click.option("--strict", is_flag=True, help="Stop at the first line of TARGETS that cannot be read.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@visit_options
def crawl_command(targets: str, out: Path, strict: bool, as_json: bool, **options: Any) -> int:
    """Visit every target with a real browser and keep what each page shows in RUN.

    Exits 0 when every target has its outcome, 2 when some have none or all outcomes are failures of ours.

    TARGETS is a list: JSONL, JSON, CSV with a `url` column, or text with a URL a line; `-` reads stdin.
    Ctrl-C or a crash loses nothing: run the same command again and it goes on.

    \b
    Example:
      webmcp-census crawl targets.jsonl --out run --contact https://example.org/census
    """  # fmt: skip
    listed = read_target_list(targets, strict=strict)
    for problem in listed.problems:
        click.echo(f"skipped {inert(str(problem))}", err=True)
    if options["opt_out"] is None and not OPT_OUT_LIST.exists():
        click.echo(f"no opt-out list: there is no {OPT_OUT_LIST} here and --opt-out names none", err=True)
    path, browser = chosen_browser(options["browser"])
    audit = audit_browser(options)
    result = crawl(
        out,
        listed,
        crawl_settings(browser, options, audit),
        targets_name=Path(targets).name,
        browser=browser,
        browser_path=path,
        optout=OptOut.named_or_default(options["opt_out"]),
        audit=audit,
    )
    if as_json:
        click.echo(json.dumps(_as_json(listed, result), indent=1))
    else:
        click.echo(_in_words(out, listed, result))
    ours = sum(result.counts.outcomes.get(outcome, 0) for outcome in OURS)
    if ours:
        click.echo(
            f"{ours} targets have an outcome that is ours, not the page's: see `outcome_detail`,"
            " and try `webmcp-census doctor`",
            err=True,
        )
    return 0 if result.counts.complete and (not ours or ours < result.counts.finished) else 2


def _as_json(listed: TargetList, result: CrawlResult) -> dict[str, Any]:
    return {"list": asdict(listed.counts), "interrupted": result.interrupted, **asdict(result.counts)}


def _in_words(out: Path, listed: TargetList, result: CrawlResult) -> str:
    counts = result.counts
    lines = [f"{counts.finished} of {counts.targets} targets have their outcome, in {out}"]
    lines += [f"  {number:>7}  {outcome}" for outcome, number in sorted(counts.outcomes.items(), key=lambda i: -i[1])]
    skipped = {name: number for name, number in asdict(listed.counts).items() if name != "targets" and number}
    if skipped:
        lines.append("not visited: " + ", ".join(f"{number} {name}" for name, number in skipped.items()))
    if counts.observations:
        lines.append(f"{counts.observations_finished} of {counts.observations} further observations are made")
    if not counts.complete:
        why = "interrupted; " if result.interrupted else ""
        lines.append(f"{why}run the same command again to go on:\n  {shlex.join(['webmcp-census', *sys.argv[1:]])}")
    else:
        lines.append(f"next: webmcp-census build {out} --out RELEASE")
    return "\n".join(lines)
