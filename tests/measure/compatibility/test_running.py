"""When an answer stands: a crash, a hang or a late one at the second time, anything else at once."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from measure.compatibility import running
from measure.compatibility.asking import Answer
from measure.compatibility.behaviour import Switch
from measure.compatibility.cell import Cell
from measure.compatibility.engine import Engine, Start
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.running import Unasked, run_build, writable
from tests.measure.compatibility.matrices import behaviour, build

FAULT = OSError("the browser did not start")


class _Engine:
    spent = False


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Cell | Unasked]:
    """Puts one question to a browser that gives these answers one after the other, or fails as they say."""

    def put(*answers: str | Answer | Exception) -> Cell | Unasked:
        coming: Iterator[str | Answer | Exception] = iter(answers)

        async def ask(*_: object) -> Answer:
            answer = next(coming)
            if isinstance(answer, Exception):
                raise answer
            return answer if isinstance(answer, Answer) else Answer(answer)

        @asynccontextmanager
        async def start(_: Switch) -> AsyncIterator[Engine]:
            yield _Engine()  # type: ignore[misc]

        @asynccontextmanager
        async def engine(_: Path, __: ProbeWeb) -> AsyncIterator[Start]:
            yield start

        monkeypatch.setattr(running, "ask", ask)
        monkeypatch.setitem(running._ENGINES, "chromium", engine)
        question = behaviour()

        async def first() -> Cell | Unasked:
            with ProbeWeb([question], tmp_path) as web:
                async with aclosing(run_build(build("hs156"), Path("browser"), [question], web)) as results:
                    return await anext(results)

        result = asyncio.run(first())
        assert next(coming, None) is None, "it was not asked as often as expected"
        return result

    return put


@pytest.mark.parametrize(
    ("answers", "value"),
    [
        (["yes"], "yes"),
        (["not_applicable"], "not_applicable"),
        (["hang", "yes"], "yes"),
        (["crash", "crash"], "crash"),
        (["hang", "hang"], "hang"),
        (["no_answer", "no_answer"], "no_answer"),
        ([FAULT, "yes"], "yes"),
        (["hang", FAULT, "hang"], "hang"),
        (["hang", FAULT, "yes"], "yes"),
        ([FAULT, FAULT, "yes"], "yes"),
        ([Answer("pending", took=1.99)], "pending"),
        ([Answer("pending", took=2.0), "ok"], "ok"),
        ([Answer("pending", took=2.0), Answer("pending", took=6.0)], "pending"),
        ([Answer("not_applicable", took=2.0), "ok"], "ok"),
    ],
)
def test_an_answer_stands(asked, answers, value):
    cell = asked(*answers)
    assert isinstance(cell, Cell)
    assert cell.value == value


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([FAULT, FAULT, FAULT], "OSError: the browser did not start"),
        (["hang", FAULT, FAULT], "OSError: the browser did not start"),
        ([FAULT, FAULT, "hang"], "the answer seemed to be hang, and could not be asked for again"),
    ],
)
def test_what_could_not_be_confirmed_is_no_answer(asked, answers, why):
    unasked = asked(*answers)
    assert isinstance(unasked, Unasked)
    assert unasked.why == why


def test_half_a_surrogate_pair_is_spelled():
    assert writable("a\ud800b é") == "a\\ud800b é"
