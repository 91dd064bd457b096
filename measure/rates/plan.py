"""How much to measure before a difference, or a rate, can be told."""

from math import ceil
from typing import NamedTuple

import numpy as np
from scipy.stats import binom, binomtest

from census.errors import CensusError
from census.interval import wilson

LARGEST = 20_000
"""Utterances; nobody writes more."""


class Difference(NamedTuple):
    """A difference that is to be found: two rates of one tool, over the same utterances."""

    rate_a: float
    rate_b: float
    power: float = 0.8
    """The chance of finding it."""
    level: float = 0.05
    """Of the two-sided test, before Holm."""
    tools: int = 1
    """How many are compared at once: the first of Holm's steps tests at level / tools."""
    correlation: float = 0.0
    """Of an utterance's two results; 0 is independent, which needs the most."""


class Plan(NamedTuple):
    """What a difference needs."""

    utterances: int
    """Of each tool, each in both runs."""
    power: float
    """With that many."""
    discordant: tuple[float, float]
    """The chances that an utterance succeeds in A only, and in B only."""


def plan(difference: Difference) -> Plan:
    """Find the fewest utterances with which McNemar's exact test finds the difference, by adding up every outcome.

    The power of an exact test swings as n grows, so it is the number from which on it is enough for a tenth more
    utterances as well. Over 500 utterances the answer is good to 1 %.
    Raises CensusError when the rates are equal, impossible together, or too alike to tell.
    """
    only_a, only_b = _discordant(difference)
    level = difference.level / difference.tools
    n, enough_since = 1, None
    while n <= LARGEST:
        if power(n, only_a, only_b, level) >= difference.power:
            enough_since = enough_since or n
            if n >= ceil(1.1 * enough_since):
                return Plan(enough_since, power(enough_since, only_a, only_b, level), (only_a, only_b))
        else:
            enough_since = None
        n += 1 if n < 500 else n // 100
    raise CensusError(
        f"rates of {difference.rate_a:g} and {difference.rate_b:g} are too alike: not even {LARGEST:,} utterances tell "
        "them apart: look for a larger difference, or ask for less power"
    )


def power(n: int, only_a: float, only_b: float, level: float) -> float:
    """Give the chance that McNemar's exact two-sided test on n pairs has p <= level, exactly.

    Discordant pairs are binomial, and so are those in favour of B among them; both are added up. Chances under 1e-12
    on either side are left out.
    """
    either = only_a + only_b
    if either <= 0:
        return 0.0
    counts = np.arange(int(binom.ppf(1e-12, n, either)), int(binom.isf(1e-12, n, either)) + 1)
    share = only_b / either
    critical = binom.ppf(level / 2, counts, 0.5)
    # The largest k with P(X <= k) <= level / 2: ppf gives the first that reaches it.
    critical = np.where(binom.cdf(critical, counts, 0.5) <= level / 2, critical, critical - 1)
    rejected = binom.cdf(critical, counts, share) + binom.sf(counts - critical - 1, counts, share)
    return float((binom.pmf(counts, n, either) * np.where(critical >= 0, rejected, 0.0)).sum())


def utterances_for_width(rate: float, half_width: float) -> int:
    """Give the fewest independent trials whose 95 % Wilson interval at `rate` is no wider than ± half_width."""
    low, high = 1, LARGEST * 100
    while low < high:
        middle = (low + high) // 2
        lower, upper = wilson(round(rate * middle), middle)
        low, high = (low, middle) if (upper - lower) / 2 <= half_width else (middle + 1, high)
    return low


def _discordant(difference: Difference) -> tuple[float, float]:
    a, b = difference.rate_a, difference.rate_b
    if a == b:
        raise CensusError("the two rates are equal: there is no difference to find")
    both = a * b + difference.correlation * (a * (1 - a) * b * (1 - b)) ** 0.5
    only_a, only_b = a - both, b - both
    if min(only_a, only_b) < -1e-12 or 1 - a - b + both < -1e-12:
        raise CensusError(
            f"rates of {a:g} and {b:g} cannot have a correlation of {difference.correlation:g}: give a smaller one"
        )
    return max(0.0, only_a), max(0.0, only_b)


def least_discordant(level: float) -> int:
    """Give the fewest utterances that must all change the same way before McNemar's exact test has p <= level."""
    n = 1
    while binomtest(0, n, 0.5).pvalue > level:
        n += 1
    return n
