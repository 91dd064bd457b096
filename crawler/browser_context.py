"""The browser context of one visit: opened fresh, under the conditions of the crawl, and closed whatever happens."""

import asyncio

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from crawler.settings import VisitSettings

CLOSE_TIMEOUT = 5.0
"""Seconds: a browser that does not close a context in this time is replaced."""


async def open_context(browser: PlaywrightBrowser, settings: VisitSettings) -> BrowserContext:
    """A context with nothing in it, under the conditions that are the same for each visit of a crawl."""
    width, height = settings.viewport
    return await browser.new_context(
        user_agent=settings.user_agent,
        locale=settings.locale,
        timezone_id=settings.timezone,
        viewport={"width": width, "height": height},
        accept_downloads=False,
    )


async def close_context(context: BrowserContext) -> bool:
    """Close a context whatever its pages do. False when the browser did not answer in time or is gone."""
    try:
        await asyncio.wait_for(context.close(), CLOSE_TIMEOUT)
    except (TimeoutError, PlaywrightError):
        return False
    return True
