"""How often the 95 % Wilson interval holds the true rate, exactly: it is not 95 % at every n and p."""

import numpy as np
from scipy.stats import binom

from census.interval import wilson


def wilson_coverage(p: float, n: int) -> float:
    """Add up the binomial probabilities of every k of n whose interval holds p.

    Brown, Cai and DasGupta, Statistical Science 16 (2001), 101-133, show how it swings about 95 %. Raises ValueError
    when not 0 <= p <= 1 or n < 1.
    """
    if not (0 <= p <= 1 and n >= 1):
        raise ValueError(f"p must be between 0 and 1 and n at least 1, not {p} and {n}")
    held = np.array([low <= p <= high for low, high in (wilson(k, n) for k in range(n + 1))])
    return float(binom.pmf(np.arange(n + 1), n, p)[held].sum())
