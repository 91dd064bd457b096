"""What a judge did after a call failed: a failure that the chain runs on from is worse than a crash."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from census.vocabulary import Word
from measure.evals.channel import failed
from measure.evals.made import MadeCall


class AfterFailure(Word):
    """How a run went on after its first failed call."""

    CARRIED_ON = "carried_on_after_failure", "Another tool that is not read-only was called as if nothing had happened."
    STOPPED = "stopped_correctly", "No further call was made, or only of read-only tools."
    RECOVERED = "recovered", "The tool that failed was called again, and then did not fail."


def after_failure(
    made: Sequence[MadeCall], read_only: AbstractSet[str], had_to_fail: AbstractSet[int] = frozenset()
) -> AfterFailure | None:
    """How a run went on after its first failed call of a tool that there is; None when none failed.

    Calls of the same answer count for nothing: they were made before the failure was known; nor do those
    of a later turn, which the user asked for. Calls of tools that there
    are not change nothing, and so do not count either. A run that recovered and then went on has recovered.
    `had_to_fail`: numbers of calls, from 1, that are known to have failed whatever they answered.
    """
    failures = {
        number for number, call in enumerate(made, start=1) if call.known and (failed(call) or number in had_to_fail)
    }
    if not failures:
        return None
    first = made[min(failures) - 1]
    for number, call in enumerate(made, start=1):
        if call.step <= first.step or call.turn != first.turn or not call.known:
            continue
        if call.name == first.name:
            if number not in failures:
                return AfterFailure.RECOVERED
        elif call.name not in read_only:
            return AfterFailure.CARRIED_ON
    return AfterFailure.STOPPED
