"""The attacks of `test_capture_leak` are real: without what protects a visit, they show in other pages' records.

Without it means: as the earlier census of this kind went about it. One view for all pages, keyed by name; pages that
stay open; documents whose tools outlive them.
"""

import asyncio

import pytest
from playwright.async_api import async_playwright

import crawler.tab
from census.target import Target
from census.visit import BrowserTool
from crawler.browser import find_browser, identify, launch_arguments, sandboxed
from crawler.browser_view import BrowserView
from crawler.capture import capture
from crawler.control_page import ControlPage, control_verdict
from crawler.gate import Gate
from crawler.settings import VisitSettings, user_agent
from crawler.settle import SettleLimits
from crawler.visit_record import Job
from tests.crawler.test_capture_leak import CLEAN, HOSTILE, hostile_site
from tests.sites.server import Site, SmallWeb


async def visit_clean_after(kind: str) -> tuple[set[str], bool]:
    """A hostile page, then a clean one and the control page in the same browser: the clean one's tools, the verdict."""
    path = find_browser()
    identity = identify(path)
    settings = VisitSettings(
        user_agent=user_agent(identity.build, "test"), settle=SettleLimits(cap=3.0), allow_private=True
    )
    control = ControlPage()
    await control.start()
    with SmallWeb([hostile_site(kind, 0), Site("clean", {"/": CLEAN})]) as web:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=path, args=launch_arguments(), chromium_sandbox=sandboxed()
            )
            visits = [
                (await capture(browser, identity, Job(url, Target(url=url), 1), settings, Gate())).visit
                for url in (web.url(f"{kind}-0"), web.url("clean"), control.url)
            ]
            await browser.close()
    await control.stop()
    return {tool.name for tool in visits[1].browser_tools}, control_verdict(visits[2]).good


@pytest.mark.parametrize("kind", HOSTILE)
def test_with_the_protection_the_page_after_an_attack_has_no_tool(kind):
    assert asyncio.run(visit_clean_after(kind)) == (set(), True)


def test_without_the_protection_attacks_show_and_the_control_page_sees_it(monkeypatch):
    shared = BrowserView()
    make = crawler.tab.Tab.__init__

    def with_the_shared_view(tab, *args, **kwargs):
        make(tab, *args, **kwargs)
        tab.view = shared

    async def left_open(context):
        return True

    def whosever_they_are(view, path_of):
        return tuple(BrowserTool(frame="top", **tool) for tool in view._tools.values())

    monkeypatch.setattr(crawler.tab.Tab, "__init__", with_the_shared_view)
    monkeypatch.setattr(crawler.tab, "close_context", left_open)
    monkeypatch.setattr(BrowserView, "document_gone", lambda view, frame_id: None)
    monkeypatch.setattr(BrowserView, "tools", whosever_they_are)
    shown = {kind: asyncio.run(visit_clean_after(kind)) for kind in HOSTILE}
    leaked = {kind: names for kind, (names, _) in shown.items() if names}
    assert any(name.startswith("hostile_") for names in leaked.values() for name in names), "the attacks do not bite"
    assert [good for kind, (_, good) in shown.items() if kind in leaked] == [False] * len(leaked)
