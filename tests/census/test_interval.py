import pytest

from census.interval import proportion, wilson


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # (k + z²/2 ± z·sqrt(k(n-k)/n + z²/4)) / (n + z²) with z = 1.959964, by hand
        (20, 20, 0.8389, 1.0),
        (0, 20, 0.0, 0.1611),
        (10, 20, 0.2993, 0.7007),
        (1, 1, 0.2065, 1.0),
        (1507, 1866, 0.7891, 0.8249),
    ],
)
def test_wilson(k: int, n: int, low: float, high: float) -> None:
    assert wilson(k, n) == pytest.approx((low, high), abs=5e-5)


def test_nothing_is_known_of_no_trials() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert proportion(0, 0).rate is None


@pytest.mark.parametrize(("k", "n"), [(2, 1), (-1, 3), (1, 0)])
def test_more_successes_than_trials_is_an_error(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="must"):
        wilson(k, n)
