from fractions import Fraction
from math import comb, sqrt

import pytest

from measure.rates.coverage import wilson_coverage

Z = 1.959963984540054
"""The normal distribution's 97.5 % quantile, from a table."""


def holds(k: int, n: int, p: float) -> bool:
    """Whether Wilson's interval of k of n holds p: |k/n - p| <= z sqrt(p (1 - p) / n), which is how it is defined."""
    return abs(k / n - p) <= Z * sqrt(p * (1 - p) / n)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 60, 143])
@pytest.mark.parametrize("tenths", [1, 5, 8, 9.5])
def test_the_coverage_is_that_of_exact_enumeration(n, tenths):
    p = Fraction(str(tenths)) / 10
    exact = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if holds(k, n, float(p)))
    assert wilson_coverage(float(p), n) == pytest.approx(float(exact), abs=1e-6)


def test_it_is_far_from_95_percent_where_k_is_nearly_always_n():
    # n = 1: the intervals are (0, 0.7935) and (0.2065, 1), so p = 0.8 is held by k = 1 alone.
    assert wilson_coverage(0.8, 1) == pytest.approx(0.8, abs=1e-12)


@pytest.mark.parametrize(("p", "held"), [(0.206, 0.794), (0.207, 1.0), (0.793, 1.0), (0.794, 0.794)])
def test_one_trial_at_the_bounds_of_its_intervals(p, held):
    # 1 of 1 is (0.20655, 1) and 0 of 1 (0, 0.79345): z² / (1 + z²) = 0.79345.
    assert wilson_coverage(p, 1) == pytest.approx(held, abs=1e-12)


@pytest.mark.parametrize(("p", "n"), [(-0.1, 5), (1.1, 5), (0.5, 0)])
def test_no_rate_and_no_trials_are_errors(p, n):
    with pytest.raises(ValueError, match="must be between"):
        wilson_coverage(p, n)
