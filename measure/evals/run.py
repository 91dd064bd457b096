"""One run of a case: a judge, tools that are offered anew at each step, and whatever answers its calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from measure.evals.argument_check import ArgumentCheck
from measure.evals.case import Case
from measure.evals.channel import PLAIN, channel
from measure.evals.conversation import MADE, error_text, instructions, result_text
from measure.evals.made import MadeCall
from measure.evals.mocks import Reply
from measure.evals.without_driven import DRIVEN
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
    tools: tuple[ManifestTool, ...] = ()
    """Every tool that was offered at some step, the last description of each."""
    page: JsonValue = None
    """The state of the page at the end, as far as the case asks for it; None without a page."""
    pictures: Mapping[int, str] = field(default_factory=dict)
    """JPEG in Base64: what the page showed after a call, by the call's number from 1; 0 is before the first."""
    said: tuple[str, ...] = ()
    """The judge's last words in each turn before the last one that was played."""


class DriveError(Exception):
    """A driven call failed, so the state that the case begins in was never there."""


class Stage(Protocol):
    """What a case is played on: a list of tools from a file, or a page."""

    async def tools(self) -> tuple[ManifestTool, ...]:
        """The tools that are offered now, each name once."""
        ...

    async def reply(self, call: Call, step: int) -> Reply:
        """What a call of an offered tool gives; `step` is the judge's answer, from 1, 0 for driven calls."""
        ...

    async def ended(self, run: Run) -> Run:
        """Add what is to be seen of the page when the run is over."""
        ...


def offers_of(tools: tuple[ManifestTool, ...]) -> tuple[ToolOffer, ...]:
    """Tools as a judge is shown them."""
    return tuple(ToolOffer(tool.name, tool.description, tool.input_schema) for tool in tools)


async def run_on(stage: Stage, case: Case, judge: Judge, *, max_steps: int, clock: datetime | None = None) -> Run:
    """Let a judge work on a case until it makes no more calls, for at most `max_steps` answers in each turn.

    `clock` counts where the case has none. Raises JudgeFault when the judge failed, DriveError when a driven call did.
    """
    loop = _Loop(stage, first_messages(case, clock))
    driven = await loop.drive(case)
    answer = await loop.turn(judge, max_steps)
    for messages in case.turns:
        if loop.stuck(answer):
            break
        loop.go_on(answer, messages)
        answer = await loop.turn(judge, max_steps)
    return await stage.ended(loop.ended(driven, answer))


def first_messages(case: Case, clock: datetime | None) -> list[Message]:
    """What a judge is first shown of a case."""
    return [Message("system", instructions(case.clock or clock)), *case.messages]


def driven_messages(index: int, name: str, arguments: Mapping[str, JsonValue], reply: Reply) -> list[Message]:
    """A driven call as a judge is shown it. Raises DriveError when it failed, in any form that a program can tell."""
    made = MadeCall(0, name, dict(arguments), reply.result, reply.known, reply.error, status=reply.status)
    if reply.error is not None:
        raise DriveError(f"drive[{index}], {name!r}, failed: {reply.error}")
    if channel(made).form in PLAIN:
        raise DriveError(f"drive[{index}], {name!r}, failed: {result_text(reply.result)}")
    call = Call(name, dict(arguments), f"{DRIVEN}{index}")
    return [Message("assistant", "", (call,)), answered(call, reply)]


def answered(call: Call, reply: Reply) -> Message:
    """The result of a call as a judge is shown it."""
    text = result_text(reply.result) if reply.error is None else error_text(reply.error)
    return Message("tool", text, call_id=call.id)


class _Loop:
    """The calls of a run as they are made, and the conversation that grows with them."""

    def __init__(self, stage: Stage, conversation: list[Message]) -> None:
        self.conversation = conversation
        self._stage = stage
        self._tools: tuple[ManifestTool, ...] = ()
        self._seen: dict[str, ManifestTool] = {}
        self._check = ArgumentCheck(())
        self._made: list[MadeCall] = []
        self._tokens = [0, 0]
        self._steps, self._said = 0, list[str]()

    async def drive(self, case: Case) -> dict[str, JsonValue]:
        results: dict[str, JsonValue] = {}
        for index, driven in enumerate(case.drive):
            await self.offer()
            call = Call(driven.name, dict(driven.arguments))
            reply = await self._reply(call, 0)
            self.conversation += driven_messages(index, driven.name, driven.arguments, reply)
            if driven.id is not None and reply.known:
                results[driven.id] = reply.result
        return results

    async def turn(self, judge: Judge, max_steps: int) -> Answer:
        """Let the judge answer until it makes no more calls; the last answer."""
        for _ in range(max_steps):
            self._steps += 1
            offers = await self.offer()
            answer = await judge.answer(self.conversation, offers)
            await self._take(self._steps, answer)
            if answer.malformed is not None or not answer.calls:
                break
        return answer

    @staticmethod
    def stuck(answer: Answer) -> bool:
        """Whether a turn ended otherwise than by the judge's own end, so that no other can follow."""
        return answer.malformed is not None or bool(answer.calls)

    def go_on(self, answer: Answer, messages: Sequence[Message]) -> None:
        """Begin the next turn with what the user says."""
        self._said.append(answer.text)
        self.conversation += messages

    async def offer(self) -> tuple[ToolOffer, ...]:
        tools = await self._stage.tools()
        if tools != self._tools:
            self._tools, self._check = tools, ArgumentCheck(tools)
            self._seen |= {tool.name: tool for tool in tools}
        return offers_of(tools)

    async def _take(self, step: int, answer: Answer) -> None:
        if answer.usage is not None:
            self._tokens[0] += answer.usage.input_tokens
            self._tokens[1] += answer.usage.output_tokens
        calls = tuple(
            # Endpoints that give no id, or one twice, still need each result to say whose it is.
            replace(call, id=f"{MADE}{step}-{number}")
            for number, call in enumerate(answer.calls)
        )
        self.conversation.append(Message("assistant", answer.text, calls))
        names = frozenset(tool.name for tool in self._tools)
        for call in calls:
            misfit = self._check.misfit(call.name, call.arguments) if call.name in names else None
            reply = await self._reply(call, step)
            self._made.append(
                MadeCall(
                    step, call.name, call.arguments, reply.result, reply.known, reply.error, names, misfit,
                    reply.status, reply.effects, reply.ms, reply.fault, len(self._said) + 1,
                )
            )  # fmt: skip
            self.conversation.append(answered(call, reply))

    async def _reply(self, call: Call, step: int) -> Reply:
        """What a browser would say to a call of no tool, or without an object; else what the stage says."""
        if call.name not in {tool.name for tool in self._tools}:
            return Reply(None, True, f"there is no tool {call.name!r}")
        if not isinstance(call.arguments, dict):
            return Reply(None, True, "the arguments have to be an object")
        return await self._stage.reply(call, step)

    def ended(self, driven: Mapping[str, JsonValue], answer: Answer) -> Run:
        stopped = answer.malformed is not None or not answer.calls
        return Run(
            tuple(self._made), driven, answer.text, self._steps, stopped, answer.malformed,
            self._tokens[0], self._tokens[1], tuple(self._seen.values()), said=tuple(self._said),
        )  # fmt: skip
