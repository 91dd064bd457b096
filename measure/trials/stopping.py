"""When a run goes no further, because going on would only make the same gap again."""

from measure.judges.judge import Cause
from measure.rates.trial import Trial
from measure.rates.trial_outcome import HarnessCause

IN_A_ROW = 5
"""Gaps one after the other, without an outcome between them, after which a run stops."""
_AT_ONCE = frozenset({Cause.BAD_KEY, Cause.BUDGET, HarnessCause.BROWSER_FAILED})


class Stopping:
    """Watches the trials of a run as they end."""

    def __init__(self) -> None:
        self._in_a_row = 0
        self.because: Trial | None = None
        """The gap at which the run stops; None while it goes on."""

    def see(self, trial: Trial) -> None:
        """Take note of a trial that ended.

        A refused key, an empty budget and a browser that failed stop the run at once; anything else that is missing
        five times in a row stops it too: an endpoint that is down would take every trial to its last attempt.
        """
        if trial.missing is None:
            self._in_a_row = 0
            return
        self._in_a_row += 1
        if self.because is None and (trial.missing in _AT_ONCE or self._in_a_row >= IN_A_ROW):
            self.because = trial

    @property
    def stopped(self) -> bool:
        """Whether no further trial is to begin."""
        return self.because is not None
