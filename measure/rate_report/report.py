"""The file `report.json`, in one place: every field with its meaning. All of it follows from the run's folder."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from census.interval import Proportion


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Coverage(_Part):
    """Of the trials that the plan asks for: how many ended in an outcome, and what became of the rest."""

    planned: int
    measured: int
    """Trials that ended in an outcome."""
    missing: dict[str, int]
    """Trials without a measurement, by cause."""
    not_made: int
    """Trials that the run did not get to."""

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.measured == self.planned


class ClusterBounds(_Part):
    """A 95 % interval for more clusters of the kind (utterances, sessions); see `measure.rates.clusters`."""

    low: float
    high: float
    clusters: int
    effective_n: float
    """How many independent trials would tell as much."""


class SpreadOf(_Part):
    """How far n rates lie apart."""

    n: int
    low: float
    high: float
    deviation: float | None
    """The standard deviation with n - 1; None when n is 1."""


class FloorsOf(_Part):
    """The share of the same questions for which a rule selects a right tool; arguments are not looked at."""

    lexical: float
    """The tool with the most words in common (BM25)."""
    majority: float
    """Always the one tool that is right most often on this page."""
    random: float
    """One of the offered tools, drawn blindly."""


class Statistics(_Part):
    """A rate with all that has to stand beside it."""

    rate: Proportion
    """The invocation rate: the judge called a right tool with valid arguments. Wilson's 95 % interval, which takes the
    trials to be independent."""
    over_utterances: ClusterBounds | None
    """For more utterances of the kind, in these sessions; None with fewer than two."""
    over_sessions: ClusterBounds | None
    """For more sessions, with these utterances."""
    over_both: ClusterBounds | None
    """For more of both: the interval to quote, when it is there."""
    between_sessions: SpreadOf | None
    """Of the sessions' rates; None with one session. The only figure here on reproducibility."""
    within_sessions: SpreadOf | None
    """Of the repeats' rates, each less its session's: a floor. None where no session has two repeats."""
    in_a_row: dict[str, float | None]
    """By k: the unbiased estimate of the chance that k trials of one utterance all succeed; None where an utterance
    has fewer than k trials."""
    selected: Proportion
    """A right tool was called, whatever the arguments."""
    succeeded: Proportion
    """Of the trials whose calls were executed: those that ended as `ok`."""
    floors: FloorsOf
    by_tag: dict[str, Proportion]
    """The invocation rate by how something was said: direct and ambiguous requests are different things."""

    @property
    def to_quote(self) -> ClusterBounds | Proportion:
        """The interval that takes most to vary: for more utterances and sessions, or for more utterances.

        Where there is but one of each, Wilson's, which takes the trials to be independent.
        """
        return self.over_both or self.over_utterances or self.rate


class UtteranceResult(_Part):
    """One utterance: how often it was answered rightly."""

    utterance: str
    text: str
    tag: str
    invoked: int
    measured: int


class ToolReport(_Part):
    """One tool of a page."""

    tool: str
    coverage: Coverage
    outcomes: dict[str, int]
    """How the measured trials ended, in the order of reach."""
    called: dict[str, int]
    """What the judge called, rightly or not, by the page's names, how many times; the empty name: nothing."""
    executed: dict[str, int]
    """Whether right calls were executed."""
    utterances: tuple[UtteranceResult, ...]
    statistics: Statistics | None
    """None when the run is incomplete: gaps are not random, so there is no rate."""


class ControlReport(_Part):
    """One kind of control: something said that no tool should answer."""

    kind: str
    coverage: Coverage
    outcomes: dict[str, int]
    nothing_offered: int
    """Trials in which there was no tool to call; they are not in n."""
    false_positives: Proportion | None
    """The share of trials in which a tool was called; None when the run is incomplete."""


class PageReport(_Part):
    """A page in one variant."""

    page: str
    variant: str
    """The manifest of the page, or empty."""
    set: str
    offered: tuple[str, ...]
    """Names of all tools that the judge was ever offered here."""
    coverage: Coverage
    tools: tuple[ToolReport, ...]
    controls: tuple[ControlReport, ...]
    statistics: Statistics | None
    """Over the utterances of all tools; None when the run is incomplete."""


class PredictionScore(_Part):
    """What somebody expected before the measurement, held against it."""

    page: str
    variant: str
    tool: str
    by: str
    predicted: float
    measured: float | None
    """None when the run is incomplete, or has no such tool."""
    brier: float | None
    """The mean over the trials of (predicted - outcome)², with 1 for an invoked tool: less is better."""
    brier_least: float | None
    """What the best constant would have scored: the measured rate itself."""
    hit: bool | None
    """Whether it is inside the tool's interval to quote: for more utterances, and for more sessions where there are."""


class Breach(_Part):
    """A rate beyond its threshold."""

    page: str
    variant: str
    about: Literal["tool", "control"]
    name: str
    """Of the tool, or the kind of control."""
    measured: Proportion
    threshold: float
    message: str


class Gate(_Part):
    """The thresholds that were asked for, and what is beyond them."""

    fail_under: float | None = None
    fail_under_tools: dict[str, float] = {}
    """Thresholds of single tools."""
    fail_controls_over: float | None = None
    breaches: tuple[Breach, ...] = ()


class AskedSet(_Part):
    """An utterance set of the run."""

    id: str
    digest: str
    authors: tuple[str, ...]
    utterances: int
    controls: int
    left_out: int
    """Those that need calls before them, which the run may not make; they are in no number."""


class TokensTaken(_Part):
    """What the judge's answers took, where the endpoint says so."""

    input_tokens: int
    output_tokens: int
    """In every trial, also in those that were made again."""
    trials: int
    """Trials of which it is known."""


class RateReport(_Part):
    """What `report.json` holds."""

    format: Literal[1] = 1
    made_by: Literal["webmcp-census"] = "webmcp-census"
    run: str
    created_at: datetime
    code_version: str
    judge: str
    builds: tuple[str, ...]
    """Browsers of the trials; of the plan when there is none."""
    sets: tuple[AskedSet, ...]
    served: str | None
    """Name of the folder that was served; None for pages that are elsewhere."""
    sessions: int
    repeats: int
    seed: int
    spacing_s: float
    execute: bool
    allow_writes: bool
    visit: dict[str, JsonValue]
    measured_from: datetime | None
    measured_to: datetime | None
    """Beginnings of the first and the last trial."""
    usage: TokensTaken | None
    complete: bool
    coverage: Coverage
    pages: tuple[PageReport, ...]
    predictions: tuple[PredictionScore, ...]
    gate: Gate = Gate()
    caveats: tuple[str, ...]
    """What the numbers do not say."""

    @property
    def exit_code(self) -> int:
        """2 for an incomplete run, which outranks a breach; 1 for a breach; else 0."""
        return 2 if not self.complete else 1 if self.gate.breaches else 0
