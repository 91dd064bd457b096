"""How likely a tool is picked k times in a row: what one good answer in two does not tell."""

from collections.abc import Sequence
from math import comb
from statistics import mean

from measure.rates.observation import Observation, by_utterance


def pass_power(observations: Sequence[Observation], k: int) -> float | None:
    """Estimate pass^k, the chance that k trials of one utterance are all ok, without bias.

    An utterance with c of n trials ok gives C(c, k) / C(n, k); the mean over the utterances is the estimate (Yao et
    al., tau-bench, arXiv 2406.12045, section 4; the plain (c/n)^k is too high). Utterances with fewer than k trials
    tell nothing of k in a row, so None when there is one. Raises ValueError when k < 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    counts = [(sum(each.ok for each in trials), len(trials)) for trials in by_utterance(observations).values()]
    if not counts or any(n < k for _, n in counts):
        return None
    return mean(comb(c, k) / comb(n, k) for c, n in counts)
