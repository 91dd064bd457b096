"""A case without a page: a list of tools from a file, and results that the suite says."""

from datetime import datetime

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.mocks import Mocks, Reply
from measure.evals.run import Run, driven_messages, first_messages, run_on
from measure.judges.judge import Call, Judge, Message
from measure.lint.manifest import ManifestTool


class FileStage:
    """Tools that stay what they are, answered by the case's mocks."""

    def __init__(self, case: Case, tools: tuple[ManifestTool, ...]) -> None:
        self._tools, self._mocks = tools, Mocks(case)

    async def tools(self) -> tuple[ManifestTool, ...]:
        """The tools of the file."""
        return self._tools

    async def reply(self, call: Call, step: int) -> Reply:
        """What the suite says to a call."""
        return self._mocks.reply(call.name, call.arguments, step)

    async def ended(self, run: Run) -> Run:
        """Nothing is to be seen."""
        return run


async def run_case(
    case: Case, tools: tuple[ManifestTool, ...], judge: Judge, *, max_steps: int, clock: datetime | None = None
) -> Run:
    """Run a case with tools of a file.

    Raises JudgeFault when the judge failed, DriveError when a driven call did.
    """
    return await run_on(FileStage(case, tools), case, judge, max_steps=max_steps, clock=clock)


def opening(case: Case, mocks: Mocks, clock: datetime | None = None) -> tuple[list[Message], dict[str, JsonValue]]:
    """What a judge is first shown of a case without a page, driven calls included; and the results of these by id.

    Raises DriveError when a driven call fails.
    """
    conversation = first_messages(case, clock)
    results: dict[str, JsonValue] = {}
    for index, driven in enumerate(case.drive):
        reply = mocks.reply(driven.name, dict(driven.arguments))
        conversation += driven_messages(index, driven.name, driven.arguments, reply)
        if driven.id is not None and reply.known:
            results[driven.id] = reply.result
    return conversation, results
