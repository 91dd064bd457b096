"""A case on a page: its tools are read anew at each step, and run, unless the suite answers in their place."""

import base64
from dataclasses import replace

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.mocks import NO_ANSWER, Mocks, Reply
from measure.evals.run import Run
from measure.judges.judge import Call
from measure.lint.manifest import ManifestTool
from measure.live.errors import BrowserGoneError, WritesNotAllowedError
from measure.live.execution import Execution, ExecutionStatus
from measure.live.live_tool import LiveTool
from measure.live.page import LivePage
from measure.live.page_state import page_state

_ENDINGS = {
    ExecutionStatus.NO_ANSWER: NO_ANSWER,
    ExecutionStatus.WAITS_FOR_PERSON: "the form was filled in and waits for a person to submit it",
    ExecutionStatus.NAVIGATED: "the page left before the tool had answered",
    ExecutionStatus.PAGE_CRASHED: "the page crashed",
    ExecutionStatus.PAGE_CLOSED: "the page closed itself",
    ExecutionStatus.CANCELED: "the call was cancelled",
    ExecutionStatus.ERROR: "the tool failed",
}
"""What a caller is told where the browser has no words of its own."""


class LiveStage:
    """One page, and what the suite puts in the place of its tools. `mockOutput` counts for nothing here."""

    def __init__(
        self, page: LivePage, case: Case, bound_s: float, *, writes: bool = False, pictures: bool = False
    ) -> None:
        self._page, self._case, self._bound, self._writes = page, case, bound_s, writes
        self._mocks = Mocks(case)
        self._tools: dict[str, LiveTool] = {}
        self._pictures: dict[int, str] | None = {} if pictures else None
        self._calls = 0

    async def tools(self) -> tuple[ManifestTool, ...]:
        """The tools of all frames; of those with one name the first, in the browser's order."""
        self._tools = {}
        for tool in await self._page.tools():
            self._tools.setdefault(tool.name, tool)
        if self._page.gone is ExecutionStatus.BROWSER_FAILED:
            raise BrowserGoneError("the browser went away")
        if self._calls == 0:
            await self._picture()
        return tuple(tool.manifest_tool() for tool in self._tools.values())

    async def reply(self, call: Call, step: int) -> Reply:
        """What the suite says to a call, else what the page's tool does.

        Raises WritesNotAllowedError for a tool that is not read-only when writes are not allowed, BrowserGoneError.
        """
        assert isinstance(call.arguments, dict)
        written = self._mocks.written(call.name, call.arguments, step)
        if written is None:
            tool = self._tools[call.name]
            if not (self._writes or tool.read_only):
                raise WritesNotAllowedError(tool.name)
            execution = await self._page.execute(tool, call.arguments, self._bound)
            if execution.status is ExecutionStatus.BROWSER_FAILED:
                raise BrowserGoneError(execution.error or "the browser went away")
            written = reply_of(execution)
        if step > 0:
            self._calls += 1
            await self._picture()
        return written

    async def ended(self, run: Run) -> Run:
        """Add the page's state, as far as the case asks for it, and the pictures."""
        return replace(run, page=await self._state(), pictures=self._pictures or {})

    async def _state(self) -> JsonValue:
        if self._case.page is None or self._page.gone is not None:
            return None
        assert isinstance(self._case.page, dict)
        selectors = self._case.page.get("elements")
        return await page_state(self._page.tab, list(selectors) if isinstance(selectors, dict) else [])

    async def _picture(self) -> None:
        if self._pictures is None:
            return
        picture = await self._page.screenshot()
        if picture is not None:
            self._pictures[self._calls] = base64.b64encode(picture).decode("ascii")


def reply_of(execution: Execution) -> Reply:
    """What the caller of a page's tool is told."""
    status = execution.status
    # A tool that leads to another page answers by it: the browser gives that page's structured data.
    answered = execution.answered or (status is ExecutionStatus.NAVIGATED and execution.output is not None)
    error = None if answered else execution.error or _ENDINGS.get(status, status.meaning)
    return Reply(execution.output, True, error, status, execution.effects, execution.ms)
