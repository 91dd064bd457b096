"""Each outcome that needs no execution, from plain values."""

import pytest
from pydantic import JsonValue

from measure.judges.judge import Answer, Call
from measure.rates.trial_outcome import TrialOutcome as Outcome
from measure.trials.call_verdict import unasked, verdict
from tests.measure.trials.held import SIZE, control, tool, utterance

ORDER, CANCEL, LOOK = tool("order", SIZE), tool("cancel"), tool("look", reads=True)
TOOLS = (ORDER, CANCEL, LOOK)


def answer(*calls: tuple[str, JsonValue], malformed: str | None = None) -> Answer:
    return Answer(tuple(Call(name, arguments) for name, arguments in calls), "", None, malformed)


LARGE: tuple[str, JsonValue] = ("order", {"size": "large"})


@pytest.mark.parametrize(
    ("supported", "registered", "offered", "outcome"),
    [
        (False, set(), set(), Outcome.NOT_SUPPORTED),
        (True, set(), set(), Outcome.NOT_REGISTERED),
        (True, {"cancel"}, {"cancel"}, Outcome.NOT_REGISTERED),
        (True, {"cancel", "order"}, {"cancel"}, Outcome.NOT_DISCOVERED),
        (True, {"order"}, {"order"}, None),
        # A frame's tools are offered although the top document has no WebMCP of its own.
        (False, {"order"}, {"order"}, None),
        (True, {"reorder"}, {"reorder"}, None),
    ],
)
def test_a_judge_is_asked_only_where_a_right_tool_is_offered(
    supported: bool, registered: set[str], offered: set[str], outcome: Outcome | None
) -> None:
    said = utterance(acceptable=("reorder",))
    found = unasked(said, supported=supported, registered=registered, offered=offered)
    assert (found and found[0]) == outcome


@pytest.mark.parametrize(
    ("supported", "offered", "outcome"),
    [(True, {"cancel"}, None), (True, set(), Outcome.NOT_REGISTERED), (False, set(), Outcome.NOT_SUPPORTED)],
)
def test_a_control_needs_any_tool_that_could_be_called(
    supported: bool, offered: set[str], outcome: Outcome | None
) -> None:
    found = unasked(control(), supported=supported, registered=offered, offered=offered)
    assert (found and found[0]) == outcome


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (answer(), Outcome.NOT_SELECTED),
        (answer(malformed="no JSON choice in the answer"), Outcome.NOT_SELECTED),
        (answer(("cancel", {})), Outcome.WRONG_TOOL),
        (answer(("Order", {"size": "large"})), Outcome.HALLUCINATED_TOOL),
        (answer(("order", {})), Outcome.BAD_ARGS),
        (answer(("order", {"size": "huge"})), Outcome.BAD_ARGS),
        (answer(("order", {"size": "large", "count": "1"})), Outcome.BAD_ARGS),
        (answer(("order", None)), Outcome.BAD_ARGS),
        (answer(("order", ["large"])), Outcome.BAD_ARGS),
        (answer(("order", "{'size': large}"), malformed="no JSON"), Outcome.BAD_ARGS),
        (answer(LARGE), Outcome.OK),
        # JSON Schema takes further members unless it forbids them.
        (answer(("order", {"size": "large", "note": "hot"})), Outcome.OK),
        # Of several calls the one that got least far counts.
        (answer(LARGE, ("cancel", {})), Outcome.WRONG_TOOL),
        (answer(LARGE, ("bake", {})), Outcome.HALLUCINATED_TOOL),
        (answer(("bake", {}), ("cancel", {})), Outcome.WRONG_TOOL),
        (answer(("bake", {}), ("order", {})), Outcome.HALLUCINATED_TOOL),
        (answer(LARGE, ("order", {"size": "small"})), Outcome.OK),
        # The same order twice is two orders, and one was asked for.
        (answer(LARGE, LARGE), Outcome.BAD_ARGS),
        (answer(LARGE, malformed="half of it was no JSON"), Outcome.BAD_ARGS),
    ],
)
def test_the_outcome_of_an_answer_to_an_utterance(given: Answer, outcome: Outcome) -> None:
    assert verdict(utterance(), given, TOOLS).outcome is outcome


def test_reading_twice_does_no_harm() -> None:
    said = utterance(tool="look")
    assert verdict(said, answer(("look", {}), ("look", {})), TOOLS).outcome is Outcome.OK


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (answer(), Outcome.OK),
        (answer(LARGE), Outcome.WRONG_TOOL),
        (answer(("sing", {})), Outcome.HALLUCINATED_TOOL),
        (answer(("sing", {}), LARGE), Outcome.WRONG_TOOL),
        (answer(malformed="I would rather not"), Outcome.OK),
    ],
)
def test_the_outcome_of_an_answer_to_a_control(given: Answer, outcome: Outcome) -> None:
    assert verdict(control(), given, TOOLS).outcome is outcome


def test_what_breaks_the_schema_and_what_breaks_the_expectation_are_told_apart() -> None:
    said = utterance(arguments={"size": "large", "count": {"$gte": 2}})
    schema = verdict(said, answer(("order", {"size": "huge"})), TOOLS).calls[0]
    assert schema.schema_misfit is not None
    assert schema.schema_misfit.startswith("/size")
    assert schema.expectation_misfit is None
    wanted = verdict(said, answer(("order", {"size": "large", "count": 1})), TOOLS).calls[0]
    assert (wanted.outcome, wanted.schema_misfit) == (Outcome.BAD_ARGS, None)
    assert wanted.expectation_misfit == "/count: expected $gte 2, was 1"
    assert verdict(said, answer(("order", {"size": "large", "count": 2})), TOOLS).outcome is Outcome.OK


def test_expected_arguments_are_those_of_the_expected_tool_not_of_an_acceptable_one() -> None:
    said = utterance(tool="reorder", acceptable=("order",), arguments={"size": "small"})
    assert verdict(said, answer(LARGE), TOOLS).outcome is Outcome.OK


def test_arguments_too_deep_to_be_judged_are_bad_and_no_crash() -> None:
    deep: JsonValue = {}
    for _ in range(5_000):
        deep = {"next": deep}
    assert verdict(utterance(tool="cancel"), answer(("cancel", {"deep": deep})), TOOLS).outcome is Outcome.BAD_ARGS
