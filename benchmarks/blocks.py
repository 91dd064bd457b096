"""The blocks of `visit_cost.py`, each in a process of its own: one visit to warm up, then those that are counted.

A block says `begin` and `end` on its standard output around the visits that count, and `closed` when its browser
is closed, and goes on when it is answered with a line: whoever asked for it reads the clocks in between.
"""

import asyncio
import json
import os
import statistics
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from census.optout import OptOut
from census.run import Run
from census.target import Target
from census.vocabulary import Outcome
from crawler.browser import FEATURE_SWITCH, identify, sandboxed
from crawler.settings import CrawlSettings, VisitSettings, user_agent

RULES = "MAP *.test 127.0.0.1"


@dataclass(frozen=True, slots=True)
class Block:
    """What a block is told."""

    kind: Literal["ours", "bare"]
    urls: list[str]
    """The first one warms up."""
    browser: str
    folder: str
    """Where ours leaves its RUN and its figures."""
    proxied: bool = False
    """Whether ours goes through the address proxy, as a crawl of the public web does."""
    dwell: float = 0.0
    """Bare: seconds from asking for the page to closing it."""

    def command(self) -> list[str]:
        """The command that runs the block."""
        return [sys.executable, __file__, json.dumps(asdict(self))]


def mark(name: str) -> None:
    """Say where the block is, and wait until it may go on."""
    print(name, flush=True)
    sys.stdin.readline()


def ours(block: Block) -> None:
    """A crawl by the real path: spider, frontier, robots.txt, download handler, evidence, control visits."""
    import crawler.crawl
    from crawler.target_list import Counts, TargetList

    if block.proxied:
        _allow_loopback_through_the_proxy()
    acknowledged = 0

    class MarkedFrontier(crawler.crawl.SqliteFrontier):
        def acknowledge(self, *args: Any, **kwargs: Any) -> None:
            super().acknowledge(*args, **kwargs)
            nonlocal acknowledged
            acknowledged += 1
            if acknowledged == 1:
                mark("begin")
            elif acknowledged == len(block.urls):
                mark("end")

    crawler.crawl.SqliteFrontier = MarkedFrontier  # type: ignore[misc]
    path = Path(block.browser)
    browser = identify(path)
    run = Path(block.folder)
    settings = CrawlSettings(
        visit=VisitSettings(
            user_agent=user_agent(browser.build, "benchmark"),
            allow_private=not block.proxied,
            host_resolver_rules=RULES,
        ),
        browser=f"{browser.name} {browser.build}",
        concurrency=1,
        delay=0.0,
    )
    # A block that is shorter than the distance between two control visits pays for one all the same.
    settings = replace(settings, control_every=min(len(block.urls) - 1, settings.control_every))
    targets = tuple(Target(url=url) for url in block.urls)
    listed = TargetList(targets, Counts(len(targets), 0, 0, 0), ())
    crawler.crawl.crawl(
        run, listed, settings, targets_name="benchmark", browser=browser, browser_path=path, optout=OptOut()
    )


def _allow_loopback_through_the_proxy() -> None:
    """The pages are on this machine, which the proxy exists to refuse; everything else about it stays."""
    import crawler.crawl
    import crawler.names
    from crawler.address_proxy import AddressProxy

    class OpenProxy(AddressProxy):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs, allowed=lambda address: True)

    crawler.crawl.AddressProxy = OpenProxy  # type: ignore[misc]
    crawler.names.is_public = lambda address: True


def settle_seconds(run: Path) -> float:
    """How long the visits of a RUN took from the commit to the reading: the median. All must have been captured."""
    visits = list(Run(run).final_visits())
    failed = [visit for visit in visits if visit.outcome is not Outcome.CAPTURED]
    if failed:
        raise RuntimeError(f"{failed[0].target.url}: {failed[0].outcome}: {failed[0].outcome_detail}")
    return statistics.median((visit.settle_ms or 0) / 1000 for visit in visits)


async def bare(block: Block) -> None:
    """The same visits by Playwright alone: a fresh context, the page until its load event, the same stay, closed."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=block.browser,
            args=[FEATURE_SWITCH, f"--host-resolver-rules={RULES}"],
            chromium_sandbox=sandboxed(),
        )
        for number, url in enumerate(block.urls):
            context = await browser.new_context()
            page = await context.new_page()
            started = time.monotonic()
            await page.goto(url, wait_until="load")
            await asyncio.sleep(max(started + block.dwell - time.monotonic(), 0))
            await context.close()
            if number == 0:
                mark("begin")
        mark("end")
        await browser.close()


def main() -> None:
    """Run the block that the only argument describes, as JSON."""
    block = Block(**json.loads(sys.argv[1]))
    if block.kind == "ours":
        ours(block)
    else:
        asyncio.run(bare(block))
    mark("closed")
    # What the interpreter does to end would come after the last reading, and be in the kernel's count alone.
    os._exit(0)


if __name__ == "__main__":
    main()
