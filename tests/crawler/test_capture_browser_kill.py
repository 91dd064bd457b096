"""A browser that dies under its visits: each of them ends at once, and as ours."""

import asyncio
import time
from contextlib import suppress

import psutil
import pytest
from playwright.async_api import async_playwright

from census.target import Target
from census.vocabulary import Outcome
from crawler.browser import find_browser, identify, launch_arguments, sandboxed
from crawler.capture import capture
from crawler.gate import Gate
from crawler.settings import VisitSettings, user_agent
from crawler.visit_record import Job
from tests.sites.gold import document, registering
from tests.sites.server import Site, SmallWeb

SITES = [Site(f"s{i}", {"/": document(f"Site {i}", registering(f"tool_{i}"))}) for i in range(3)]
MOMENTS = (0.04, 0.07, 0.1, 0.13, 0.15, 0.17, 0.2, 0.3)
"""Seconds after the visits began: most of the time a page is being opened, where Playwright loses its answer."""


async def ends(moments: tuple[float, ...]) -> list[tuple[float, set[Outcome]]]:
    """For each moment, the seconds from the kill to the end of three visits, and their outcomes."""
    path = find_browser()
    identity = identify(path)
    settings = VisitSettings(user_agent=user_agent(identity.build, "test"), allow_private=True)
    found = []
    with SmallWeb(SITES) as web:
        async with async_playwright() as playwright:
            for moment in moments:
                before = set(psutil.Process().children(recursive=True))
                browser = await playwright.chromium.launch(
                    executable_path=path, args=launch_arguments(), chromium_sandbox=sandboxed()
                )
                jobs = [Job(site.name, Target(url=web.url(site.name)), 1) for site in SITES]
                visits = [asyncio.ensure_future(capture(browser, identity, job, settings, Gate())) for job in jobs]
                await asyncio.sleep(moment)
                for process in set(psutil.Process().children(recursive=True)) - before:
                    with suppress(psutil.NoSuchProcess):
                        process.kill()
                killed = time.monotonic()
                captures = await asyncio.gather(*visits)
                assert not any(each.browser_healthy for each in captures)
                found.append((time.monotonic() - killed, {each.visit.outcome for each in captures}))
    return found


@pytest.mark.timeout(60)
def test_visits_of_a_browser_that_is_killed_end_at_once_and_as_ours():
    for took, outcomes in asyncio.run(ends(MOMENTS)):
        assert took < 5
        assert outcomes == {Outcome.BROWSER_FAILED}
