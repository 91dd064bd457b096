"""What every behaviour has to be, whatever a browser answers to it."""

import re
from collections import Counter

import pytest

from measure.compatibility.behaviour import Script, Topic
from measure.compatibility.cell import in_vocabulary
from measure.compatibility.expected import Expected, read_expected, without_expectation
from measure.compatibility.registry import all_behaviours
from measure.compatibility_data import EXPECTED, compatibility_data

BEHAVIOURS = all_behaviours()

NO_PLACE_IN_AN_ANSWER = re.compile(r"https?://|\d{2}:\d{2}|[0-9A-F]{32}|127\.0\.0\.1|localhost")


@pytest.fixture(scope="module")
def expected() -> Expected:
    return read_expected(compatibility_data(EXPECTED))


def test_there_are_at_least_seventy_and_each_has_an_id_of_its_own() -> None:
    assert len(BEHAVIOURS) >= 70
    assert [each for each, times in Counter(behaviour.id for behaviour in BEHAVIOURS).items() if times > 1] == []


def test_every_topic_has_some_and_each_stands_in_its_topic() -> None:
    assert {behaviour.topic for behaviour in BEHAVIOURS} == set(Topic)
    in_order = [behaviour.topic for behaviour in BEHAVIOURS]
    assert in_order == sorted(in_order, key=list(Topic).index)


def test_no_question_is_asked_twice() -> None:
    questions = Counter((behaviour.topic, behaviour.question) for behaviour in BEHAVIOURS)
    assert [question for question, times in questions.items() if times > 1] == []


def test_few_hang_on_timing() -> None:
    assert sum(behaviour.timing for behaviour in BEHAVIOURS) <= 5


def test_every_behaviour_is_declared_in_full() -> None:
    for behaviour in BEHAVIOURS:
        assert re.fullmatch(r"[a-z_]+/[a-z0-9]+(-[a-z0-9]+)*", behaviour.id)
        assert behaviour.question.endswith("?"), behaviour.id
        assert behaviour.question[0].isupper(), behaviour.id
        assert behaviour.section, behaviour.id
        # Either a closed vocabulary with meanings, or words on what a free answer is made of.
        assert bool(behaviour.values) != bool(behaviour.canonical), behaviour.id
        for value, meaning in (behaviour.values or {}).items():
            assert value, behaviour.id
            assert meaning.endswith("."), behaviour.id


def test_no_script_waits_for_a_time_alone() -> None:
    waiting = [each.id for each in BEHAVIOURS if isinstance(each.asked, Script) and "setTimeout" in each.asked.text]
    assert waiting == []


def test_every_expected_answer_is_one_that_its_behaviour_declares(expected: Expected) -> None:
    for behaviour in BEHAVIOURS:
        value = expected.values[behaviour.id]
        for each in (value,) if isinstance(value, str) else (value.full, value.shell):
            assert in_vocabulary(behaviour, each), behaviour.id
            assert not NO_PLACE_IN_AN_ANSWER.search(each), behaviour.id


def test_something_is_expected_of_every_behaviour_and_of_no_other(expected: Expected) -> None:
    assert without_expectation(expected, BEHAVIOURS) == ()
    assert set(expected.values) == {behaviour.id for behaviour in BEHAVIOURS}
