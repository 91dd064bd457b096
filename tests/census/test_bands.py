import math

import pytest
from scipy.stats import norm

from census.bands import ALPHA, LEAST_CHANGE, bands


def beyond(before: tuple[int, int], after: tuple[int, int]) -> bool:
    (band,) = bands({"adoption": before}, {"adoption": after})
    return band.beyond


def test_p_is_that_of_the_pooled_two_proportion_test() -> None:
    # By hand: 50 of 100 and 70 of 100, pooled 0.6: z = 0.2 / sqrt(0.24 * 2 / 100).
    (band,) = bands({"adoption": (50, 100)}, {"adoption": (70, 100)})
    assert band.p == pytest.approx(2 * norm.sf(0.2 / math.sqrt(0.24 * 2 / 100)))


def test_a_rate_that_fell_apart_is_beyond_its_band() -> None:
    assert beyond((800, 1_000), (400, 1_000))
    assert beyond((400, 1_000), (800, 1_000))
    assert beyond((100, 100), (50, 100))


def test_few_pages_prove_little() -> None:
    assert not beyond((8, 10), (5, 10))


def test_a_tiny_change_is_within_the_band_however_many_pages_there_are() -> None:
    million = 1_000_000
    assert not beyond((100_000, million), (119_000, million))
    assert beyond((100_000, million), (121_000, million))
    assert LEAST_CHANGE == 0.02


def test_the_chance_of_a_false_alarm_is_shared_out() -> None:
    # p is 0.0032: beyond alone, within among ten.
    before, after = (50, 100), (70, 100)
    others = {f"other{i}": (5, 10) for i in range(9)}
    assert 0.01 / 10 < bands({"adoption": before}, {"adoption": after})[0].p < ALPHA
    assert beyond(before, after)
    assert not any(band.beyond for band in bands({"adoption": before, **others}, {"adoption": after, **others}))


def test_what_one_release_lacks_or_has_no_page_for_is_not_compared() -> None:
    compared = bands({"a": (1, 2), "b": (0, 0), "c": (1, 2)}, {"a": (1, 2), "b": (1, 2), "c": (0, 0), "d": (1, 2)})
    assert [band.id for band in compared] == ["a"]


@pytest.mark.parametrize("same", [(0, 50), (50, 50), (25, 50)])
def test_what_did_not_change_is_within(same: tuple[int, int]) -> None:
    (band,) = bands({"a": same}, {"a": same})
    assert (band.p, band.beyond) == (1.0, False)
