"""Options that the crawler's commands share, and what they make of them."""

import re
import zoneinfo
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from census.errors import CensusError
from census.optout import opt_out_option
from census.visit import Browser
from crawler.browser import find_browser, find_full_browser, identify
from crawler.names import HostResolverRules
from crawler.network import parse_host_port
from crawler.outcomes import RetryPolicy
from crawler.settings import CrawlSettings, VisitSettings, user_agent
from crawler.settle import SettleLimits

INNER_PAGES = 10
"""Of a site, unless `--per-site` says otherwise."""

_VISIT_OPTIONS = (
    click.option("--browser", metavar="PATH", help="Browser to use [default: the one that `doctor` finds]."),
    click.option("--allow-private", is_flag=True, help="Allow private, loopback and link-local addresses."),
    click.option(
        "--host-resolver-rules", default="", metavar="RULES",
        help="Chromium's, for closed networks and tests: `MAP *.test 127.0.0.1, MAP * ~NOTFOUND`.",
    ),
    click.option("--contact", metavar="URL|MAIL", help="Who you are; ends the user agent. Needed on the public web."),
    click.option("--user-agent", metavar="TEXT", help="The whole user agent, instead of the one made from --contact."),
    click.option("--locale", default="en-US", show_default=True, help="Language that pages are asked for."),
    click.option("--timezone", default="UTC", show_default=True, help="Time zone that pages see."),
    click.option("--viewport", default="1280x800", show_default=True, metavar="WxH", help="Size that pages see."),
    click.option("--navigation-timeout", default=30.0, show_default=True, type=click.FloatRange(0.1), metavar="S",
                 help="Seconds for a document to begin to arrive, after a redirect anew."),
    click.option("--visit-deadline", default=90.0, show_default=True, type=click.FloatRange(1), metavar="S",
                 help="Seconds for a whole visit."),
    click.option("--settle-cap", default=SettleLimits().cap, show_default=True, type=click.FloatRange(1), metavar="S",
                 help="Seconds after which a page is read however busy it is."),
    opt_out_option("Sites that are left alone"),
)  # fmt: skip


def visit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a visit is made."""
    for option in reversed(_VISIT_OPTIONS):
        command = option(command)
    return command


def chosen_browser(browser: str | None) -> tuple[Path, Browser]:
    """The browser's path and identity. Raises CensusError when there is none, saying how to get one."""
    path = find_browser(browser)
    return path, identify(path)


def visit_settings(browser: Browser, options: dict[str, Any], *, contact_needed: bool) -> VisitSettings:
    """The settings that the options mean. Raises CensusError naming an option that cannot be used."""
    rules = HostResolverRules(options["host_resolver_rules"])
    if options["timezone"] not in zoneinfo.available_timezones():
        raise CensusError(f"--timezone {options['timezone']!r}: no such time zone; write one as Europe/Paris or UTC")
    if not re.fullmatch(r"[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*", options["locale"]):
        raise CensusError(f"--locale {options['locale']!r}: write a language tag such as en-US")
    contact = options["contact"]
    if contact_needed and not (contact or options["user_agent"] or options["allow_private"]):
        raise CensusError(
            "say who you are: --contact URL-or-mail ends the user agent, so that a site can reach you"
            " (not needed with --allow-private)"
        )
    return VisitSettings(
        user_agent=options["user_agent"] or user_agent(browser.build, contact or "local"),
        locale=options["locale"],
        timezone=options["timezone"],
        viewport=_viewport(options["viewport"]),
        navigation_timeout=options["navigation_timeout"],
        visit_deadline=options["visit_deadline"],
        settle=SettleLimits(cap=options["settle_cap"]),
        host_resolver_rules=rules.text,
        allow_private=options["allow_private"],
    )


def crawl_settings(browser: Browser, options: dict[str, Any], audit: tuple[Path, Browser] | None) -> CrawlSettings:
    """The settings of a RUN that the options of `crawl` mean. Raises CensusError."""
    if options["control_host"]:
        parse_host_port(options["control_host"])
    if options["per_site"] is not None and not options["depth"]:
        raise CensusError("--per-site says how many inner pages; give --depth 1 too")
    visit = visit_settings(browser, options, contact_needed=True)
    return CrawlSettings(
        visit=replace(visit, links=bool(options["depth"]), validators=True),
        browser=named(browser),
        concurrency=options["concurrency"],
        delay=options["delay"],
        robots=options["robots"],
        retry=RetryPolicy(options["retries"], options["retry_delay"]),
        control_host=options["control_host"],
        control_every=options["control_every"],
        legacy=options["legacy"],
        audit=options["audit"],
        depth=options["depth"],
        per_site=(options["per_site"] or INNER_PAGES) if options["depth"] else 0,
        audit_browser=named(audit[1]) if audit is not None else None,
    )


def audit_browser(options: dict[str, Any]) -> tuple[Path, Browser] | None:
    """The browser of the audit pass, when a share is to be audited. Raises CensusError when there is none."""
    if not options["audit"]:
        return None
    return full_browser(options["audit_browser"])


def full_browser(browser: str | None) -> tuple[Path, Browser]:
    """The full browser that is named, or the first one found. Raises CensusError when there is none."""
    path = find_full_browser(browser)
    return path, identify(path)


def named(browser: Browser) -> str:
    """Product and build, as the settings of a RUN name it."""
    return f"{browser.name} {browser.build}{' (headless-shell)' if browser.shell else ''}"


def _viewport(text: str) -> tuple[int, int]:
    width, x, height = text.partition("x")
    if not (x and width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise CensusError(f"--viewport {text!r}: write it as 1280x800")
    return int(width), int(height)
