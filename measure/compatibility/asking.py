"""Asks one question of a running browser, and makes whatever happens an answer."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

from measure.compatibility.behaviour import Behaviour, Script
from measure.compatibility.engine import Engine
from measure.compatibility.probing import CRASH, HANG, NO_ANSWER, NOT_APPLICABLE, NoAnswer, NotApplicable, Tab, Threw


class Answer(NamedTuple):
    """What came back."""

    value: str
    detail: str = ""
    took: float = 0.0
    """Seconds."""


_NEWS = 1.0
"""Seconds in which the news of a crash comes after an answer, or after the error that it makes of the question."""
_ENDING = 10.0
"""Seconds that a question has to let go of its tab when it is over."""


async def ask(engine: Engine, behaviour: Behaviour, patience: int = 1) -> Answer:
    """The answer of a build to a question: bounded, and whatever the page does to the browser.

    `patience` is how many times its bound the question may take, and how many times as long its pages wait.
    """
    loop = asyncio.get_running_loop()
    since = loop.time()
    answer = await _ask(engine, behaviour, patience)
    return answer._replace(took=loop.time() - since)


async def _ask(engine: Engine, behaviour: Behaviour, patience: int) -> Answer:
    within = behaviour.within * patience
    question = asyncio.ensure_future(_in_a_tab(engine, behaviour, patience))
    crash = asyncio.ensure_future(engine.crashed.wait())
    done, _ = await asyncio.wait({question, crash}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    crash.cancel()
    if question not in done:
        question.cancel()
        # It may end long after anybody waits for it, and how it ends is nobody's business then.
        question.add_done_callback(lambda task: task.cancelled() or task.exception())
        with suppress(asyncio.CancelledError, Exception):
            await asyncio.wait_for(asyncio.shield(question), _ENDING)
        return Answer(CRASH) if engine.crashed.is_set() else Answer(HANG, f"no answer within {within:g} s")
    if behaviour.may_crash or question.exception() is not None:
        with suppress(TimeoutError):
            await asyncio.wait_for(engine.crashed.wait(), _NEWS * patience)
    return Answer(CRASH) if engine.crashed.is_set() else _answer(question)


async def _in_a_tab(engine: Engine, behaviour: Behaviour, patience: int) -> str:
    async with engine.tab(behaviour, patience) as tab:
        await tab.open("", behaviour.entry)
        return await _put(tab, behaviour)


async def _put(tab: Tab, behaviour: Behaviour) -> str:
    if isinstance(behaviour.asked, Script):
        return await tab.ask(behaviour.asked.text)
    return await behaviour.asked.function(tab)


def _answer(question: "asyncio.Task[str]") -> Answer:
    try:
        return Answer(question.result())
    except NotApplicable as error:
        return Answer(NOT_APPLICABLE, str(error))
    except NoAnswer as error:
        return Answer(NO_ANSWER, str(error))
    except Threw as error:
        return Answer(f"throws {error.name}", str(error))
