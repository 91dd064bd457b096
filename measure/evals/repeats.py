"""What repeats of the same cases tell: trials that are not independent, and how likely a case passes each time."""

from collections.abc import Sequence
from typing import NamedTuple

from census.interval import Proportion, proportion
from measure.evals.outcome import CaseOutcome, Ending
from measure.rates.clusters import ClusterInterval, cluster_interval
from measure.rates.observation import Observation
from measure.rates.pass_power import pass_power

IN_A_ROW = (1, 3, 5)


class RepeatRate(NamedTuple):
    """The share of repeats that passed."""

    rate: Proportion
    """With Wilson's interval, which takes the repeats to be independent: they are not, so it is a floor."""
    over_cases: ClusterInterval | None
    """For more cases of the kind; None with fewer than two."""
    pass_power: dict[int, float | None]
    """By k: the chance that a case passes k times in a row; None where k is more than its repeats."""


def repeat_rate(cases: Sequence[CaseOutcome]) -> RepeatRate:
    """Give the rate over all repeats that were measured."""
    trials = [
        Observation("", f"{each.suite} {each.case.place}", 0, number, repeat.ending is Ending.PASSED)
        for each in cases
        for number, repeat in enumerate(each.repeats)
        if repeat.verdict is not None
    ]
    ok = [each.ok for each in trials]
    return RepeatRate(
        proportion(sum(ok), len(ok)),
        cluster_interval(ok, [each.utterance for each in trials]) if trials else None,
        {k: pass_power(trials, k) for k in IN_A_ROW},
    )
