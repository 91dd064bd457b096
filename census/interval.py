"""The interval that is printed beside every rate."""

from pydantic import BaseModel, ConfigDict


class Proportion(BaseModel):
    """k of n with its 95 % Wilson interval; with n = 0 the rate is None and the interval (0, 1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int
    n: int
    rate: float | None
    low: float
    high: float


def wilson(k: int, n: int) -> tuple[float, float]:
    """Give the 95 % Wilson score interval, without continuity correction, of k successes in n trials.

    Wilson, JASA 22 (1927), 209-212. It stays inside [0, 1] and holds at k = 0 and k = n. With n = 0 nothing
    is known, and the interval is (0, 1). Raises ValueError when not 0 <= k <= n.
    """
    # SciPy takes a second to import, and most commands print no interval.
    from scipy.stats import binomtest

    if n == 0 and k == 0:
        return 0.0, 1.0
    interval = binomtest(k, n).proportion_ci(confidence_level=0.95, method="wilson")
    return float(interval.low), float(interval.high)


def proportion(k: int, n: int) -> Proportion:
    """Make a share with its interval, to six digits."""
    low, high = wilson(k, n)
    return Proportion(k=k, n=n, rate=round(k / n, 6) if n else None, low=round(low, 6), high=round(high, 6))
