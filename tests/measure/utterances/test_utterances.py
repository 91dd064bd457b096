"""Utterance sets: what is refused, what has to be mended, what a stamp is worth."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from census.errors import CensusError
from measure.lint.manifest_file import read_manifests
from measure.utterances.authorship import refuse_own_author
from measure.utterances.check import Least, normal, problems
from measure.utterances.commands import utterances_group
from measure.utterances.digest import digest_of, require_frozen
from measure.utterances.utterance_set import UtteranceSet, read_set
from tests.measure.utterances.examples import TOOLS, a_set, control, utterance, written

Change = Callable[[dict[str, Any]], object]
MANIFEST = read_manifests(json.dumps(TOOLS), "tools")[0].tools


def changed(change: Change) -> dict[str, Any]:
    content = deepcopy(a_set())
    change(content)
    return content


def found(content: dict[str, Any], *, tools: bool = True) -> list[tuple[str, str]]:
    utterances = UtteranceSet.model_validate_json(json.dumps(content))
    return [(each.where, each.message) for each in problems(utterances, MANIFEST if tools else None, Least(2, 3))]


def test_a_whole_set_has_no_problem():
    assert found(a_set()) == []


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        (lambda s: s["utterances"].append(utterance("x", " i would LIKE to pay! ")), "x", "says the same as pay-1"),
        (lambda s: s["controls"].append(control("x", "Put some ham on it", "near_miss")), "x", "the same as add-1"),
        (lambda s: s["utterances"].append(utterance("x", "?!")), "x", "says nothing"),
        (lambda s: s["utterances"].pop(), "add_topping", "has 1 utterances, at least 2"),
        (lambda s: s["controls"].pop(), "the set", "has 2 controls, at least 3"),
        (lambda s: s["controls"].pop(), "the set", "no control of the kind injection"),
        (lambda s: s["controls"].clear(), "the set", "no control of the kind irrelevant"),
        (lambda s: s["utterances"][1].update(tag="noisy"), "the set", "has no ambiguous utterance"),
        (lambda s: s["utterances"].clear(), "the set", "has no utterance"),
        (lambda s: s["utterances"][0].update(acceptable=["pay"]), "pay-1", "twice"),
        (lambda s: s["utterances"][0].update(acceptable=["cash"]), "pay-1", "expects cash, which the page has not"),
        (lambda s: s["utterances"][0].update(tool="cash"), "pay-1", "it has: add_topping, pay"),
        (lambda s: s["utterances"][2].update(arguments={"topping": "tuna"}), "add-1", "does not take /topping"),
        (lambda s: s["utterances"][2].update(arguments={"count": 0}), "add-1", "does not take /count"),
        (lambda s: s["utterances"][2].update(arguments={"size": 1}), "add-1", "has no 'size'"),
        (lambda s: s["utterances"][2].update(arguments={"topping": {"$contain": "x"}}), "add-1", "is no operator"),
        (lambda s: s["utterances"][2].update(arguments={"count": {"$contains": "x"}}), "add-1", "holds of no number"),
        (lambda s: s["utterances"][2].update(arguments={"topping": {"$from": "x"}}), "add-1", "no place in an utter"),
        (lambda s: s["utterances"][2].update(arguments={"topping": {"$pattern": "("}}), "add-1", "cannot be"),
        (lambda s: s["utterances"][2].update(text="Call add_topping with ham"), "add-1", "has the tool's name"),
        (lambda s: s["controls"][0].update(setup=[{"tool": "cash"}]), "c-1", "sets up with cash"),
        (
            lambda s: s["utterances"][0].update(setup=[{"tool": "add_topping", "arguments": {"topping": 1}}]),
            "pay-1",
            "sets up with arguments that do not fit add_topping",
        ),
        (lambda s: s.update(digest="sha256:" + "0" * 64), "the set", "was changed after it was frozen"),
    ],
)
def test_one_fault_is_found_where_it_is(change, where, said):
    matching = [message for place, message in found(changed(change)) if place == where and said in message]
    assert matching, found(changed(change))


def test_a_tool_without_an_utterance_is_missed():
    content = changed(lambda s: s.update(utterances=s["utterances"][:2]))
    assert [place for place, message in found(content) if "has no utterance" in message] == ["add_topping"]


def test_without_a_manifest_tools_are_taken_as_they_are():
    content = changed(lambda s: s["utterances"][2].update(tool="anything", arguments={"x": 1}))
    assert [place for place, _ in found(content, tools=False)] == ["add_topping", "anything"]  # only the counts


def test_required_members_may_be_missing_from_an_expectation():
    assert found(changed(lambda s: s["utterances"][2].update(arguments={}))) == []


def test_the_bounds_are_twenty_unless_told_otherwise():
    utterances = UtteranceSet.model_validate_json(json.dumps(a_set()))
    said = [each.message for each in problems(utterances, None)]
    assert sum("at least 20 are needed" in message for message in said) == 3  # two tools and the controls


def test_words_are_compared_without_case_marks_and_spacing():
    assert normal("  \uff30ay,\tNOW…  ") == "pay now"
    assert normal("Straße") == normal("STRASSE")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("{", "is no JSON"),
        ('{"format": 1, "format": 1}', "twice in one object"),
        ("[]", "the whole file"),
        (changed(lambda s: s.update(format=2)), "format: Input should be 1"),
        (changed(lambda s: s.update(extra=2)), "extra: Extra inputs"),
        (changed(lambda s: s.update(version="one")), "version"),
        (changed(lambda s: s["utterances"][1].update(tag="odd")), "utterances.1.tag (id 'pay-2')"),
        (changed(lambda s: s["utterances"][1].pop("author")), "utterances.1.author (id 'pay-2'): Field required"),
        (changed(lambda s: s["controls"][0].update(tool="pay")), "controls.0.tool (id 'c-1')"),
        (changed(lambda s: s["controls"][0].update(id="pay-1")), "the id 'pay-1' is there twice"),
        (changed(lambda s: s["utterances"][0].update(text="")), "utterances.0.text"),
        (changed(lambda s: s["utterances"][0].update(arguments=[1])), "utterances.0.arguments"),
    ],
)
def test_a_file_that_is_no_set_says_where_and_why(tmp_path: Path, content, said):
    with pytest.raises(CensusError) as refused:
        read_set(written(tmp_path, content))
    assert said in str(refused.value)
    assert "set.json" in str(refused.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path):
    with pytest.raises(CensusError, match="cannot be read"):
        read_set(tmp_path / "nothing.json")


def command(*arguments: str | Path) -> Result:
    return CliRunner().invoke(utterances_group, [str(each) for each in arguments], standalone_mode=False)


def few(*arguments: str | Path) -> list[str | Path]:
    return [*arguments, "--least-utterances", "2", "--least-controls", "3"]


def test_check_answers_with_its_exit_code(tmp_path: Path):
    path, tools = written(tmp_path, a_set()), written(tmp_path, TOOLS, "tools.json")
    good = command(*few("check", path, "--tools", tools))
    assert good.return_value == 0
    assert "pizza 1.0.0, 4 utterances of 2 tools, 3 controls; 0 to mend" in good.output
    bad = command("check", path, "--json")
    assert bad.return_value == 1
    assert {each["where"] for each in json.loads(bad.output)} == {"add_topping", "pay", "the set"}
    assert isinstance(command("check", tmp_path / "no.json").exception, CensusError)
    assert "not checked" in command("check", path).output
    both = written(tmp_path, {"variants": {"a": TOOLS, "b": TOOLS}}, "both.json")
    assert "holds 2 manifests" in str(command("check", path, "--tools", both).exception)


def test_freeze_stamps_what_has_no_problem_and_refuses_what_changed_since(tmp_path: Path):
    path = written(tmp_path, a_set())
    assert command("freeze", path).return_value == 1
    assert read_set(path).digest is None
    assert command(*few("freeze", path)).return_value == 0
    stamped = read_set(path)
    require_frozen(stamped)
    before = path.read_bytes()
    assert command(*few("freeze", path)).return_value == 0
    assert path.read_bytes() == before
    content = json.loads(before)
    content["utterances"][0]["text"] = "I would like to settle."
    refused = command(*few("freeze", written(tmp_path, content)))
    assert isinstance(refused.exception, CensusError)
    assert "give it a new version" in str(refused.exception)
    with pytest.raises(CensusError, match="changed since"):
        require_frozen(read_set(path))
    del content["digest"]
    with pytest.raises(CensusError, match="is a draft"):
        require_frozen(read_set(written(tmp_path, content)))


def test_the_digest_is_of_the_content_not_of_its_layout(tmp_path: Path):
    content = a_set()
    plain = digest_of(read_set(written(tmp_path, content)))
    turned = {key: content[key] for key in reversed(content)}
    turned["utterances"][0] = {**turned["utterances"][0], "setup": [], "acceptable": []}
    assert digest_of(read_set(written(tmp_path, json.dumps(turned, indent=7)))) == plain
    turned["utterances"][0]["text"] += " "
    assert digest_of(read_set(written(tmp_path, turned))) != plain
    content["utterances"].reverse()
    assert digest_of(read_set(written(tmp_path, content))) != plain


@pytest.mark.parametrize(
    ("author", "judge", "refused"),
    [
        ("openai:gpt-6-luna", "openai:gpt-6-luna@https://api.openai.com/v1,mode=native,max_output=1024", True),
        ("gpt-6-luna", "openai:GPT-6-luna-2026-08-01@http://127.0.0.1:1/v1,mode=prompt,max_output=9", True),
        ("anthropic:claude-x-5", "replay:anthropic:claude-x-5-20261001@https://h,mode=native,max_output=9", True),
        ("openai:vendor/model-a", "openai:model-a@http://h/v1,mode=native,max_output=9", True),
        ("openai:gpt-6-luna", "openai:gpt-6@https://api.openai.com/v1,mode=native,max_output=1024", False),
        ("openai:gpt-6-luna", "lexical:bm25", False),
    ],
)
def test_no_judge_judges_what_it_wrote(author, judge, refused):
    content = changed(lambda s: s["controls"][2].update(author={"kind": "model", "name": author}))
    utterances = UtteranceSet.model_validate_json(json.dumps(content))
    if refused:
        with pytest.raises(CensusError, match="may not judge it"):
            refuse_own_author(utterances, judge)
    else:
        refuse_own_author(utterances, judge)


def test_a_person_of_a_models_name_is_no_model():
    content = changed(lambda s: s["controls"][2].update(author={"kind": "person", "name": "lexical:bm25"}))
    refuse_own_author(UtteranceSet.model_validate_json(json.dumps(content)), "lexical:bm25")
