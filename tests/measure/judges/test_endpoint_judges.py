"""The official clients against a real local server that speaks both protocols and misbehaves."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.judges.anthropic_judge import AnthropicJudge
from measure.judges.attempts import Retries
from measure.judges.budget import Budget
from measure.judges.endpoint import EndpointSettings, Mode
from measure.judges.judge import Answer, Call, Cause, JudgeFault, Message, ToolOffer, Usage
from measure.judges.openai_judge import OpenAIJudge
from measure.judges.opening import JudgeOptions, open_judge
from tests.measure.judges.endpoint_server import KEY, Behaviour, Endpoint, Said, endpoint

ADD = ToolOffer("cart.add", "Adds a dish.", {"type": "object", "properties": {"dish": {"type": "string"}}})
PAY = ToolOffer("pay", "Pays.", None)
ASKED = [Message("system", "You act for the user."), Message("user", "Add soup, then pay.")]
QUICK = Retries(attempts=3, first_wait=timedelta(milliseconds=5), longest_wait=timedelta(seconds=1))

Ask = Callable[..., Answer]


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


@pytest.fixture(params=["openai", "anthropic"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(server: Endpoint, kind: str) -> Callable[..., OpenAIJudge | AnthropicJudge]:
    def made(
        *,
        mode: Mode = "native",
        key: str = KEY,
        budget: Budget | None = None,
        deadline: float = 5,
        retries: Retries = QUICK,
        url: str = "",
    ) -> OpenAIJudge | AnthropicJudge:
        base = url or server.url
        settings = EndpointSettings(
            model="test-model",
            base_url=f"{base}/v1" if kind == "openai" else base,
            key=key,
            mode=mode,
            max_output=100,
            deadline=timedelta(seconds=deadline),
            retries=retries,
        )
        return (OpenAIJudge if kind == "openai" else AnthropicJudge)(settings, budget or Budget())

    return made


@pytest.fixture
def ask(make: Callable[..., OpenAIJudge | AnthropicJudge]) -> Ask:
    def asked(messages: list[Message] = ASKED, tools: tuple[ToolOffer, ...] = (ADD, PAY), **settings: object) -> Answer:
        async def run() -> Answer:
            judge = make(**settings)
            try:
                return await judge.answer(messages, tools)
            finally:
                await judge.aclose()

        return asyncio.run(run())

    return asked


def fault_of(asked: Callable[[], object]) -> JudgeFault:
    with pytest.raises(JudgeFault) as raised:
        asked()
    return raised.value


def test_a_call_comes_back_with_the_tools_own_name_and_parsed_arguments(server, ask):
    server.plan = [Behaviour(said=Said("At once.", calls=(("cart_add", {"dish": "soup"}),), tokens=(31, 7)))]
    answer = ask()
    assert [(call.name, call.arguments) for call in answer.calls] == [("cart.add", {"dish": "soup"})]
    assert (answer.text, answer.usage, answer.malformed) == ("At once.", Usage(31, 7), None)


def test_parallel_calls_keep_their_order_and_made_up_names(server, ask):
    server.plan = [Behaviour(said=Said(calls=(("pay", {}), ("cart_add", {"dish": "x"}), ("cart_clear", {}))))]
    assert [call.name for call in ask().calls] == ["pay", "cart.add", "cart_clear"]


def test_a_whole_conversation_with_parallel_calls_and_results_is_a_valid_request(server, ask):
    server.plan = [Behaviour(said=Said("Done."))]
    conversation = [
        *ASKED,
        Message("assistant", "", calls=(Call("cart.add", {"dish": "soup"}), Call("pay", {}, "p:1"))),
        Message("tool", "added"),
        Message("tool", '{"paid": true}', call_id="p:1"),
        Message("assistant", "Paid."),
        Message("user", "Thanks, once more."),
        Message("assistant", ""),
        Message("user", "Well?"),
    ]
    assert ask(conversation).text == "Done."
    assert "added" in json.dumps(server.requests[0])


@pytest.mark.parametrize("mode", ["native", "prompt"])
def test_what_a_page_can_register_is_sent_or_refused_and_never_crashes(server, ask, mode):
    server.plan = [Behaviour(said=Said('{"calls": []}'))]
    odd = [ToolOffer("a", "lone \ud800 surrogate", {"type": "object", "properties": {"\udfff": {}}})]
    assert ask(tools=(*odd, ToolOffer("b" * 128, "", "text"), ToolOffer("c", "", [])), mode=mode).malformed is None
    deep: dict[str, object] = {}
    for _ in range(20_000):
        deep = {"properties": {"x": deep}}
    fault = fault_of(lambda: ask(tools=(ToolOffer("d", "", deep),), mode=mode))  # type: ignore[arg-type]
    assert fault.cause is Cause.REFUSED_REQUEST
    assert len(server.requests) == 1


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
def test_arguments_given_as_an_object_are_taken_as_compatible_servers_mean_them(server, ask):
    call = {"type": "function", "function": {"name": "pay", "arguments": {"n": 1}}}
    answer = {"choices": [{"finish_reason": "tool_calls", "message": {"content": None, "tool_calls": [call]}}]}
    server.plan = [Behaviour(raw=json.dumps(answer).encode())]
    assert ask() == Answer((Call("pay", {"n": 1}),), "", None, None)


def test_a_refusal_by_the_model_is_an_answer_without_a_call(server, ask, kind):
    server.plan = [Behaviour(said=Said("I will not.", stopped="content_filter" if kind == "openai" else "refusal"))]
    assert ask().calls == ()


def test_the_prompt_mode_sends_no_tools_and_reads_the_choice_from_the_text(server, ask):
    text = 'I will.\n```json\n{"calls": [{"name": "cart.add", "arguments": {"dish": "soup"}}, {"name": "pay"}]}\n```'
    server.plan = [Behaviour(said=Said(text))]
    answer = ask(mode="prompt")
    assert answer.calls == (Call("cart.add", {"dish": "soup"}), Call("pay", {}))
    assert answer.usage == Usage(20, 10)
    assert "tools" not in server.requests[0]
    assert "Adds a dish." in json.dumps(server.requests[0])


def test_a_429_storm_ends_as_rate_limited_after_the_attempts(server, ask):
    server.plan = [Behaviour(status=429)]
    fault = fault_of(lambda: ask(retries=Retries(4, timedelta(milliseconds=40), timedelta(seconds=1))))
    assert fault.cause is Cause.RATE_LIMITED
    assert len(server.requests) == 4


def test_a_429_that_passes_is_waited_for_as_long_as_the_server_asks(server, ask):
    server.plan = [Behaviour(status=429, headers={"Retry-After": "1"}), Behaviour(said=Said("Now."))]
    assert ask().text == "Now."
    assert server.times[1] - server.times[0] >= 1


def test_a_server_that_asks_for_a_pause_over_the_longest_is_not_asked_again(server, ask):
    server.plan = [Behaviour(status=429, headers={"Retry-After": "3600"})]
    assert fault_of(ask).cause is Cause.RATE_LIMITED
    assert len(server.requests) == 1


def test_a_used_up_account_is_not_asked_again(server, ask):
    said = {"error": {"type": "insufficient_quota", "code": "insufficient_quota", "message": "You exceeded it"}}
    server.plan = [Behaviour(status=429, raw=json.dumps(said).encode())]
    assert fault_of(ask).cause is Cause.RATE_LIMITED
    assert len(server.requests) == 1


def test_a_wrong_key_is_said_at_once_and_never_repeated(server, ask):
    fault = fault_of(lambda: ask(key="sk-wrong-0815"))
    assert fault.cause is Cause.BAD_KEY
    assert "sk-wrong" not in str(fault)
    assert len(server.requests) == 1


def test_a_key_that_may_not_do_it_is_a_bad_key(server, ask):
    server.plan = [Behaviour(status=403)]
    fault = fault_of(ask)
    assert fault.cause is Cause.BAD_KEY
    assert KEY not in str(fault)


@pytest.mark.parametrize("status", [408, 409, 500, 503, 529])
def test_a_failing_endpoint_is_asked_again_and_then_unavailable(server, ask, status):
    server.plan = [Behaviour(status=status)]
    fault = fault_of(ask)
    assert fault.cause is Cause.UNAVAILABLE
    assert str(status) in str(fault)
    assert KEY not in str(fault)
    assert len(server.requests) == 3


def test_a_failure_that_passes_costs_no_measurement(server, ask):
    server.plan = [Behaviour(status=500), Behaviour(hang_up=True), Behaviour(said=Said("Here."))]
    assert ask().text == "Here."


def test_a_slow_endpoint_is_unavailable_at_the_deadline(server, ask):
    server.plan = [Behaviour(delay=12)]
    began = time.monotonic()
    fault = fault_of(lambda: ask(deadline=0.2, retries=Retries(1)))
    assert fault.cause is Cause.UNAVAILABLE
    assert time.monotonic() - began < 10


def test_an_answer_that_drips_is_unavailable_at_the_deadline_though_bytes_still_come(server, ask):
    server.plan = [Behaviour(said=Said("x" * 200), drip=0.05)]
    began = time.monotonic()
    assert fault_of(lambda: ask(deadline=0.6, retries=Retries(1))).cause is Cause.UNAVAILABLE
    # The whole body would take over fifteen seconds, each byte of it well under the deadline.
    assert time.monotonic() - began < 10


def test_nobody_there_is_unavailable(ask):
    fault = fault_of(lambda: ask(url="http://127.0.0.1:9"))
    assert fault.cause is Cause.UNAVAILABLE
    assert "is it running?" in str(fault)


def test_an_answer_cut_at_its_length_is_truncated_and_paid_for(server, ask):
    server.plan = [Behaviour(said=Said("I will now", stopped="length", tokens=(50, 100)))]
    budget = Budget(max_tokens=100_000)
    assert fault_of(lambda: ask(budget=budget)).cause is Cause.TRUNCATED
    assert budget.tokens == 150
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "raw", [b"<html>not json</html>", b'{"choices": [', b'{"choices": [], "content": 5}', b"[]", b'{"object": "other"}']
)
def test_an_answer_of_another_protocol_is_malformed_transport(server, ask, raw):
    server.plan = [Behaviour(raw=raw)]
    assert fault_of(ask).cause is Cause.MALFORMED_TRANSPORT


def test_a_body_that_breaks_off_is_no_answer(server, ask):
    server.plan = [Behaviour(raw=b'{"choices": [{"message": {"content": "x"', promise_more=True)]
    assert fault_of(ask).cause is Cause.UNAVAILABLE


def test_a_refused_request_is_not_repeated(server, ask):
    server.plan = [Behaviour(status=404)]
    assert fault_of(ask).cause is Cause.REFUSED_REQUEST
    assert len(server.requests) == 1


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
@pytest.mark.parametrize("arguments", ["{'dish': 1}", '{"dish": NaN}', '{"dish": "so'])
def test_arguments_that_are_no_json_are_an_answer_not_a_fault(server, ask, arguments):
    server.plan = [Behaviour(said=Said(calls=(("cart_add", arguments),)))]
    answer = ask()
    assert [(call.name, call.arguments) for call in answer.calls] == [("cart.add", arguments)]
    assert answer.malformed is not None
    assert answer.malformed.startswith("the arguments of cart.add are no JSON")


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
def test_no_arguments_at_all_are_an_empty_object(server, ask):
    server.plan = [Behaviour(said=Said(calls=(("pay", ""),)))]
    answer = ask()
    assert (answer.calls[0].arguments, answer.malformed) == ({}, None)


@pytest.mark.parametrize("kind", ["anthropic"], indirect=True)
def test_cached_input_is_input(server, ask):
    usage = {"input_tokens": 5, "output_tokens": 2, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 400}
    answer = {"content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn", "usage": usage}
    server.plan = [Behaviour(raw=json.dumps(answer).encode())]
    assert ask().usage == Usage(435, 2)


def test_a_budget_of_tokens_ends_the_run_before_it_is_overrun(server, ask, make):
    server.plan = [Behaviour(said=Said("ok", tokens=(400, 90)))]
    # The request's body is some hundred bytes (its bound in tokens) and an answer has 100 tokens at most.
    budget = Budget(max_tokens=2_000)
    causes = []
    for _ in range(6):
        try:
            ask(budget=budget)
        except JudgeFault as fault:
            causes.append(fault.cause)
    assert budget.tokens <= 2_000
    assert budget.tokens == 490 * len(server.requests)
    assert set(causes) == {Cause.BUDGET}
    assert 1 <= len(server.requests) <= 4


def test_requests_at_once_do_not_overrun_a_budget_together(server, make):
    server.plan = [Behaviour(said=Said("ok", tokens=(400, 100)), delay=0.1)]
    budget = Budget(max_tokens=2_000)

    async def run() -> list[Answer | BaseException]:
        judge = make(budget=budget)
        asked: list[Awaitable[Answer]] = [judge.answer(ASKED, (ADD, PAY)) for _ in range(8)]
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = asyncio.run(run())
    assert budget.tokens <= 2_000
    assert any(isinstance(each, JudgeFault) and each.cause is Cause.BUDGET for each in answers)
    assert any(isinstance(each, Answer) for each in answers)


def test_a_refused_request_costs_nothing_and_a_broken_one_its_bound(server, ask):
    budget = Budget(max_tokens=100_000)
    server.plan = [Behaviour(status=500)]
    fault_of(lambda: ask(budget=budget))
    assert budget.tokens == 0
    server.plan = [Behaviour(hang_up=True)]
    fault_of(lambda: ask(budget=budget, retries=Retries(1)))
    assert budget.tokens > 100


def test_many_requests_go_out_at_once(server, make):
    server.plan = [Behaviour(said=Said("ok"), delay=0.3)]

    async def run() -> None:
        judge = make()
        await asyncio.gather(*(judge.answer(ASKED, (PAY,)) for _ in range(8)))

    asyncio.run(run())
    assert server.most_at_once == 8


@pytest.mark.parametrize("plan", [Behaviour(said=Said("ok")), Behaviour(status=429), Behaviour(status=400)])
def test_the_key_is_in_no_record_no_log_and_no_message(
    server, kind, plan, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    server.plan = [plan]
    caplog.set_level(logging.DEBUG)
    options = JudgeOptions(base_url=f"{server.url}/v1" if kind == "openai" else server.url, cache=tmp_path)
    source = open_judge(f"{kind}:m", options, environment={f"{kind.upper()}_API_KEY": KEY})

    async def run() -> str:
        try:
            return repr(await asyncio.wait_for(source.for_draw("1").answer(ASKED, (PAY,)), 3))
        except (JudgeFault, TimeoutError) as fault:
            return repr(fault)
        finally:
            await source.aclose()

    said = asyncio.run(run())
    assert len(server.requests) >= 1
    kept = "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    everything = "\n".join([said, kept, source.name, repr(source), *(record.getMessage() for record in caplog.records)])
    assert KEY not in everything
    assert KEY not in caplog.text


def test_the_cache_asks_once_for_each_draw_so_repeats_stay_repeats(server, kind, tmp_path: Path):
    server.plan = [Behaviour(said=Said("first")), Behaviour(said=Said("second")), Behaviour(said=Said("third"))]
    options = JudgeOptions(base_url=f"{server.url}/v1" if kind == "openai" else server.url, cache=tmp_path)

    async def run(*draws: str) -> list[str]:
        source = open_judge(f"{kind}:m", options, environment={f"{kind.upper()}_API_KEY": KEY})
        try:
            return [(await source.for_draw(draw).answer(ASKED, (PAY,))).text for draw in draws]
        finally:
            await source.aclose()

    assert asyncio.run(run("1", "2", "1")) == ["first", "second", "first"]
    assert asyncio.run(run("2", "1")) == ["second", "first"]
    assert len(server.requests) == 2


def test_a_price_list_holds_the_cost(server, kind):
    model = {"openai": "gpt-4o-mini", "anthropic": "claude-haiku-5-5"}[kind]
    options = JudgeOptions(
        base_url=f"{server.url}/v1" if kind == "openai" else server.url, max_cost=Decimal("0.0000001")
    )
    source = open_judge(f"{kind}:{model}", options, environment={f"{kind.upper()}_API_KEY": KEY})
    assert fault_of(lambda: asyncio.run(source.for_draw("").answer(ASKED, (PAY,)))).cause is Cause.BUDGET
    assert server.requests == []
    with pytest.raises(CensusError, match="no price is known"):
        open_judge(f"{kind}:nobody-knows-it", options, environment={})


def test_no_key_for_the_vendors_own_endpoint_is_a_bad_key(kind):
    fault = fault_of(lambda: open_judge(f"{kind}:m", JudgeOptions(), environment={}))
    assert fault.cause is Cause.BAD_KEY
    assert f"set {kind.upper()}_API_KEY" in str(fault)


@pytest.mark.parametrize("url", ["http://u:secret@h/v1", "http://h/v1?key=secret", "file:///x", "nonsense"])
def test_a_url_that_could_carry_a_key_into_a_record_is_refused(kind, url):
    with pytest.raises(CensusError, match="--judge-url must be") as refused:
        open_judge(f"{kind}:m", JudgeOptions(base_url=url), environment={f"{kind.upper()}_API_KEY": KEY})
    assert "secret" not in str(refused.value)
