"""The site in a browser that runs no scripts: everything is there but the search."""

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from census.optout import OptOut
from crawler.browser import find_browser, launch_arguments
from publish.site.content import open_content
from publish.site.generate import make_site
from tests.publish.web import SHOP, small_release

pytestmark = pytest.mark.timeout(900)


def test_all_is_there_but_the_search(tmp_path: Path) -> None:
    make_site(open_content([small_release(tmp_path / "now").folder], OptOut()), tmp_path / "site")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=launch_arguments())
        page = browser.new_page(java_script_enabled=False)
        page.set_default_timeout(120_000)
        page.goto(f"{(tmp_path / 'site').as_uri()}/index.html")
        # Looked for by its place: Playwright finds no text inside a noscript element.
        page.locator("noscript .notice").wait_for()
        page.get_by_role("link", name="all pages with tools").click()
        page.get_by_role("link", name=SHOP, exact=True).click()
        page.get_by_text("An agent is offered 3 tools").wait_for()
        page.get_by_role("link", name="The picture").click()
        page.get_by_role("heading", name="Pages with a tool for agents").wait_for()
        browser.close()
