"""Is a rate within its band of the last release: not further off than chance and the ordinary drift explain."""

from collections.abc import Mapping
from typing import NamedTuple

from scipy.stats import chi2_contingency

ALPHA = 0.01
"""Chance that any of a release's rates leaves its band when nothing changed; shared out among them (Bonferroni)."""
LEAST_CHANGE = 0.02
"""A change below two percentage points is within the band however many pages there are."""

Rates = Mapping[str, tuple[int, int]]
"""k and n of each rate, by its id."""


class Band(NamedTuple):
    """A rate beside that of the last release."""

    id: str
    before: tuple[int, int]
    after: tuple[int, int]
    p: float
    """Two-proportion test of no change."""
    beyond: bool


def bands(before: Rates, after: Rates) -> list[Band]:
    """Compare the rates that both releases have, in the order of `after`; a rate of no page is not compared.

    The test is Pearson's chi-squared without correction, which for two proportions is the pooled z-test. It takes the
    two releases for independent samples; they share most pages, so a rate that did not change moves even less than it
    allows. It is a gate against a broken crawl, not an estimate: `webmcp-census diff` compares page by page.
    """
    shared = [id_ for id_, (_, n) in after.items() if n and before.get(id_, (0, 0))[1]]
    return [_band(id_, before[id_], after[id_], ALPHA / len(shared)) for id_ in shared]


def _band(id_: str, before: tuple[int, int], after: tuple[int, int], alpha: float) -> Band:
    (k, n), (k_after, n_after) = before, after
    p = 1.0
    if 0 < k + k_after < n + n_after:
        p = float(chi2_contingency([[k, n - k], [k_after, n_after - k_after]], correction=False).pvalue)
    change = abs(k_after / n_after - k / n)
    return Band(id_, before, after, p, p < alpha and change >= LEAST_CHANGE)
