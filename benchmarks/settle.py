"""What the settling rule misses, and what it costs: each page by the rule, and again with a stay of 30 seconds.

Example: python benchmarks/settle.py
         python benchmarks/settle.py --list urls.txt
"""

import argparse
import asyncio
import statistics
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import async_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from census.target import Target
from census.visit import Browser, Visit
from census.vocabulary import Outcome
from crawler.browser import find_browser, identify, launch_arguments, sandboxed
from crawler.capture import capture
from crawler.gate import Gate
from crawler.settings import VisitSettings, user_agent
from crawler.settle import SettleLimits
from crawler.target_list import read_target_list
from crawler.visit_record import Job
from tests.sites.registry import TOPICS, sites_of
from tests.sites.server import RESOLVER_RULES, SmallWeb

LONG = 30.0
TIMING = ("when tools come", "small apps", "forms")


@dataclass(frozen=True, slots=True)
class Settled:
    """One page: what the rule saw of what a long stay sees, and how long it stayed."""

    url: str
    seen: int
    there: int
    idle_s: float
    """Seconds between the last change (the load event, or the last tool that came) and the reading."""
    reason: str
    missed: tuple[str, ...]
    too_late: int
    """Of the missed, those that came longer after the change before them than the rule ever waits."""


def main() -> None:
    """Measure, print a line for each page and the three figures."""
    options = _options()
    if options.list:
        pages = asyncio.run(_measure([target.url for target in read_target_list(options.list).targets], options))
    else:
        gold = [page for topic in TIMING for page in TOPICS[topic]]
        with SmallWeb(sites_of(gold)) as web:
            pages = asyncio.run(_measure([page.target(web) for page in gold], options))
    for page in sorted(pages, key=lambda each: each.idle_s):
        missed = f"  missed {', '.join(page.missed)}" if page.missed else ""
        print(f"{page.idle_s:6.1f} s  {page.seen:4} of {page.there:4} tools  {page.reason:16} {page.url}{missed}")
    with_tools = [page for page in pages if page.there]
    without = [page for page in pages if not page.there]
    there, late = sum(page.there for page in with_tools), sum(page.too_late for page in with_tools)
    recall = sum(page.seen for page in with_tools) / max(there - late, 1)
    whole = sum(page.seen == page.there for page in with_tools)
    print(
        f"recall {recall:.4f} of the {there - late} tools that come within the {SettleLimits().late:.0f} s that a quiet"
        f" page is waited for at most; {late} come later; {whole} of {len(with_tools)} pages with tools complete"
    )
    if with_tools:
        print(
            f"after the last change, pages with tools: median {statistics.median(p.idle_s for p in with_tools):.2f} s"
        )
    if without:
        print(
            f"after the load, {len(without)} pages without tools: median"
            f" {statistics.median(p.idle_s for p in without):.2f} s, most {max(p.idle_s for p in without):.2f} s"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="FILE", help="a target list to measure instead of the gold pages")
    parser.add_argument("--browser", metavar="PATH")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--host-resolver-rules", default=RESOLVER_RULES)
    return parser.parse_args()


async def _measure(urls: list[str], options: argparse.Namespace) -> list[Settled]:
    path = find_browser(options.browser)
    identity = identify(path)
    by_rule = VisitSettings(user_agent=user_agent(identity.build, "benchmark"), allow_private=True)
    long = SettleLimits(brief=LONG, quiet=LONG, first=LONG, late=LONG, busy=0.0, cap=LONG + 15)
    free = asyncio.Semaphore(options.concurrency)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path, args=launch_arguments(options.host_resolver_rules), chromium_sandbox=sandboxed()
        )

        async def page(url: str) -> Settled | None:
            async with free:
                one = await _visit(browser, identity, url, by_rule)
                two = await _visit(browser, identity, url, replace(by_rule, settle=long))
            return _compare(url, one, two)

        found = await asyncio.gather(*map(page, urls))
        await browser.close()
    return [each for each in found if each is not None]


async def _visit(browser: PlaywrightBrowser, identity: Browser, url: str, settings: VisitSettings) -> Visit:
    return (await capture(browser, identity, Job("settle", Target(url=url), 1), settings, Gate())).visit


def _compare(url: str, one: Visit, two: Visit) -> Settled | None:
    if one.outcome is not Outcome.CAPTURED or two.outcome is not Outcome.CAPTURED:
        return None
    seen = {(tool.frame, tool.name) for tool in one.browser_tools}
    there = {(tool.frame, tool.name) for tool in two.browser_tools}
    last = max([one.load_ms or 0, *(tool.first_seen_ms for tool in one.browser_tools)])
    missed = tuple(sorted(f"{name} in {frame}" for frame, name in there - seen))
    idle = ((one.settle_ms or 0) - last) / 1000
    return Settled(
        url, len(seen & there), len(there), idle, one.settle_reason or "", missed, _too_late(two, there - seen)
    )


def _too_late(long: Visit, missed: set[tuple[str, str]]) -> int:
    """How many of the missed tools came after a longer quiet than the rule waits for, or after such a one."""
    times = sorted((tool.first_seen_ms, (tool.frame, tool.name)) for tool in long.browser_tools)
    before, gone, late = long.load_ms or 0, False, 0
    for at, key in times:
        gone = gone or at - before > SettleLimits().late * 1000
        before = max(before, at)
        late += gone and key in missed
    return late


if __name__ == "__main__":
    main()
