"""The command `crawl`."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from census.errors import CensusError
from census.optout import OptOut, warn_without_list
from census.text import inert
from crawler.crawl import crawl
from crawler.crawl_answer import answer
from crawler.crawl_verbs import (
    collect_command,
    drain_command,
    frontier_option,
    optional_address,
    requeue_command,
    status_command,
)
from crawler.options import audit_browser, chosen_browser, crawl_settings, full_browser, visit_options
from crawler.postgres.address import ENVIRONMENT, FrontierAddress
from crawler.screen.command import after_screen, screen_options, screen_stage, visits_at_once
from crawler.target_list import read_target_list
from crawler.verbs import CommandWithVerbs

_WORKERS_OWN = frozenset({"frontier", "worker", "browser", "audit_browser", "concurrency", "as_json"})
"""What a worker may say for itself."""


@click.command(
    "crawl",
    cls=CommandWithVerbs,
    verbs=(status_command, requeue_command, drain_command, collect_command),
    short_help="Visit every target, keep what each shows in RUN.",
)
@click.argument("targets", metavar="TARGETS", required=False)
@click.option(
    "--out",
    "out",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Folder of this crawl. When it exists, the crawl goes on where it stopped.",
)
@click.option(
    "--concurrency", type=click.IntRange(1, 1000), help="Visits at once [default: 4; of the screen: 100 pages]."
)
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
@click.option(
    "--since",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="RELEASE",
    help="The last release: what had tools, changed or failed in it comes first, and what has not changed since by the"
    " word of its server is not visited; `build --previous RELEASE` carries its rows over.",
)
@click.option(
    "--depth",
    default=0,
    show_default=True,
    type=click.IntRange(0, 1),
    help="1: visit same-site links and routes of pages with signs of WebMCP too, as observations.",
)
@click.option("--per-site", type=click.IntRange(min=1), metavar="K", help="Inner pages of a site [default: 10].")
@screen_options
@frontier_option
@click.option("--worker", is_flag=True, help="Work on the crawl in --frontier; its list and settings are there.")
@click.option("--add-only", is_flag=True, help="Put the targets into --frontier and leave the visits to workers.")
@click.option(
    "--evidence",
    metavar="PLACE",
    help="Where the workers of --frontier keep records: s3://BUCKET/PREFIX, or a folder that all of them see"
    " [default: RUN/evidence].",
)
@click.option("--strict", is_flag=True, help="Stop at the first line of TARGETS that cannot be read.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@visit_options
@click.pass_context
def crawl_command(
    context: click.Context, /, targets: str | None, out: Path | None, strict: bool, as_json: bool, **options: Any
) -> int:
    """Visit every target with a real browser and keep what each page shows in RUN.

    Exits 0 when every target has its outcome, 2 when some have none or all outcomes are failures of ours.

    TARGETS is a list: JSONL, JSON, CSV with a `url` column, or text with a URL a line; `-` reads stdin.
    Ctrl-C or a crash loses nothing: run the same command again and it goes on.

    Many machines: one command with --frontier and TARGETS begins, any number with --worker take part.

    \b
    Example:
      webmcp-census crawl targets.jsonl --out run --contact https://example.org/census
      webmcp-census crawl targets.jsonl --stage screen --out run --contact https://example.org/census
      webmcp-census crawl --worker --frontier postgresql://census@db.example.org/census
    """  # fmt: skip
    address = optional_address(options["frontier"])
    if options["worker"]:
        return _worker(context, address, as_json)
    if targets is None:
        raise click.MissingParameter(ctx=context, param=_parameter(context, "targets"))
    if address is None and (options["add_only"] or options["evidence"]):
        raise CensusError("--add-only and --evidence are for a crawl that workers share; name it with --frontier")
    if out is None and (options["stage"] == "screen" or not (options["add_only"] and options["evidence"])):
        raise click.MissingParameter(ctx=context, param=_parameter(context, "out"))
    listed = read_target_list(targets, strict=strict)
    for problem in listed.problems:
        click.echo(f"skipped {inert(str(problem))}", err=True)
    warn_without_list(options["opt_out"])
    optout = OptOut.named_or_default(options["opt_out"])
    first = 0
    if options["since"] is not None:
        from crawler.since import since

        due = since(options["since"], listed)
        listed, first = due.targets, due.first
        click.echo(f"{first} targets are due first; {due.may_be_carried} are asked if they have changed", err=True)
    if options["stage"] == "screen":
        assert out is not None
        return screen_stage(out, listed, Path(targets).name, options | {"as_json": as_json}, optout)
    options["concurrency"] = visits_at_once(options)
    path, browser = chosen_browser(options["browser"])
    audit = audit_browser(options)
    listed, settings = after_screen(out, listed, crawl_settings(browser, options, audit), options)
    if address is not None:
        from crawler.shared_crawl import Machine, begin_shared, work_and_collect

        place = options["evidence"] or str((out or Path()).resolve() / "evidence")
        begin_shared(address, listed, Path(targets).name, settings, optout, place, first)
        if options["add_only"]:
            click.echo(f"{listed.counts.targets} targets wait for workers in {address}")
            return 0
        assert out is not None
        result = work_and_collect(address, Machine(browser, path, audit), out)
    else:
        assert out is not None
        result = crawl(
            out,
            listed,
            settings,
            targets_name=Path(targets).name,
            browser=browser,
            browser_path=path,
            optout=optout,
            audit=audit,
            first=first,
        )
    return answer(result, listed=listed, out=out, as_json=as_json)


def _worker(context: click.Context, address: FrontierAddress | None, as_json: bool) -> int:
    """Take part in the crawl in a database, with this machine's browser."""
    if address is None:
        raise CensusError(f"--worker needs --frontier postgresql://USER@HOST/DATABASE, or {ENVIRONMENT}")
    given = [
        each.opts[-1]
        for each in context.command.params
        if context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
        and each.name not in _WORKERS_OWN
    ]
    if given:
        raise CensusError(f"--worker takes the crawl's own list and settings; leave out {', '.join(given)}")
    from crawler.shared_crawl import Machine, work_on

    options = context.params
    path, browser = chosen_browser(options["browser"])
    audit = full_browser(options["audit_browser"]) if options["audit_browser"] else None
    own = context.get_parameter_source("concurrency") is ParameterSource.COMMANDLINE
    machine = Machine(browser, path, audit, visits_at_once(options) if own else None)
    return answer(work_on(address, machine), listed=None, out=None, as_json=as_json)


def _parameter(context: click.Context, name: str) -> click.Parameter:
    return next(each for each in context.command.params if each.name == name)
