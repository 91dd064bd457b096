"""The judges that need no model."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.judges.adversarial import BEHAVIOURS, Adversarial
from measure.judges.draw import request_digest
from measure.judges.judge import Answer, Call, Cause, Judge, JudgeFault, Message, ToolOffer, Usage
from measure.judges.lexical import Lexical, tool_stems
from measure.judges.opening import JudgeOptions, open_judge
from measure.judges.oracle import NoisyOracle, oracle
from measure.judges.recording import Recorded, Recording, Replay
from measure.judges.scripted import Scripted

ADD = ToolOffer(
    "addTopping",
    "Adds a topping to the pizza.",
    {
        "type": "object",
        "properties": {
            "topping": {"type": "string", "enum": ["olives", "black olives", "ham"]},
            "amount": {"type": "integer"},
            "note": {"type": "string"},
        },
        "required": ["topping"],
    },
)
PAY = ToolOffer("pay_order", "Pays the open order.", {"type": "object", "properties": {}})
TOOLS = (ADD, PAY)


def ask(judge: Judge, *messages: str | Message, tools: Sequence[ToolOffer] = TOOLS) -> Answer:
    turns = [each if isinstance(each, Message) else Message("user", each) for each in messages]
    return asyncio.run(judge.answer(turns, tools))


def said(text: str) -> Answer:
    return Answer((), text, None)


def test_a_script_goes_by_the_last_user_turn_and_the_answers_since():
    judge = Scripted({"one": [said("1a"), said("1b")], "two": [Cause.TRUNCATED]})
    assert ask(judge, "one").text == "1a"
    assert ask(judge, "one", Message("assistant", "1a"), Message("tool", "done")).text == "1b"
    assert ask(judge, "two", Message("assistant", "x"), "one").text == "1a"
    assert ask(judge, "one", Message("assistant", "1a"), Message("assistant", "1b")).calls == ()
    with pytest.raises(JudgeFault) as cut:
        ask(judge, "two")
    assert cut.value.cause is Cause.TRUNCATED
    with pytest.raises(JudgeFault) as missing:
        ask(judge, "three")
    assert missing.value.cause is Cause.NOT_RECORDED


def test_the_oracle_makes_the_expected_calls_and_none_for_a_control():
    judge = oracle({"Pay!": [[Call("pay_order", {})]], "Weather?": [[]]})
    assert ask(judge, "Pay!").calls == (Call("pay_order", {}),)
    assert ask(judge, "Weather?").calls == ()


def test_the_noisy_oracle_is_right_with_its_probability_and_wrong_in_every_way():
    texts = [f"pay {number}" for number in range(2_000)]
    judge = NoisyOracle(oracle({text: [[Call("pay_order", {"x": 1})]] for text in texts}), 0.8, seed=4)
    names = Counter(next((call.name for call in ask(judge, text).calls), None) for text in texts)
    # Binomial, n = 2,000, p = 0.8: four standard deviations are 72. The two wrong answers share the rest.
    assert abs(names["pay_order"] - 1_600) < 72
    assert names["addTopping"] > 130
    assert names[None] > 130


@pytest.mark.parametrize(("p", "right"), [(1.0, 50), (0.0, 0)])
def test_the_ends_of_the_noise(p, right):
    texts = [str(number) for number in range(50)]
    judge = NoisyOracle(oracle({text: [[]] for text in texts}), p, seed=1)
    assert sum(ask(judge, text).calls == () for text in texts) == right


def test_the_noise_is_the_same_in_any_order_and_differs_between_draws():
    texts = [f"pay {number}" for number in range(60)]
    truth = oracle({text: [[Call("pay_order", {})]] for text in texts})

    def answers(draw: str, order: Sequence[str]) -> dict[str, Answer]:
        return {text: ask(NoisyOracle(truth, 0.5, 1, draw), text) for text in order}

    first = answers("session 1 repeat 1", texts)
    assert answers("session 1 repeat 1", texts[::-1]) == first
    assert answers("session 1 repeat 2", texts) != first
    with pytest.raises(ValueError, match="between 0 and 1"):
        NoisyOracle(truth, 1.2, 1)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("Put a topping of ham on it", "addTopping"),
        ("I want to pay", "pay_order"),
        ("What is the weather in Malta?", None),
        ("", None),
        ("the of and", None),
    ],
)
def test_the_lexical_judge_goes_by_words_in_common(text, tool):
    assert next((call.name for call in ask(Lexical(), text).calls), None) == tool


def test_the_lexical_judge_stops_at_a_result_and_manages_without_tools():
    assert (
        ask(Lexical(), "pay", Message("assistant", "", (Call("pay_order", {}),)), Message("tool", "paid")).calls == ()
    )
    assert ask(Lexical(), "pay", tools=()).calls == ()
    assert ask(Lexical(), "pay", tools=[ToolOffer("", "", None)]).calls == ()


def test_equal_words_go_to_the_tool_shown_first():
    twins = [ToolOffer("y", "Orders a pizza.", None), ToolOffer("x", "Orders a pizza.", None)]
    assert ask(Lexical(), "pizza", tools=twins).calls[0].name == "y"
    assert ask(Lexical(), "pizza", tools=twins[::-1]).calls[0].name == "x"


def test_a_tool_is_known_by_all_the_words_that_a_model_is_shown():
    assert set(tool_stems(ADD)) == {"add", "top", "pizza", "oliv", "black", "ham", "amount", "note"}
    assert next(call.name for call in ask(Lexical(), "Black olives please").calls) == "addTopping"
    assert next(call.name for call in ask(Lexical(), "I am paying for my orders").calls) == "pay_order"


def test_the_lexical_judge_fills_in_what_the_words_say():
    call = ask(Lexical(), "Add 2 toppings of black olives, as topping, with the note 'well done'").calls[0]
    assert call.arguments == {"topping": "black olives", "amount": 2, "note": "well done"}
    assert ask(Lexical(), "Add a topping").calls[0].arguments == {"topping": "olives"}


@pytest.mark.parametrize("behaviour", sorted(BEHAVIOURS))
def test_every_adversarial_answer_is_whole_and_in_time(behaviour):
    answer = ask(Adversarial(behaviours=[behaviour]), "pay")
    assert isinstance(answer, Answer)
    offered = {tool.name for tool in TOOLS}
    wrong = (
        answer.malformed is not None
        or not answer.calls
        or len(answer.calls) > 1
        or answer.calls[0].name not in offered
        or answer.calls[0].arguments != {}
        or "<script>" in answer.text
    )
    assert wrong
    assert ask(Adversarial(behaviours=[behaviour]), "pay", tools=()).usage is None


def test_the_adversary_does_all_it_can_over_a_run_and_the_same_for_the_same_seed():
    answers = [ask(Adversarial(seed=1), f"pay {number}") for number in range(300)]
    kinds = {
        (answer.malformed, len(answer.calls), type(answer.calls[0].arguments) if answer.calls else None)
        for answer in answers
    }
    assert len(kinds) >= 7
    assert answers == [ask(Adversarial(seed=1), f"pay {number}") for number in range(300)]
    assert answers != [ask(Adversarial(seed=2), f"pay {number}") for number in range(300)]


def test_a_recording_gives_back_what_was_said_and_replays_it(tmp_path: Path):
    answer = Answer((Call("pay_order", {"n": [1, None, "ü"]}, "c1"),), "t", Usage(3, 4), "odd")
    judge = Scripted({"pay": [answer]})
    recorded = Recorded(judge, Recording(tmp_path), "1")
    assert ask(recorded, "pay") == answer
    assert ask(Replay("scripted", Recording(tmp_path), "1"), "pay") == answer
    for other in (Replay("scripted", Recording(tmp_path), "2"), Replay("another", Recording(tmp_path), "1")):
        with pytest.raises(JudgeFault) as missing:
            ask(other, "pay")
        assert missing.value.cause is Cause.NOT_RECORDED


def test_a_fault_is_not_recorded(tmp_path: Path):
    with pytest.raises(JudgeFault):
        ask(Recorded(Scripted({"pay": [Cause.UNAVAILABLE]}), Recording(tmp_path), "1"), "pay")
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"answer": {"calls": 5}}', '{"judge": "x"}'])
def test_a_recording_that_is_none_is_said_with_its_file(tmp_path: Path, content):
    ask(Recorded(Scripted({"pay": [said("x")]}), Recording(tmp_path), "1"), "pay")
    (path,) = tmp_path.rglob("*.json")
    path.write_text(content)
    with pytest.raises(CensusError, match="holds no recorded answer: delete it"):
        ask(Replay("scripted", Recording(tmp_path), "1"), "pay")


def test_a_digest_tells_apart_all_that_a_model_sees():
    def digest(judge="j", draw="1", text="pay", tools=TOOLS) -> str:
        return request_digest(judge, draw, [Message("user", text)], tools)

    other_keys = ToolOffer(PAY.name, PAY.description, {"properties": {}, "type": "object"})
    assert json.dumps(other_keys.input_schema, sort_keys=True) == json.dumps(PAY.input_schema, sort_keys=True)
    variants = [
        digest(),
        digest(judge="k"),
        digest(draw="2"),
        digest(text="pay!"),
        digest(tools=TOOLS[::-1]),
        digest(tools=(ADD, other_keys)),
        digest(tools=(ADD,)),
    ]
    assert len(set(variants)) == len(variants)
    assert digest() == digest()


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("lexical", "lexical:bm25"),
        ("oracle", "oracle"),
        ("noisy-oracle:p=0.5,seed=3", "noisy-oracle:p=0.5,seed=3"),
        ("noisy-oracle", "noisy-oracle:p=0.8,seed=1"),
        ("adversarial:seed=2", "adversarial:seed=2"),
    ],
)
def test_judges_are_opened_by_what_they_are_called(spec, name):
    source = open_judge(spec, JudgeOptions(), {"pay": [[]]})
    assert source.name == name
    assert source.for_draw("1").name == name
    assert source.budget is None


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "names no judge"),
        ("openai", "names no judge"),
        ("gpt", "names no judge"),
        ("lexical:x", "names no judge"),
        ("noisy-oracle:p=2", "between 0 and 1"),
        ("noisy-oracle:q=2", "'q=2' is not one of its settings"),
        ("noisy-oracle:p=high", "is not one of its settings"),
        ("replay:oracle", "--judge-cache"),
    ],
)
def test_a_name_of_no_judge_says_what_would_be_one(spec, said):
    with pytest.raises(CensusError, match=said):
        open_judge(spec, JudgeOptions())
