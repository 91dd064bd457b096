"""Two readings of the same pages: did the share change, and by how much."""

from typing import NamedTuple

from scipy.stats import binomtest, norm


class PairedChange(NamedTuple):
    """Of n pages read twice: what became of a property of theirs."""

    both: int
    lost: int
    """Had it before and not after."""
    gained: int
    """Had it after and not before."""
    neither: int
    difference: float | None
    """Share after minus share before; None for no page."""
    low: float
    high: float
    """95 % interval of the difference."""
    p: float
    """Exact McNemar test of no change."""


def paired_change(both: int, lost: int, gained: int, neither: int) -> PairedChange:
    """Compare two proportions over the same pages.

    The test is McNemar's with exact binomial probabilities (Psychometrika 12 (1947), 153-157): of the pages that
    changed, half would have gone either way. The interval is Wald's after half a page is added to each of the four
    cells, which holds for small numbers too (Agresti and Min, Statistics in Medicine 24 (2005), 729-740). Both look
    at each page against itself; two samples of pages would need another formula. Raises ValueError for a negative
    count.
    """
    if min(both, lost, gained, neither) < 0:
        raise ValueError("a number of pages is negative")
    n = both + lost + gained + neither
    if n == 0:
        return PairedChange(0, 0, 0, 0, None, -1.0, 1.0, 1.0)
    more, fewer, total = gained + 0.5, lost + 0.5, n + 2.0
    middle = (more - fewer) / total
    reach = float(norm.ppf(0.975)) * ((more + fewer) - (more - fewer) ** 2 / total) ** 0.5 / total
    changed = lost + gained
    p = float(binomtest(gained, changed).pvalue) if changed else 1.0
    difference = (gained - lost) / n
    return PairedChange(both, lost, gained, neither, difference, max(-1.0, middle - reach), min(1.0, middle + reach), p)
