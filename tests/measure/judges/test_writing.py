"""What is written for an endpoint and read from it, apart from the endpoint."""

from datetime import timedelta

import pytest

from census.errors import CensusError
from measure.judges.attempts import retry_after
from measure.judges.fill import fill
from measure.judges.judge import Answer, Call, Message, ToolOffer
from measure.judges.offer import aliases, object_schema
from measure.judges.prompt_mode import as_prompt, read_choice
from measure.judges.turns import with_ids


def test_results_are_paired_with_calls_in_order_unless_they_say_otherwise():
    conversation = [
        Message("assistant", "", (Call("a", {}), Call("b", {}, "call_0"), Call("c", {}, "mine"))),
        Message("tool", "of c", call_id="mine"),
        Message("tool", "of a"),
        Message("tool", "of b"),
    ]
    paired = with_ids(conversation)
    ids = {call.name: call.id for call in paired[0].calls}
    assert len(set(ids.values())) == 3
    assert ids["c"] == "mine"
    assert [message.call_id for message in paired[1:]] == ["mine", ids["a"], ids["b"]]


@pytest.mark.parametrize(
    "conversation",
    [
        [Message("tool", "x")],
        [Message("assistant", "", (Call("a", {}, "1"),)), Message("tool", "x", call_id="2")],
        [Message("assistant", "", (Call("a", {}),)), Message("tool", "x"), Message("tool", "y")],
        [Message("assistant", "", (Call("a", {}, "1"), Call("b", {}, "1")))],
    ],
)
def test_results_that_no_call_asked_for_are_errors(conversation):
    with pytest.raises(CensusError, match="message"):
        with_ids(conversation)


def test_names_that_an_endpoint_refuses_are_made_to_fit_and_come_back():
    long = "x" * 128
    names = ["a.b", "a_b", "a-b", "a.b.", long, long[:-1]]
    known = aliases([ToolOffer(name, "", None) for name in names])
    made = [known.alias(name) for name in names]
    assert len(set(made)) == len(names)
    assert all(0 < len(each) <= 64 and "." not in each for each in made)
    assert made[1:3] == ["a_b", "a-b"]
    assert [known.tool(each) for each in made] == names
    assert known.tool("made_up") == "made_up"


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        (None, {"type": "object", "properties": {}}),
        ("string", {"type": "object", "properties": {}}),
        ({}, {"type": "object"}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"type": "object", "required": ["a"]}, {"type": "object", "required": ["a"]}),
        ({"type": "array"}, {"type": "object", "properties": {}}),
        ({"type": ["object", "null"]}, {"type": "object", "properties": {}}),
    ],
)
def test_every_schema_of_a_page_becomes_an_objects(schema, shown):
    assert object_schema(schema) == shown


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('{"calls": []}', ()),
        ('{"name": "pay", "arguments": {"n": 1}}', (Call("pay", {"n": 1}),)),
        ('{ "arguments": null, "name": "pay"}', (Call("pay", {}),)),
        ('Use {braces} so: {"calls": [{"name": "pay"}]} and {"calls": []}', (Call("pay", {}),)),
        ('```\n{"calls": [{"name": "a"}, {"name": "b", "arguments": [1]}]}\n```', (Call("a", {}), Call("b", [1]))),
    ],
)
def test_choices_in_a_text(text, calls):
    read = read_choice(Answer((), text, None))
    assert (read.calls, read.malformed, read.text) == (calls, None, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot.",
        "{}",
        '{"calls": [{"name": "pay", "arguments": {"x": 1}}',  # breaks off: what stands inside is no choice
        '{"calls": "pay"}',
        '{"calls": [{"arguments": {}}]}',
        '{"name": 5}',
        '{"calls": [{"name": "pay", "arguments": {"x": NaN}}]}',
        '{"calls": ' * 5_000,
    ],
)
def test_a_text_without_a_choice_is_malformed(text):
    read = read_choice(Answer((), text, None))
    assert read.calls == ()
    assert read.malformed


def test_the_prompt_holds_system_tools_calls_and_results_as_text():
    tool = ToolOffer("pay", "Pays {now}.", {"type": "object"})
    call = Message("assistant", "", (Call("pay", {"a": 1}, "x"),))
    prompt = as_prompt([Message("system", "Be brief."), Message("user", "Pay"), call, Message("tool", "ok")], [tool])
    assert [message.role for message in prompt] == ["system", "user", "assistant", "user"]
    assert prompt[0].content.startswith("Be brief.")
    assert '"description": "Pays {now}."' in prompt[0].content
    assert read_choice(Answer((), prompt[2].content, None)).calls == (Call("pay", {"a": 1}),)
    assert all(not message.calls and message.call_id is None for message in prompt)


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("7", timedelta(seconds=7)),
        ("Mon, 30 Nov 2026 12:00:30 GMT", timedelta(seconds=30)),
        ("Mon, 30 Nov 2026 11:00:00 GMT", timedelta(0)),
        ("soon", None),
        (None, None),
        ("9" * 400, None),
    ],
)
def test_retry_after_in_seconds_or_as_a_date(header, wait):
    assert retry_after(header, now=1796040000.0) == wait  # 2026-11-30 12:00:00 UTC


@pytest.mark.parametrize(
    ("text", "schema", "filled"),
    [
        ("3 and 4.5", {"a": "integer", "b": "number", "c": "number"}, {"a": 3, "b": 4.5}),
        ("make it vegan", {"vegan": "boolean", "hot": "boolean"}, {"vegan": True}),
        ("anything", {"s": "string"}, {}),
        ('say "one" and "two"', {"s": "string", "t": "string"}, {"s": "one", "t": "two"}),
    ],
)
def test_arguments_from_words(text, schema, filled):
    properties = {name: {"type": kind} for name, kind in schema.items()}
    assert fill(text, {"type": "object", "properties": properties}) == filled


def test_a_choice_by_constants_takes_the_longest_that_is_said():
    schema = {"properties": {"size": {"anyOf": [{"const": "large", "title": "L"}, {"const": "extra large"}, {}]}}}
    assert fill("an Extra Large one", schema) == {"size": "extra large"}
    assert fill("a largess", schema) == {}


@pytest.mark.parametrize("schema", [None, "x", {}, {"properties": []}, {"properties": {"a": True}, "required": "a"}])
def test_odd_schemas_fill_nothing_they_should_not(schema):
    assert set(fill("text", schema)) <= {"a"}
