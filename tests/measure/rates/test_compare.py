import pytest

from measure.rates.compare import compare
from measure.rates.observation import Observation


def run(tool: str, *results: str) -> list[Observation]:
    """A digit for each utterance, a string for each repeat."""
    return [
        Observation(tool, f"{tool}-{utterance}", 0, repeat, digit == "1")
        for repeat, digits in enumerate(results)
        for utterance, digit in enumerate(digits)
    ]


def test_mcnemars_exact_test_by_hand():
    # 9 succeed in A only, 1 in B only: p = 2 (C(10,0) + C(10,1)) / 2^10 = 22/1024.
    row = compare(run("pay", "1" * 9 + "0" + "11"), run("pay", "0" * 9 + "1" + "11"), seed=1)[0]
    assert (row.only_a, row.only_b, row.utterances) == (9, 1, 12)
    assert row.p == pytest.approx(22 / 1024)
    assert row.difference == pytest.approx(-8 / 12)


def test_holms_correction_by_hand():
    # p = 2/2^10 and 2/2^6; the smaller is doubled, the larger is not.
    a = run("add", "1" * 10) + run("pay", "1" * 6)
    b = run("add", "0" * 10) + run("pay", "0" * 6)
    assert [(row.tool, row.p, row.p_holm) for row in compare(a, b, seed=1)] == [
        ("add", pytest.approx(2 / 1024), pytest.approx(4 / 1024)),
        ("pay", pytest.approx(2 / 64), pytest.approx(2 / 64)),
    ]


def test_repeats_of_an_utterance_are_one_pair_not_many():
    # Three utterances, ten repeats each: 30 discordant trials, 3 discordant pairs, p = 2/8.
    row = compare(run("pay", *["111"] * 10), run("pay", *["000"] * 10), seed=1)[0]
    assert (row.only_a, row.p) == (3, pytest.approx(0.25))


def test_half_of_the_trials_is_no_success():
    row = compare(run("pay", "1", "0"), run("pay", "1", "1"), seed=1)[0]
    assert (row.only_a, row.only_b, row.difference) == (0, 1, 0.5)


def test_the_bootstrap_draws_utterances_and_is_the_same_for_the_same_seed():
    # Half of 100 utterances gain 1, half nothing: the difference's standard error is sqrt(0.25/100) = 0.05.
    a, b = run("pay", "0" * 100), run("pay", "1" * 50 + "0" * 50)
    row = compare(a, b, seed=7)[0]
    assert (row.low, row.high) == (pytest.approx(0.402, abs=0.012), pytest.approx(0.598, abs=0.012))
    assert compare(a, b, seed=7) == [row]
    assert compare(b, a, seed=7)[0].difference == -row.difference


def test_one_utterance_has_no_interval_and_no_difference_is_no_evidence():
    single = compare(run("pay", "1"), run("pay", "0"), seed=1)[0]
    assert (single.low, single.high, single.p) == (-1.0, 1.0, 1.0)
    same = compare(run("pay", "1010"), run("pay", "1010"), seed=1)[0]
    assert (same.difference, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)


def test_only_common_utterances_are_compared():
    row = compare(run("pay", "11"), run("pay", "0"), seed=1)[0]
    assert (row.utterances, row.rate_a) == (1, 1.0)
    assert compare(run("pay", "1"), run("add", "1"), seed=1) == []
