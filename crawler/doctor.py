"""`doctor`: whether this machine can take a census, and what is missing, with the fix."""

import asyncio
import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import click
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from census.errors import CensusError
from census.target import Target
from census.visit import Browser, Visit
from census.vocabulary import BrowserView, Outcome
from crawler.browser import HOW_TO_GET_ONE, find_browser, identify, sandboxed
from crawler.capture import capture
from crawler.control_page import RULE, ControlPage
from crawler.gate import Gate
from crawler.scrapy_settings import launch_options
from crawler.settings import VisitSettings, user_agent
from crawler.settle import SettleLimits
from crawler.visit_record import Job

_PAGE = b"""<!doctype html><html lang=en><title>webmcp-census doctor</title>
<form toolname=doctor_form tooldescription="A form"><input name=word><button>Send</button></form>
<script>
document.modelContext?.registerTool({name: "doctor_script", description: "A script's tool", execute() {}});
</script>"""
_TOOLS = {"doctor_form", "doctor_script"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `fix` is what to do when it is not good."""

    what: str
    good: bool
    found: str
    fix: str = ""


@click.command("doctor", short_help="Say whether this machine can take a census.")
@click.option("--browser", metavar="PATH", help="Look at this browser instead of the first one found.")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON.")
def doctor_command(browser: str | None, as_json: bool) -> int:
    """Say which browser was found, whether WebMCP works in it, and what is missing, with the fix.

    \b
    Example:
      webmcp-census doctor
    """
    checks = list(_examine(browser))
    if as_json:
        click.echo(json.dumps([asdict(check) for check in checks], indent=1))
    else:
        for check in checks:
            click.echo(f"{'ok  ' if check.good else 'FAIL'} {check.what}: {check.found}")
            if not check.good:
                click.echo(f"     {check.fix}")
    return 0 if all(check.good for check in checks) else 2


def _examine(asked: str | None) -> Iterator[Check]:
    yield Check("Python", sys.version_info >= (3, 11), platform.python_version(), "use Python 3.11 or newer")
    yield Check(
        "scrapy-playwright",
        hasattr(ScrapyPlaywrightDownloadHandler, "_download_request"),
        version("scrapy-playwright"),
        "install the pinned version: pip install -r requirements.lock",
    )
    try:
        path = find_browser(asked)
        browser = identify(path)
    except CensusError as error:
        yield Check("browser", False, str(error), HOW_TO_GET_ONE)
        return
    yield Check("browser", True, f"{browser.name} {browser.build} at {path}")
    yield Check(
        "sandbox", True, "on" if sandboxed() else "off: Chromium has none for root; use another user if you can"
    )
    yield from _webmcp(path, browser)


def _webmcp(path: Path, browser: Browser) -> Iterator[Check]:
    fix = f"WebMCP needs Chromium 150 or newer with its DevTools domain; {HOW_TO_GET_ONE}"
    try:
        visit = asyncio.run(_probe(path, browser))
    except PlaywrightError as error:
        yield Check("start", False, str(error).splitlines()[0], HOW_TO_GET_ONE)
        return
    if visit.outcome is not Outcome.CAPTURED:
        yield Check("visit", False, f"{visit.outcome}: {visit.outcome_detail}", HOW_TO_GET_ONE)
        return
    listed = {tool.name for document in visit.documents for tool in document.tools}
    offered = {tool.name for tool in visit.browser_tools}
    page = visit.documents[0]
    yield Check("page view", listed == _TOOLS, f"{page.page_view}, {len(listed)} of {len(_TOOLS)} tools", fix)
    read = visit.browser_view is BrowserView.READ
    yield Check(
        "browser view", read and offered == _TOOLS, f"{visit.browser_view}, {len(offered)} of {len(_TOOLS)} tools", fix
    )


async def _probe(path: Path, browser: Browser) -> Visit:
    settings = VisitSettings(
        user_agent=user_agent(browser.build, "doctor"),
        settle=SettleLimits(brief=0.5, quiet=0.5, late=1.0),
        allow_private=True,
    )
    page = ControlPage(_PAGE)
    await page.start()
    try:
        async with async_playwright() as playwright:
            live = await playwright.chromium.launch(**launch_options(path, RULE, None))
            captured = await capture(live, browser, Job("doctor", Target(url=page.url), 1), settings, Gate())
            await live.close()
    finally:
        await page.stop()
    return captured.visit
