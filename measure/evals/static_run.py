"""One run of a case without a page: a judge, a list of tools from a file, and results that the suite says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import JsonValue

from measure.evals.argument_check import ArgumentCheck
from measure.evals.case import Case
from measure.evals.conversation import error_text, instructions, result_text
from measure.evals.made import MadeCall
from measure.evals.mocks import Mocks, Reply
from measure.judges.judge import Answer, Call, Judge, Message, ToolOffer
from measure.lint.manifest import ManifestTool


@dataclass(frozen=True)
class Run:
    """What a judge did with a case."""

    made: tuple[MadeCall, ...]
    driven: Mapping[str, JsonValue]
    """Results of driven calls that have an id."""
    text: str
    """What the judge said in its last answer."""
    steps: int
    """Answers that were asked for."""
    stopped: bool
    """Whether the judge itself came to an end, and not the steps that it was given."""
    malformed: str | None = None
    """What was wrong with an answer that was no valid call; it ends the run."""
    input_tokens: int = 0
    output_tokens: int = 0


class DriveError(Exception):
    """A driven call failed, so the state that the case begins in was never there."""


def offers_of(tools: Sequence[ManifestTool]) -> tuple[ToolOffer, ...]:
    """Tools as a judge is shown them."""
    return tuple(ToolOffer(tool.name, tool.description, tool.input_schema) for tool in tools)


async def run_case(
    case: Case, tools: tuple[ManifestTool, ...], judge: Judge, *, max_steps: int, clock: datetime | None = None
) -> Run:
    """Let a judge work on a case until it makes no more calls, for at most `max_steps` answers.

    `clock` counts where the case has none. Raises JudgeFault when the judge failed, DriveError when a driven call did.
    """
    mocks = Mocks(case)
    conversation, driven = opening(case, mocks, clock)
    loop = _Loop(tools, mocks, conversation)
    for step in range(1, max_steps + 1):
        answer = await judge.answer(conversation, loop.offers)
        loop.take(step, answer)
        if answer.malformed is not None or not answer.calls:
            return loop.ended(driven, step, answer, stopped=True)
    return loop.ended(driven, max_steps, answer, stopped=False)


def opening(case: Case, mocks: Mocks, clock: datetime | None = None) -> tuple[list[Message], dict[str, JsonValue]]:
    """What a judge is first shown of a case: instructions, messages, driven calls; and the results of these by id.

    Raises DriveError when a driven call fails.
    """
    conversation = [Message("system", instructions(case.clock or clock)), *case.messages]
    results: dict[str, JsonValue] = {}
    for index, driven in enumerate(case.drive):
        reply = mocks.reply(driven.name, dict(driven.arguments))
        if reply.error is not None:
            raise DriveError(f"drive[{index}], {driven.name!r}, failed: {reply.error}")
        call = Call(driven.name, dict(driven.arguments), f"driven-{index}")
        conversation += [Message("assistant", "", (call,)), _answered(call, reply)]
        if driven.id is not None and reply.known:
            results[driven.id] = reply.result
    return conversation, results


def _answered(call: Call, reply: Reply) -> Message:
    text = result_text(reply.result) if reply.error is None else error_text(reply.error)
    return Message("tool", text, call_id=call.id)


class _Loop:
    """The calls of a run as they are made, and the conversation that grows with them."""

    def __init__(self, tools: tuple[ManifestTool, ...], mocks: Mocks, conversation: list[Message]) -> None:
        self.offers = offers_of(tools)
        self._names = frozenset(tool.name for tool in tools)
        self._check = ArgumentCheck(tools)
        self._mocks = mocks
        self._conversation = conversation
        self._made: list[MadeCall] = []
        self._tokens = [0, 0]

    def take(self, step: int, answer: Answer) -> None:
        if answer.usage is not None:
            self._tokens[0] += answer.usage.input_tokens
            self._tokens[1] += answer.usage.output_tokens
        calls = tuple(
            # Endpoints that give no id, or one twice, still need each result to say whose it is.
            replace(call, id=f"step-{step}-{number}")
            for number, call in enumerate(answer.calls)
        )
        self._conversation.append(Message("assistant", answer.text, calls))
        for call in calls:
            reply = self._reply(call)
            misfit = self._check.misfit(call.name, call.arguments) if call.name in self._names else None
            self._made.append(
                MadeCall(step, call.name, call.arguments, reply.result, reply.known, reply.error, self._names, misfit)
            )
            self._conversation.append(_answered(call, reply))

    def _reply(self, call: Call) -> Reply:
        """What a browser would say to a call of no tool, or without an object; else what the suite says."""
        if call.name not in self._names:
            return Reply(None, True, f"there is no tool {call.name!r}")
        if not isinstance(call.arguments, dict):
            return Reply(None, True, "the arguments have to be an object")
        return self._mocks.reply(call.name, call.arguments)

    def ended(self, driven: Mapping[str, JsonValue], steps: int, answer: Answer, *, stopped: bool) -> Run:
        return Run(tuple(self._made), driven, answer.text, steps, stopped, answer.malformed, *self._tokens)
