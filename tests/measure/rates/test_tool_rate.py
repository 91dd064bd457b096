"""Spreads, pass^k, floors and controls, counted by hand."""

from itertools import product

import pytest

from census.interval import wilson
from measure.judges.judge import ToolOffer
from measure.rates.control import ControlTrial, false_positives
from measure.rates.floors import Question, floors
from measure.rates.observation import Observation
from measure.rates.pass_power import pass_power
from measure.rates.spread import spread_text, spreads
from measure.rates.tool_rate import tool_rates


def trials(pattern: str, tool: str = "pay") -> list[Observation]:
    """`"10 11 / 00 01"`: sessions by /, repeats by spaces, a digit for each utterance."""
    return [
        Observation(tool, f"u{utterance}", session, repeat, digit == "1")
        for session, block in enumerate(pattern.split("/"))
        for repeat, digits in enumerate(block.split())
        for utterance, digit in enumerate(digits)
    ]


def test_the_two_spreads_are_kept_apart():
    # Sessions: 3 of 4 and 1 of 4. Repeats: 0.5 and 1.0, then 0.0 and 0.5.
    found = spreads(trials("10 11 / 00 01"))
    assert found.between is not None
    assert (found.between.n, found.between.low, found.between.high) == (2, 0.25, 0.75)
    assert found.between.deviation == pytest.approx(0.353553, abs=1e-6)  # sqrt(2 * 0.25²)
    assert found.within is not None
    assert (found.within.low, found.within.high) == (-0.25, 0.25)
    assert found.within.deviation == pytest.approx(0.353553, abs=1e-6)  # sqrt((4 * 0.25²) / 2)


def test_no_spread_within_sessions_says_nothing_of_the_spread_between_them():
    found = spreads(trials("11 11 / 00 00"))
    assert found.between is not None
    assert found.within is not None
    assert (found.between.high - found.between.low, found.within.deviation) == (1.0, 0.0)


def test_what_cannot_be_compared_is_unknown_not_zero():
    assert spreads(trials("1011")) == (None, None)
    assert spread_text(None) == "unknown (nothing to compare)"


def test_pass_power_by_hand():
    # u0: 3 of 4, C(3,2)/C(4,2) = 3/6; u1: 2 of 4, 1/6. The mean is 1/3; (c/n)² would give 0.41.
    observations = trials("11 11 10 00")
    assert pass_power(observations, 2) == pytest.approx(1 / 3)
    assert pass_power(observations, 1) == pytest.approx(5 / 8)
    assert pass_power(observations, 5) is None
    assert pass_power([], 1) is None
    with pytest.raises(ValueError, match="at least 1"):
        pass_power(observations, 0)


@pytest.mark.parametrize(("p", "n", "k"), [(0.8, 5, 3), (0.3, 4, 4), (0.5, 6, 2)])
def test_pass_power_is_unbiased_over_every_sequence_of_trials(p, n, k):
    expected = sum(
        p ** sum(row) * (1 - p) ** (n - sum(row)) * (pass_power(trials(" ".join(map(str, row))), k) or 0.0)
        for row in product((0, 1), repeat=n)
    )
    assert expected == pytest.approx(p**k)


TOOLS = [ToolOffer("add_topping", "Adds a topping to the pizza.", None), ToolOffer("pay", "Pays the order.", None)]


def test_floors_by_hand():
    questions = [
        Question("Add olives to my pizza", frozenset({"add_topping"})),  # lexical: right
        Question("I would like to settle", frozenset({"pay"})),  # lexical: no word in common, wrong
        Question("Pays it", frozenset({"pay", "add_topping"})),  # lexical: right
        Question("What is the weather?", frozenset()),  # lexical: right, no call
        Question("Tell me of the order of Malta", frozenset()),  # lexical: wrong, calls pay
    ]
    found = floors(questions, TOOLS)
    assert found.lexical == pytest.approx(3 / 5)
    # pay, add_topping and "none" are each right in two of five.
    assert found.majority == pytest.approx(2 / 5)
    assert found.random == pytest.approx((0.5 + 0.5 + 1.0 + 0 + 0) / 5)
    assert floors([], TOOLS) == (None, None, None)


def test_where_most_questions_are_controls_calling_nothing_is_the_majority():
    control = Question("What is the weather?", frozenset())
    assert floors([control, control, Question("Pay", frozenset({"pay"}))], TOOLS).majority == pytest.approx(2 / 3)


def test_a_page_without_tools_has_floors_as_well():
    found = floors([Question("Pay", frozenset({"pay"}))], [])
    assert found == (0.0, 1.0, 0.0)


def test_false_positives_by_kind():
    found = false_positives([ControlTrial("near_miss", True), ControlTrial("irrelevant", False)] * 2)
    assert list(found) == ["irrelevant", "near_miss"]
    assert (found["near_miss"].k, found["near_miss"].n, found["irrelevant"].k) == (2, 2, 0)
    assert found["irrelevant"].high == pytest.approx(wilson(0, 2)[1], abs=1e-6)


def test_a_tools_rate_has_all_that_must_stand_beside_it():
    found = tool_rates([*trials("10 11 / 00 01"), *trials("11", "add")])
    assert [each.tool for each in found] == ["add", "pay"]
    add, pay = found
    assert (pay.rate.k, pay.rate.n) == (4, 8)
    assert pay.over_both is not None
    assert pay.over_sessions is not None
    assert pay.over_sessions.clusters == 2
    assert pay.pass_power[1] == pytest.approx(0.5)
    # u0: 2 of 4, u1: 2 of 4; three in a row cannot come of two successes.
    assert pay.pass_power[3] == 0.0
    assert pay.pass_power[5] is None
    assert add.over_sessions is None
