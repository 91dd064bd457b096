"""One live page: a visit of its own, made as a census makes it. Nothing of the page's is called."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from census.errors import CensusError
from census.optout import OptOut
from census.run import Run
from census.target import Target
from census.visit import Visit
from crawler.crawl import crawl
from crawler.options import chosen_browser, visit_settings
from crawler.outcomes import RetryPolicy
from crawler.settings import CrawlSettings
from crawler.target_list import Counts, TargetList


def target_of(url: str) -> Target:
    """The target that a URL names. Raises CensusError when it is no http(s) URL."""
    try:
        return Target(url=url)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise CensusError(f"{url!r}: {reason}; give a whole URL such as https://example.org/") from None


def visit_page(url: str, options: Mapping[str, Any], *, robots: bool) -> Visit:
    """Visit a page once. Call it once in a process, as `crawl`.

    `options` are those of `visit_options`. Raises CensusError for what is no URL, without a browser, and when
    the visit was interrupted.
    """
    target = target_of(url)
    path, browser = chosen_browser(options["browser"])
    settings = CrawlSettings(
        visit=visit_settings(browser, dict(options), contact_needed=False),
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
        for visit in Run(run).final_visits():
            return visit
    raise CensusError("the visit was interrupted before it had an outcome; run the command again")
