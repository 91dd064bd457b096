"""The numbers of one tool, or of a page, from its measured trials."""

from collections.abc import Iterable, Sequence

from census.interval import Proportion, proportion
from measure.rate_report.report import ClusterBounds, FloorsOf, SpreadOf, Statistics
from measure.rates.clusters import ClusterInterval
from measure.rates.observation import Observation
from measure.rates.spread import Spread
from measure.rates.tool_rate import tool_rates
from measure.rates.trial import Executed, Trial
from measure.rates.trial_outcome import SELECTED, TrialOutcome
from measure.utterances.utterance_set import Tag

IN_A_ROW = (1, 3, 5)


def observations(trials: Iterable[Trial]) -> list[Observation]:
    """The measured trials of utterances, as the statistics take them; controls and missing ones are left out."""
    return [
        Observation(trial.tool, trial.utterance, trial.session, trial.repeat, trial.invoked)
        for trial in trials
        if trial.tool is not None and trial.invoked is not None
    ]


def statistics(trials: Sequence[Trial], floors: FloorsOf) -> Statistics:
    """Give all numbers of these trials together, all of which ended in an outcome. Raises ValueError without one."""
    together = [each._replace(tool="") for each in observations(trials)]
    if not together or len(together) < len(trials):
        raise ValueError("statistics are of utterances whose trials all ended in an outcome, at least one")
    (rate,) = tool_rates(together, IN_A_ROW)
    executed = [trial for trial in trials if trial.executed is Executed.YES]
    return Statistics(
        rate=rate.rate,
        over_utterances=_bounds(rate.over_utterances),
        over_sessions=_bounds(rate.over_sessions),
        over_both=_bounds(rate.over_both),
        between_sessions=_spread(rate.spreads.between),
        within_sessions=_spread(rate.spreads.within),
        in_a_row={str(k): power for k, power in rate.pass_power.items()},
        selected=_share(trial.outcome in SELECTED for trial in trials),
        succeeded=_share(trial.outcome is TrialOutcome.OK for trial in executed),
        floors=floors,
        by_tag={
            tag.value: _share(bool(trial.invoked) for trial in trials if trial.tag is tag)
            for tag in Tag
            if any(trial.tag is tag for trial in trials)
        },
    )


def _share(hits: Iterable[bool]) -> Proportion:
    each = list(hits)
    return proportion(sum(each), len(each))


def _bounds(interval: ClusterInterval | None) -> ClusterBounds | None:
    if interval is None:
        return None
    return ClusterBounds(
        low=round(interval.low, 6),
        high=round(interval.high, 6),
        clusters=interval.clusters,
        effective_n=round(interval.effective_n, 3),
    )


def _spread(spread: Spread | None) -> SpreadOf | None:
    if spread is None:
        return None
    deviation = None if spread.deviation is None else round(spread.deviation, 6)
    return SpreadOf(n=spread.n, low=round(spread.low, 6), high=round(spread.high, 6), deviation=deviation)
