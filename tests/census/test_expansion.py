"""Estimates over two strata, worked out by hand from Wilson's interval."""

import pytest

from census.expansion import Strata, expand

# 40 found among those with evidence; 1,000 without a sign, 50 of them visited, 1 of these with tools.
# Wilson, k = 1, n = 50: 0.353942 % to 10.495433 % (any table, or binom.test of R with method wilson).
ONE_OF_FIFTY = Strata(found=40, stratum=1000, sample=50, sample_found=1, total=1100, mean=5.0)


def test_what_the_sample_found_is_expanded_to_its_stratum():
    missed = expand("missed", ONE_OF_FIFTY)
    assert missed.value == pytest.approx(20)
    assert (missed.low, missed.high) == (pytest.approx(3.539, abs=0.01), pytest.approx(104.95, abs=0.01))
    assert expand("items", ONE_OF_FIFTY).value == pytest.approx(100)


def test_recall_and_share_turn_the_same_interval():
    recall = expand("recall", ONE_OF_FIFTY)
    assert recall.value == pytest.approx(40 / 60, abs=1e-6)
    assert (recall.low, recall.high) == (pytest.approx(40 / 144.95, abs=1e-4), pytest.approx(40 / 43.54, abs=1e-4))
    share = expand("share", ONE_OF_FIFTY)
    assert (share.value, share.high) == (pytest.approx(60 / 1100, abs=1e-6), pytest.approx(144.95 / 1100, abs=1e-4))


def test_a_sample_that_found_none_does_not_prove_that_there_are_none():
    # Wilson, k = 0, n = 60: 0 to z²/(n + z²) = 3.8415/63.8415 = 6.0172 %.
    missed = expand("missed", Strata(10, 3000, 60, 0, 3050))
    assert (missed.value, missed.low) == (0, 0)
    assert missed.high == pytest.approx(180.5, abs=0.1)


def test_a_stratum_that_was_visited_throughout_leaves_nothing_open():
    missed = expand("missed", Strata(10, 20, 20, 3, 40))
    assert (missed.value, missed.low, missed.high) == (3, 3, 3)


def test_without_a_sample_only_the_size_of_the_stratum_bounds_it():
    missed = expand("missed", Strata(10, 20, 0, 0, 40))
    assert (missed.value, missed.low, missed.high) == (None, 0, 20)


def test_without_a_screen_there_is_nothing_to_say():
    assert expand("share", Strata(0, 0, 0, 0, 0)) == (None, None, None)
    assert expand("recall", Strata(0, 5, 5, 0, 5)).value is None


def test_counts_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="no strata"):
        expand("missed", Strata(1, 5, 6, 0, 10))


@pytest.mark.parametrize("rate", [0.005, 0.05])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(rate):
    """400 screens of one list: the truth lies in at least 90 % of the intervals (95 % expected)."""
    import random

    draw = random.Random(7)
    stratum, sample = 4000, 400
    truth = round(stratum * rate)
    hits = 0
    for _ in range(400):
        found = sum(draw.sample([1] * truth + [0] * (stratum - truth), sample))
        missed = expand("missed", Strata(5, stratum, sample, found, stratum + 10))
        hits += missed.low <= truth <= missed.high
    assert hits >= 360
