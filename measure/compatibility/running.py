"""Asks every question of a build: one start for each switch, and a new one after whatever went down."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Error as PlaywrightError

from measure.browsers.build import Build
from measure.compatibility.asking import Answer, ask
from measure.compatibility.behaviour import Behaviour, Switch
from measure.compatibility.bidi import BidiError
from measure.compatibility.cell import Cell, question_digest, question_text
from measure.compatibility.chromium import chromium
from measure.compatibility.engine import Engine, Start
from measure.compatibility.firefox import firefox
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.probing import CRASH, HANG, NO_ANSWER, NOT_APPLICABLE, NotApplicable

_PATIENCE = (1, 3, 3)
"""How many times its bound a question may take at each attempt: a busy machine can stall a browser for a minute."""
_UNCONFIRMED = "the answer seemed to be {}, and could not be asked for again"

_ENGINES: dict[str, Callable[[Path, ProbeWeb], AbstractAsyncContextManager[Start]]] = {
    "chromium": chromium,
    "firefox": firefox,
}

_DOUBTFUL = frozenset({CRASH, HANG, NO_ANSWER})
"""Answers that a machine with other work gives now and then for a build that has a better one: the second stands."""

_SHORTEST_WAIT = 2.0
"""Seconds (probe.js): an answer that took as long can be that something did not come in time, which is doubtful too."""

OURS = (PlaywrightError, BidiError, TimeoutError, OSError, LookupError)
"""What goes wrong with the asking, and says nothing of the build."""


class Unasked(NamedTuple):
    """A question that could not be put, and why."""

    behaviour: Behaviour
    build: Build
    why: str


async def run_build(
    build: Build, executable: Path, behaviours: Sequence[Behaviour], web: ProbeWeb
) -> AsyncGenerator[Cell | Unasked, None]:
    """The cells of a build for these behaviours, as they come."""
    in_order = sorted(behaviours, key=lambda each: (each.switch.value, each.may_crash))
    async with _ENGINES[build.engine](executable, web) as start:
        for switch, group in itertools.groupby(in_order, key=lambda each: each.switch):
            async for result in _run_switch(build, start, switch, tuple(group), web):
                yield result


async def _run_switch(
    build: Build, start: Start, switch: Switch, behaviours: Iterable[Behaviour], web: ProbeWeb
) -> AsyncIterator[Cell | Unasked]:
    starter = _Starter(start, switch)
    try:
        for behaviour in behaviours:
            yield await _ask_again_if_ours(starter, build, behaviour, web)
    finally:
        await starter.stop()


async def _ask_again_if_ours(starter: "_Starter", build: Build, behaviour: Behaviour, web: ProbeWeb) -> Cell | Unasked:
    why = ""
    doubted = False
    for patience in _PATIENCE:
        since = datetime.now(UTC)
        try:
            engine = await starter.engine()
            answer = await ask(engine, behaviour, patience)
            if engine.spent or answer.value in (CRASH, HANG):
                await starter.stop()
        except NotApplicable as error:
            answer = Answer(NOT_APPLICABLE, str(error))
        except OURS as error:
            why = f"{type(error).__name__}: {error}"
            await starter.stop()
            continue
        if doubted or not _is_doubtful(answer, behaviour):
            return _cell(build, behaviour, answer, since, web)
        doubted = True
        why = _UNCONFIRMED.format(answer.value)
    return Unasked(behaviour, build, why)


def _is_doubtful(answer: Answer, behaviour: Behaviour) -> bool:
    if answer.value == CRASH:
        return not behaviour.may_crash
    return answer.value in _DOUBTFUL or answer.took >= _SHORTEST_WAIT


def _cell(build: Build, behaviour: Behaviour, answer: Answer, since: datetime, web: ProbeWeb) -> Cell:
    took = datetime.now(UTC) - since
    return Cell(
        behaviour=behaviour.id,
        build=build.label,
        version=build.version,
        value=web.without_ports(writable(answer.value)),
        detail=web.without_ports(writable(answer.detail)),
        run=question_text(behaviour),
        asked=question_digest(behaviour),
        switch=behaviour.switch,
        entry=behaviour.entry,
        measured_at=since,
        took_ms=round(took.total_seconds() * 1000),
    )


def writable(text: str) -> str:
    r"""The text with lone surrogates, which no file can hold, spelled as escapes: `\ud800`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class _Starter:
    """Keeps one engine running, started when it is first needed, and again after it was stopped."""

    def __init__(self, start: Start, switch: Switch) -> None:
        self._start = start
        self._switch = switch
        self._stack: AsyncExitStack | None = None

    async def engine(self) -> Engine:
        if self._stack is None:
            self._stack = AsyncExitStack()
            try:
                self._engine = await self._stack.enter_async_context(self._start(self._switch))
            except BaseException:
                self._stack = None
                raise
        return self._engine

    async def stop(self) -> None:
        if self._stack is None:
            return
        stack, self._stack = self._stack, None
        try:
            async with asyncio.timeout(30):
                await stack.aclose()
        except OURS:
            return  # a browser that went down does not close in order
