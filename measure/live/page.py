"""A page that is held open: read again at each step, its tools called, and looked at before and after each call."""

import asyncio
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import JsonValue

from census.listing import listings
from census.visit import Browser, Visit
from crawler.capture import Ended, settle
from crawler.reading import read_views
from crawler.sessions import ProtocolError
from crawler.settings import VisitSettings
from crawler.tab import Tab
from crawler.visit_record import Found, Job, visit_record
from measure.live.calling import Calls
from measure.live.effects import Effects
from measure.live.execution import Execution, ExecutionStatus
from measure.live.live_tool import LiveTool
from measure.live.observation import Observation, dom_change, observe, storage_changes
from measure.live.screenshot import screenshot
from measure.live.traffic import Traffic

_IDLE = 0.3
"""Seconds between the two looks before a call: what differs between them is not the call's doing."""
_STILL = 0.5
"""Seconds without a request, and without a difference between two looks, after which a page is quiet again."""
_LOOK = 0.25
_QUIET_CAP = 5.0
"""Seconds after a call at which it counts as over, however busy the page is."""


class LivePage:
    """A page in a context of its own. Made by `LiveBrowser.open`."""

    def __init__(self, tab: Tab, traffic: Traffic, job: Job, browser: Browser, found: Found) -> None:
        self._tab, self._traffic, self._job, self._browser, self._found = tab, traffic, job, browser, found
        self._settings: VisitSettings = tab.settings
        self._calls = Calls(tab)
        self._started = datetime.now(UTC)
        self._navigations = tab.navigations
        self._idle = Observation()
        self._idle_at = 0.0

    @property
    def tab(self) -> Tab:
        """The tab, for whoever reads more of the page."""
        return self._tab

    @property
    def url(self) -> str:
        """The address of the top document, as far as it is known."""
        return self._idle.url or self._tab.tree.top.url

    @property
    def gone(self) -> ExecutionStatus | None:
        """Why nothing more can be asked of the page; None while it is there."""
        return self._calls.gone

    @property
    def visit(self) -> Visit:
        """The record of the page as it was last read, as a crawl would have written it."""
        return visit_record(self._job, self._browser, self._started, self._tab, self._found)

    async def tools(self) -> tuple[LiveTool, ...]:
        """Read the tools that the browser offers now, in every frame; none when the page is gone."""
        if self.gone is not None:
            return ()
        await self._settle_if_moved()
        try:
            self._found.views = await read_views(self._tab)
        except ProtocolError:
            return ()
        listed = listings(self.visit)
        paths = {frame.frame_id: frame.path for frame in self._tab.tree.frames()}
        ids = {path: frame_id for frame_id, path in paths.items()}
        return tuple(
            LiveTool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.input_schema,
                annotations=tool.annotations,
                frame=tool.frame,
                frame_id=ids[tool.frame],
                kind=tool.kind,
                listing=listed[tool.frame, tool.name].listing if (tool.frame, tool.name) in listed else None,
            )
            for tool in self._tab.view.tools(paths.get)
        )

    async def execute(self, tool: LiveTool, arguments: Mapping[str, JsonValue], bound_s: float) -> Execution:
        """Call a tool, for at most `bound_s` seconds, and say what it did once the page is quiet."""
        if self.gone is not None:
            return Execution(self.gone)
        await asyncio.sleep(max(self._idle_at + _IDLE - time.monotonic(), 0.0))
        idle, before = self._idle, await observe(self._tab)
        self._traffic.mark()
        navigations = self._tab.navigations
        started = time.monotonic()
        end = await self._calls.call(tool, arguments, bound_s)
        ms = int((time.monotonic() - started) * 1000)
        after = await self._quiet(before, restless=idle.documents != before.documents)
        moved = self._tab.navigations != navigations
        effects = self._effects(idle, before, after, moved=moved)
        return Execution(end.status, end.output, end.error, ms, effects, end.cut)

    def _effects(self, idle: Observation, before: Observation, after: Observation, *, moved: bool) -> Effects:
        traffic = self._traffic
        here = after.url or self._tab.tree.top.url
        return Effects(
            dom_changed=True if moved else dom_change(idle, before, after),
            navigated_to=here if moved or (after.seen and after.url != before.url) else None,
            writes=traffic.writes,
            storage=storage_changes(before.kept, after.kept) if after.seen else (),
            dialogs=traffic.dialogs,
            popups=traffic.popups,
            downloads=traffic.downloads,
            uncaught=traffic.uncaught,
            tools_changed=after.seen and after.tools != before.tools,
        )

    async def screenshot(self) -> bytes | None:
        """A JPEG of what the page shows; None when it cannot be had."""
        if self.gone is not None:
            return None
        return await screenshot(self._tab)

    async def close(self) -> None:
        """Close the page and everything in its context."""
        await self._tab.close()

    async def hold(self) -> None:
        """Take the first look, with which those before the first call are compared."""
        await self._look()

    async def _look(self) -> Observation:
        self._idle, self._idle_at = await observe(self._tab), time.monotonic()
        return self._idle

    async def _settle_if_moved(self) -> None:
        """Settle by the crawler's rule where the page leads to another document since it was last read."""
        while self._tab.navigations != self._navigations and self.gone is None:
            self._navigations = self._tab.navigations
            try:
                async with asyncio.timeout(self._settings.settle.cap + _QUIET_CAP):
                    await settle(self._tab, self._settings, self._found, since=self._tab.elapsed())
            except (Ended, TimeoutError, ProtocolError):
                return

    async def _quiet(self, before: Observation, *, restless: bool) -> Observation:
        """Wait until the page is quiet, at most for a while, and look at it."""
        since = time.monotonic()
        last = before
        while self.gone is None:
            await self._settle_if_moved()
            look = await self._look()
            past = time.monotonic() - since
            still = _still(last, look, restless=restless) and min(past, self._traffic.still_for()) >= _STILL
            if still or past >= _QUIET_CAP:
                break
            last = look
            await asyncio.sleep(_LOOK)
        return self._idle if self.gone is None else Observation()


def _still(one: Observation, other: Observation, *, restless: bool) -> bool:
    """Whether nothing differs between two looks; what a page shows counts not when it never keeps still."""
    same = (one.url, one.kept, one.tools) == (other.url, other.kept, other.tools)
    return same and (restless or one.documents == other.documents)
