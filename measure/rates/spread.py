"""How far rates lie apart between sessions, and within one: two figures that are never mixed."""

from collections.abc import Sequence
from statistics import mean, stdev
from typing import NamedTuple

from measure.rates.observation import Observation, by_session, rate_of


class Spread(NamedTuple):
    """Of n rates: the lowest, the highest, and the standard deviation with n - 1 (None when n is 1)."""

    n: int
    low: float
    high: float
    deviation: float | None


class Spreads(NamedTuple):
    """Both spreads of one tool."""

    between: Spread | None
    """Of the sessions' rates: a session has its own process, browser and cold profile, so this is the only figure on
    reproducibility. None with fewer than two sessions."""
    within: Spread | None
    """Of the repeats' rates, each less its session's rate: a floor, since repeats share all that a session shares. A
    tool can have none of it and still fail every repeat. None where no session has two repeats."""


def spreads(observations: Sequence[Observation]) -> Spreads:
    """Give both spreads. Sessions are compared by their whole rates, repeats only inside their session.

    The deviation within is pooled over the sessions: the root of the mean variance, with each session's n - 1.
    """
    sessions = by_session(observations)
    rates = [rate_of(session) for session in sessions.values()]
    between = Spread(len(rates), min(rates), max(rates), stdev(rates)) if len(rates) > 1 else None
    return Spreads(between, _within([_repeats(session) for session in sessions.values()]))


def _repeats(session: Sequence[Observation]) -> list[float]:
    groups: dict[int, list[Observation]] = {}
    for each in session:
        groups.setdefault(each.repeat, []).append(each)
    return [rate_of(group) for group in groups.values()]


def _within(sessions: Sequence[Sequence[float]]) -> Spread | None:
    repeated = [rates for rates in sessions if len(rates) > 1]
    if not repeated:
        return None
    off = [rate - mean(rates) for rates in repeated for rate in rates]
    freedom = sum(len(rates) - 1 for rates in repeated)
    return Spread(len(off), min(off), max(off), (sum(each**2 for each in off) / freedom) ** 0.5)


def spread_text(spread: Spread | None) -> str:
    """Write a spread in percentage points."""
    if spread is None:
        return "unknown (nothing to compare)"
    deviation = "" if spread.deviation is None else f", deviation {100 * spread.deviation:.1f}"
    return f"{100 * (spread.high - spread.low):.1f} points over {spread.n}{deviation}"
