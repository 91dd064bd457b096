"""What `crawl --stage screen` and `--screen-sample` do."""

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from census.errors import CensusError
from census.optout import OptOut
from census.vocabulary import Screen
from crawler.names import HostResolverRules
from crawler.screen.settings import ScreenSettings
from crawler.screen.stage import ScreenResult, run_screen, screened, verdicts
from crawler.settings import CrawlSettings, plain_user_agent
from crawler.target_list import TargetList

STAGES = ("screen", "visit")
SAMPLE = 0.02
CONCURRENCY = 100
_MOST_VISITS = 64

_OPTIONS = (
    click.option(
        "--stage", type=click.Choice(STAGES), default="visit", show_default=True,
        help="`screen` reads pages and their scripts without a browser; the next `crawl` into the same RUN visits those"
        " that have a sign of WebMCP, and a sample of the others.",
    ),
    click.option(
        "--screen-sample", type=click.FloatRange(0, 1), metavar="SHARE",
        help=f"Share of the pages without a sign that is visited all the same [default: {SAMPLE}].",
    ),
    click.option("--screen-seed", metavar="TEXT", help="Decides which pages these are [default: 1]."),
)  # fmt: skip


def screen_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the screen."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def screen_stage(out: Path, listed: TargetList, name: str, options: dict[str, Any], optout: OptOut) -> int:
    """Screen the targets into RUN, say what was found, and return the exit code: 0 when all are screened, else 2."""
    visits_only = [flag for flag in ("frontier", "worker", "add_only", "evidence", "audit") if options[flag]]
    if visits_only:
        raise CensusError(
            f"--stage screen runs on one machine, without a browser: leave out --{visits_only[0].replace('_', '-')}"
        )
    if options["screen_sample"] is not None or options["screen_seed"] is not None:
        raise CensusError("--screen-sample and --screen-seed are for the visits after the screen: give them there")
    settings = _settings(options)
    result = run_screen(
        out, listed, settings, targets_name=name, optout=optout, concurrency=options["concurrency"] or CONCURRENCY
    )
    click.echo(json.dumps(asdict(result), indent=1) if options["as_json"] else "\n".join(_lines(result, out)))
    return 0 if result.counts.complete else 2


def after_screen(
    out: Path | None, listed: TargetList, settings: CrawlSettings, options: dict[str, Any]
) -> tuple[TargetList, CrawlSettings]:
    """The targets and settings of the visits that follow a screen in RUN; unchanged when there was none.

    Raises CensusError when the screen is not complete or is of another list, or when there is none to sample from.
    """
    share, seed = options["screen_sample"], options["screen_seed"]
    sample = SAMPLE if share is None else share
    found = screened(out, listed, sample, seed or "1") if out is not None else None
    if found is None:
        if share is not None or seed is not None:
            raise CensusError(
                f"--screen-sample: {out or 'there'} has no screen; make one first with"
                f" `webmcp-census crawl TARGETS --stage screen --out {out or 'RUN'}`"
            )
        return listed, settings
    counts = verdicts(found)
    words = ", ".join(f"{counts.get(word, 0):,} {word}" for word in Screen if counts.get(word))
    click.echo(f"screened: {words} (sample {sample:g})", err=True)
    return found, replace(settings, screen_sample=sample, screen_seed=seed or "1")


def visits_at_once(options: dict[str, Any], default: int = 4) -> int:
    """`--concurrency` of visits. Raises CensusError when a machine cannot do that."""
    wanted = options["concurrency"] or default
    if wanted > _MOST_VISITS:
        raise CensusError(f"--concurrency {wanted}: a machine visits at most {_MOST_VISITS} pages at once")
    return int(wanted)


def _settings(options: dict[str, Any]) -> ScreenSettings:
    rules = HostResolverRules(options["host_resolver_rules"])
    contact = options["contact"]
    if not (contact or options["user_agent"] or options["allow_private"]):
        raise CensusError(
            "say who you are: --contact URL-or-mail ends the user agent, so that a site can reach you"
            " (not needed with --allow-private)"
        )
    return ScreenSettings(
        user_agent=options["user_agent"] or plain_user_agent(contact or "local"),
        delay=options["delay"],
        robots=options["robots"],
        host_resolver_rules=rules.text,
        allow_private=options["allow_private"],
    )


def _lines(result: ScreenResult, out: Path) -> list[str]:
    counts = result.counts
    lines = [f"{counts.finished} of {counts.targets} targets are screened, in {out}"]
    lines += [f"  {number:>7}  {word}" for word, number in result.signs.items()]
    again = shlex.join(["webmcp-census", *sys.argv[1:]])
    if counts.complete:
        lines.append(
            f"next: the same command without `--stage screen` visits those with evidence, those unread, and"
            f" {SAMPLE:.0%} of the others (--screen-sample)"
        )
    else:
        lines.append(f"{'interrupted; ' if result.interrupted else ''}run the same command again to go on:\n  {again}")
    return lines
