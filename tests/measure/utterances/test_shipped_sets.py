"""The sets that are shipped: whole, frozen, honest about their author, and fit for the pages they are for."""

import json
from collections import Counter
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.lint.manifest_file import read_manifests
from measure.utterances.authorship import refuse_own_author
from measure.utterances.check import problems
from measure.utterances.digest import require_frozen
from measure.utterances.utterance_set import ControlKind, Tag, UtteranceSet, read_set
from tests.sites.pages.measured_apps import APPS

FOLDER = Path("datasets/utterances")
SETS = {"grocer": APPS / "grocer/clean", "osteria": APPS / "osteria", "notes": APPS / "notes"}
VARIANTS = ("clean", "vague", "twins", "vague-twins", "opaque", "over-parameterised")


def shipped(name: str) -> UtteranceSet:
    return read_set(FOLDER / f"{name}.json")


def tools_of(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "tools.json").read_text("utf-8"))
    return found


def test_every_shipped_set_is_tested_here():
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(SETS)


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_whole_frozen_and_fits_the_page(name):
    manifest = read_manifests((SETS[name] / "tools.json").read_text("utf-8"), name)[0]
    assert problems(shipped(name), manifest.tools) == []
    require_frozen(shipped(name))
    assert (SETS[name] / shipped(name).page).is_file()


@pytest.mark.parametrize("name", SETS)
def test_each_tool_is_asked_for_in_every_manner(name):
    by_tool: dict[str, Counter[Tag]] = {}
    for each in shipped(name).utterances:
        by_tool.setdefault(each.tool, Counter())[each.tag] += 1
    for tool, tags in by_tool.items():
        assert sum(tags.values()) >= 20, tool
        assert set(tags) == set(Tag), tool


@pytest.mark.parametrize("name", SETS)
def test_controls_are_of_all_kinds_and_expect_no_call(name):
    kinds = Counter(each.kind for each in shipped(name).controls)
    assert sum(kinds.values()) >= 20
    assert set(kinds) == set(ControlKind)
    assert min(kinds.values()) >= 6


@pytest.mark.parametrize("name", SETS)
def test_a_set_says_that_a_model_wrote_it_and_no_model_of_the_family_may_judge_it(name):
    assert {each.author.kind for each in shipped(name).everything} == {"model"}
    with pytest.raises(CensusError, match="may not judge it"):
        refuse_own_author(shipped(name), "anthropic:claude-sonnet-5")
    refuse_own_author(shipped(name), "openai:some-other-model")


def test_no_two_texts_of_a_tool_begin_with_the_same_four_words():
    for name in SETS:
        begun: Counter[tuple[str, str]] = Counter()
        for each in shipped(name).utterances:
            begun[each.tool, " ".join(each.text.casefold().split()[:4])] += 1
        assert [key for key, times in begun.items() if times > 1] == []


def test_every_variant_serves_the_same_page_with_other_tools():
    pages = {variant: (APPS / "grocer" / variant / "index.html").read_bytes() for variant in VARIANTS}
    assert set(pages.values()) == {pages["clean"]}
    manifests = [json.dumps(tools_of(APPS / "grocer" / variant)) for variant in VARIANTS]
    assert len(set(manifests)) == len(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_can_do_whatever_the_clean_one_can(variant):
    clean = {str(each["name"]) for each in tools_of(APPS / "grocer/clean")}
    assert {str(each.get("implements", each["name"])) for each in tools_of(APPS / "grocer" / variant)} == clean


def test_twins_are_told_apart_by_nothing_but_their_names():
    for variant in ("twins", "vague-twins"):
        tools = {str(each["name"]): each for each in tools_of(APPS / "grocer" / variant)}
        twins = [each for each in tools.values() if "implements" in each]
        assert len(twins) == 4
        for twin in twins:
            other = tools[str(twin["implements"])]
            assert (twin["description"], twin["inputSchema"]) == (other["description"], other["inputSchema"])


def test_over_parameterised_tools_keep_what_the_clean_ones_take():
    clean = {str(each["name"]): each for each in tools_of(APPS / "grocer/clean")}
    for tool in tools_of(APPS / "grocer/over-parameterised"):
        schema, own = tool["inputSchema"], clean[str(tool["name"])]["inputSchema"]
        assert isinstance(schema, dict)
        assert isinstance(own, dict)
        assert set(own["properties"]) < set(schema["properties"])
        assert {"mode", "strategy", "locale"} <= set(schema["required"])
        assert tool["description"] == clean[str(tool["name"])]["description"]
