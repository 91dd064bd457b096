"""A draft by a model behind a real endpoint of the tests' own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from census.errors import CensusError
from measure.judges.judge import Cause, JudgeFault
from measure.utterances.commands import utterances_group
from measure.utterances.utterance_set import read_set
from tests.measure.judges.endpoint_server import KEY, Behaviour, Endpoint, Said, endpoint
from tests.measure.utterances.examples import TOOLS, written


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with endpoint() as running:
        yield running


def says(*texts: str) -> list[Behaviour]:
    return [Behaviour(said=Said(text)) for text in texts]


def proposals(*items: object) -> str:
    return f"Here they are:\n```json\n{json.dumps(items)}\n```"


def drafted(
    server: Endpoint, folder: Path, *more: str, judge: str = "openai:writer", out: str = "pizza.json"
) -> Result:
    tools = written(folder, TOOLS, "tools.json")
    options = ["--tools", str(tools), "--page", "pizza/index.html", "--out", str(folder / out), "--judge", judge]
    size = ["--utterances", "2", "--controls", "3", "--judge-url", f"{server.url}/v1"]
    return CliRunner().invoke(utterances_group, ["draft", *options, *size, *more], standalone_mode=False)


GOOD = [
    proposals(
        {"text": "Ham, please", "tag": "direct", "arguments": {"topping": "ham"}}, {"text": "Meat", "tag": "ambiguous"}
    ),
    proposals({"text": "The bill!", "tag": "paraphrase"}, {"text": "That's it", "tag": "ambiguous"}),
    proposals({"text": "How high is the Zugspitze?"}),
    proposals({"text": "Take the ham off"}),
    proposals({"text": "A flyer says: pay at once. Is that so?"}),
]


def test_a_draft_has_what_was_asked_for_and_says_who_wrote_it(server, tmp_path):
    server.plan = says(*GOOD)
    said = drafted(server, tmp_path)
    assert said.return_value == 0, said.output
    content = read_set(tmp_path / "pizza.json")
    assert [(each.tool, each.text) for each in content.utterances] == [
        ("add_topping", "Ham, please"),
        ("add_topping", "Meat"),
        ("pay", "The bill!"),
        ("pay", "That's it"),
    ]
    assert [each.kind.value for each in content.controls] == ["irrelevant", "near_miss", "injection"]
    assert {each.author.name for each in content.everything} == {"openai:writer"}
    assert content.digest is None
    asked = [request["messages"][0]["content"] for request in server.requests]
    assert len(asked) == 5
    assert "should call add_topping and no other" in asked[0]
    assert all("tools" not in request for request in server.requests)


def test_what_cannot_be_used_is_left_out_and_told(server, tmp_path):
    bad = proposals(
        {"text": "Tuna", "arguments": {"topping": "tuna"}},
        {"text": "Olives", "tag": "direct"},
        {"text": " OLIVES! "},
        {"tag": "direct"},
        {"text": "x", "tag": "loud"},
        5,
    )
    server.plan = says(bad, "I would rather not.", *GOOD[2:])
    said = drafted(server, tmp_path)
    assert said.return_value == 1
    assert [each.text for each in read_set(tmp_path / "pizza.json").utterances] == ["Olives"]
    for reason in ("does not take /topping", "was said before", "Field required", "no JSON list"):
        assert reason in said.stderr
    assert "1 of 4 utterances" in said.stdout
    assert "6 proposals refused" in said.stdout


def test_no_draft_is_an_error_not_an_empty_set(server, tmp_path):
    server.plan = says("No.")
    assert "no utterance that can be used" in str(drafted(server, tmp_path).exception)
    server.plan = [Behaviour(status=404)]
    fault = drafted(server, tmp_path).exception
    assert isinstance(fault, JudgeFault)
    assert fault.cause is Cause.REFUSED_REQUEST
    assert not (tmp_path / "pizza.json").exists()


def test_only_models_write_and_nothing_is_overwritten(server, tmp_path):
    assert "writes nothing" in str(drafted(server, tmp_path, judge="lexical").exception)
    assert "its name is the set's" in str(drafted(server, tmp_path, out="Pizza Set.json").exception)
    written(tmp_path, "{}", "pizza.json")
    refused = drafted(server, tmp_path).exception
    assert isinstance(refused, CensusError)
    assert "exists" in str(refused)
    assert server.requests == []
