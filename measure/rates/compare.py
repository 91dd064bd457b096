"""Two runs of the same utterances: two manifests, two dates, two judges."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import bootstrap
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from measure.rates.observation import Observation, by_utterance, rate_of

RESAMPLES = 9_999


class Compared(NamedTuple):
    """One tool in run A and in run B, over the utterances that both have."""

    tool: str
    utterances: int
    rate_a: float
    rate_b: float
    difference: float
    """B less A."""
    low: float
    """The difference's 95 % interval, from a paired bootstrap over the utterances."""
    high: float
    only_a: int
    """Utterances that mostly succeed in A only."""
    only_b: int
    p: float
    """McNemar's exact test, two-sided, each utterance one pair."""
    p_holm: float
    """The same, for the number of tools compared (Holm)."""


def compare(a: Sequence[Observation], b: Sequence[Observation], seed: int) -> list[Compared]:
    """Compare two runs tool by tool, in alphabetical order.

    An utterance is the unit, since its repeats are not independent: McNemar (Psychometrika 12 (1947), 153-157; exact:
    binomial) counts it as a success when more than half of its trials are, and the bootstrap draws whole utterances
    (percentiles of 9,999 draws with `seed`; Efron and Tibshirani 1993, chapter 13). Utterances that only one run has
    are left out, and a tool without a common one is not compared. Holm: Scand. J. Statistics 6 (1979), 65-70.
    """
    tools = sorted({each.tool for each in a} & {each.tool for each in b})
    rows = []
    for tool in tools:
        rates_a, rates_b = _rates(a, tool), _rates(b, tool)
        common = sorted(set(rates_a) & set(rates_b))
        if common:
            rows.append(_pair(tool, [rates_a[each] for each in common], [rates_b[each] for each in common], seed))
    if not rows:
        return []
    corrected = multipletests([row.p for row in rows], method="holm")[1]
    return [row._replace(p_holm=float(p)) for row, p in zip(rows, corrected, strict=True)]


def _rates(observations: Sequence[Observation], tool: str) -> Mapping[str, float]:
    mine = [each for each in observations if each.tool == tool]
    return {utterance: rate_of(trials) for utterance, trials in by_utterance(mine).items()}


def _pair(tool: str, a: Sequence[float], b: Sequence[float], seed: int) -> Compared:
    passed = [(one > 0.5, other > 0.5) for one, other in zip(a, b, strict=True)]
    only_a, only_b = passed.count((True, False)), passed.count((False, True))
    table = [[passed.count((True, True)), only_a], [only_b, passed.count((False, False))]]
    p = float(mcnemar(table, exact=True).pvalue)
    differences = np.subtract(b, a)
    low, high = _bootstrapped(differences, seed)
    return Compared(
        tool=tool,
        utterances=len(a),
        rate_a=float(np.mean(a)),
        rate_b=float(np.mean(b)),
        difference=float(differences.mean()),
        low=low,
        high=high,
        only_a=only_a,
        only_b=only_b,
        p=p,
        p_holm=p,
    )


def _bootstrapped(differences: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> tuple[float, float]:
    if len(differences) < 2:
        # One utterance says nothing of others.
        return -1.0, 1.0
    drawn = bootstrap(
        (differences,),
        np.mean,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(drawn.confidence_interval.low), float(drawn.confidence_interval.high)
