"""Chromium builds, driven by Playwright."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from crawler.browser import sandboxed
from crawler.browser_context import close_context
from measure.compatibility.behaviour import Behaviour, Switch
from measure.compatibility.devtools import Session
from measure.compatibility.engine import Start, answer_of, question
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.probing import DevToolsSession, Origin, Tab

ARGUMENTS = {
    Switch.WEBMCP: "--enable-features=WebMCP,DevToolsWebMCPSupport",
    Switch.NONE: None,
    Switch.FEATURE: "--enable-features=WebMCP",
    Switch.TESTING: "--enable-features=WebMCPTesting",
    Switch.BLINK: "--enable-blink-features=WebMCP",
    Switch.EXPERIMENTAL: "--enable-experimental-web-platform-features",
    Switch.DEVTOOLS: "--enable-features=DevToolsWebMCPSupport",
}
_ALWAYS = (
    "--no-first-run",
    "--disable-search-engine-choice-screen",
    "--host-resolver-rules=MAP *.test 127.0.0.1",
    "--ignore-certificate-errors",
)
_START, _LOAD = 60.0, 30.0
"""Seconds for a start and for a load on a machine that has other work."""


@asynccontextmanager
async def chromium(path: Path, web: ProbeWeb) -> AsyncIterator[Start]:
    """Playwright's driver, which is a process of its own, for all the starts of a build."""
    async with async_playwright() as playwright:
        yield lambda switch: _start(playwright, path, switch, web)


@asynccontextmanager
async def _start(playwright: Playwright, path: Path, switch: Switch, web: ProbeWeb) -> AsyncIterator["Chromium"]:
    """A start of a Chromium build. Raises playwright's Error when it does not start."""
    argument = ARGUMENTS[switch]
    browser = await playwright.chromium.launch(
        executable_path=path,
        args=[*_ALWAYS, *([argument] if argument else [])],
        chromium_sandbox=sandboxed(),
        timeout=_START * 1000,
    )
    try:
        engine = Chromium(browser, web)
        await engine.watch()
        yield engine
    finally:
        await browser.close()


class Chromium:
    """A running Chromium."""

    def __init__(self, browser: Browser, web: ProbeWeb) -> None:
        self.crashed = asyncio.Event()
        self.spent = False
        self._browser = browser
        self._web = web
        browser.on("disconnected", lambda _: self.crashed.set())

    async def watch(self) -> None:
        """Follow every target's crash: a frame in a process of its own crashes without its page's event."""
        session = await self._browser.new_browser_cdp_session()
        session.on("Target.targetCrashed", lambda _: self.crashed.set())
        await session.send("Target.setDiscoverTargets", {"discover": True})

    @asynccontextmanager
    async def tab(self, behaviour: Behaviour, patience: int = 1) -> AsyncIterator[Tab]:
        """A tab in a context of its own."""
        context = await self._browser.new_context(ignore_https_errors=True, accept_downloads=False)
        try:
            yield _Tab(await context.new_page(), behaviour, self._web, patience)
        finally:
            if not await close_context(context):
                self.spent = True


class _Tab:
    def __init__(self, page: Page, behaviour: Behaviour, web: ProbeWeb, patience: int) -> None:
        self._page = page
        self._patience = patience
        self._behaviour = behaviour
        self._web = web
        self._session: Session | None = None
        page.set_default_timeout(_LOAD * 1000)

    def url(self, path: str = "", origin: Origin = Origin.HTTPS) -> str:
        return self._web.url(self._behaviour, path, origin)

    async def open(self, path: str = "", origin: Origin = Origin.HTTPS) -> None:
        await self.open_url(self.url(path, origin))

    async def open_url(self, url: str) -> None:
        await self._page.goto(url)

    async def reload(self) -> None:
        await self._page.reload()

    async def back(self) -> None:
        await self._page.go_back()

    async def ask(self, script: str) -> str:
        outcome: dict[str, Any] = await self._page.evaluate(
            question(self._web.probe(self._behaviour, self._patience), script)
        )
        return answer_of(outcome)

    async def devtools(self) -> DevToolsSession:
        if self._session is None:
            self._session = Session(await self._page.context.new_cdp_session(self._page))
        return self._session

    async def frame_devtools(self, origin: Origin) -> DevToolsSession | None:
        address = self._web.origins[origin]
        frame = next((frame for frame in self._page.frames[1:] if frame.url.startswith(f"{address}/")), None)
        if frame is None:
            raise LookupError(f"no frame on {origin.value}")
        try:
            session: CDPSession = await self._page.context.new_cdp_session(frame)
        except PlaywrightError as error:
            if "does not have a separate CDP session" in str(error):
                return None
            raise
        return Session(session)

    async def new_tab(self) -> Tab:
        return _Tab(await self._page.context.new_page(), self._behaviour, self._web, self._patience)
