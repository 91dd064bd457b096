"""A tool's invocation rate with everything that has to stand beside it."""

from collections.abc import Sequence
from typing import NamedTuple

from census.interval import Proportion, proportion
from measure.rates.clusters import ClusterInterval, cluster_interval
from measure.rates.observation import Observation
from measure.rates.pass_power import pass_power
from measure.rates.spread import Spreads, spreads


class ToolRate(NamedTuple):
    """One tool's rate over its measured trials. How many are missing, and why, is the run's to say."""

    tool: str
    rate: Proportion
    """With Wilson's interval, which takes the trials to be independent."""
    over_utterances: ClusterInterval | None
    """For more utterances of the kind, in these sessions; None with fewer than two."""
    over_sessions: ClusterInterval | None
    """For more sessions, with these utterances."""
    over_both: ClusterInterval | None
    """For more of both: the one to quote of a tool."""
    spreads: Spreads
    pass_power: dict[int, float | None]
    """By k: the chance of k successes in a row with one utterance; None where k is more than its trials."""


def tool_rates(observations: Sequence[Observation], in_a_row: Sequence[int] = (1, 3, 5)) -> list[ToolRate]:
    """Give the rate of every tool, in alphabetical order."""
    tools: dict[str, list[Observation]] = {}
    for each in observations:
        tools.setdefault(each.tool, []).append(each)
    return [_tool_rate(tool, tools[tool], in_a_row) for tool in sorted(tools)]


def _tool_rate(tool: str, trials: Sequence[Observation], in_a_row: Sequence[int]) -> ToolRate:
    ok = [each.ok for each in trials]
    utterances = [each.utterance for each in trials]
    sessions = [each.session for each in trials]
    return ToolRate(
        tool=tool,
        rate=proportion(sum(ok), len(ok)),
        over_utterances=cluster_interval(ok, utterances),
        over_sessions=cluster_interval(ok, sessions),
        over_both=cluster_interval(ok, utterances, sessions),
        spreads=spreads(trials),
        pass_power={k: pass_power(trials, k) for k in in_a_row},
    )
