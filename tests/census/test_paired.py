import math

import pytest
from scipy.stats import binom

from census.paired import paired_change


def test_the_counts_and_the_difference_are_of_the_same_pages() -> None:
    change = paired_change(both=36, lost=12, gained=2, neither=0)
    assert (change.both, change.lost, change.gained, change.neither) == (36, 12, 2, 0)
    assert change.difference == pytest.approx(-0.2)


def test_the_interval_is_walds_with_half_a_page_in_each_cell() -> None:
    # By hand: 12.5 and 2.5 of 52; difference 10/52, variance (15 - 100/52) / 52^2.
    reach = 1.959964 * math.sqrt(15 - 100 / 52) / 52
    change = paired_change(both=36, lost=12, gained=2, neither=0)
    assert (change.low, change.high) == pytest.approx((-10 / 52 - reach, -10 / 52 + reach), abs=1e-6)


def test_the_test_is_mcnemars_exact_one() -> None:
    # Of 14 changed pages 2 gained: twice the lower tail of a fair coin.
    assert paired_change(36, 12, 2, 0).p == pytest.approx(2 * binom.cdf(2, 14, 0.5))
    assert paired_change(0, 0, 5, 0).p == pytest.approx(2 * 0.5**5)


def test_pages_that_did_not_change_do_not_touch_the_test() -> None:
    assert paired_change(0, 3, 9, 0).p == paired_change(1_000, 3, 9, 5_000).p


def test_no_change_is_no_evidence_and_not_certain() -> None:
    change = paired_change(10, 0, 0, 10)
    assert (change.difference, change.p) == (0.0, 1.0)
    assert change.low < 0 < change.high


def test_of_no_page_nothing_is_known() -> None:
    change = paired_change(0, 0, 0, 0)
    assert (change.difference, change.low, change.high, change.p) == (None, -1.0, 1.0, 1.0)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        paired_change(1, -1, 0, 0)
