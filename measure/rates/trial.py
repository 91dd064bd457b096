"""The record of one trial: one utterance put to one judge on one page."""

from datetime import datetime
from typing import NamedTuple, Self

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

from census.vocabulary import Word
from measure.live.effects import Effects
from measure.live.execution import ExecutionStatus
from measure.rates.trial_outcome import FALSE_POSITIVE, INVOKED, NOTHING_OFFERED, MissingCause, TrialOutcome
from measure.utterances.utterance_set import ControlKind, Tag


class TrialKey(NamedTuple):
    """What tells the trials of a run apart."""

    page: str
    """The page's URL; of a served folder the page's path in it."""
    variant: str
    """The manifest of the page: the name of the served sub-folder, or empty."""
    set: str
    """The utterance set, as `name version`."""
    utterance: str
    """The id of an utterance or a control."""
    session: int
    """From 1."""
    repeat: int
    """From 1, in its session."""


class Executed(Word):
    """Whether the calls of a trial were executed."""

    YES = "yes", "They were."
    NOT_ASKED = "not_asked", "The run executes nothing: `--no-execute`."
    WRITES = "writes", "A called tool is not marked read-only, and the run may not write: no `--allow-writes`."


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MadeCall(_Record):
    """A call of the judge's answer, and what is wrong with it."""

    tool: str
    arguments: JsonValue
    outcome: TrialOutcome
    """How far this call got."""
    schema_misfit: str | None = None
    """How the arguments break the tool's input schema."""
    expectation_misfit: str | None = None
    """How they break what the utterance expects."""
    execution: ExecutionStatus | None = None
    """How its execution ended; None when it was not executed."""
    output: JsonValue = None
    error: str | None = None
    execution_ms: int | None = None
    effects: Effects | None = None


class TokenUsage(_Record):
    """What the judge's answer took, as its endpoint counted it."""

    input_tokens: int
    output_tokens: int


class Trial(_Record):
    """A trial. Exactly one of `outcome` and `missing` is there."""

    run: str
    page: str
    variant: str
    set: str
    utterance: str
    session: int
    repeat: int

    tag: Tag | None = None
    """Of an utterance; None for a control."""
    control: ControlKind | None = None
    """Of a control; None for an utterance."""
    tool: str | None = None
    """The tool that an utterance expects, in whose rate it counts; None for a control."""
    acceptable: tuple[str, ...] = ()

    judge: str
    build: str
    """The browser's product and build."""
    order_seed: str
    """What the order of the offered tools was made of."""
    manifest: str | None = None
    """The digest under which the run keeps the offered tools; None when none was read."""
    offered: tuple[str, ...] = ()
    """The names of the tools, in the order in which the judge was shown them."""
    hidden: tuple[str, ...] = ()
    """Names that two documents gave to a tool each: the judge was shown the one of the earlier frame."""

    outcome: TrialOutcome | None = None
    missing: MissingCause | None = None
    detail: str = ""
    """What the outcome or the cause is about, for people."""
    calls: tuple[MadeCall, ...] = ()
    executed: Executed | None = None
    """None when there was no right call to execute."""
    text: str = ""
    """What the judge said besides, cut at 2,000 characters."""
    malformed: str | None = None
    """What was wrong with an answer that was no valid call."""

    usage: TokenUsage | None = None
    """None where the endpoint does not say, and for a judge that costs nothing."""
    started_at: datetime
    """UTC."""
    ms: int
    """From the opening of the page to its close, without the wait for a free judge."""
    judge_ms: int | None = None
    """What the judge took, attempts that failed included; None when it was not asked."""
    process: str
    """Names the process that made the trial: a session that was resumed has several."""

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.outcome is None) == (self.missing is None):
            raise ValueError("a trial ends in one outcome or is missing with one cause")
        if (self.tool is None) == (self.control is None):
            raise ValueError("a trial is of an utterance with its tool, or of a control with its kind")
        return self

    @property
    def key(self) -> TrialKey:
        """What tells it apart from the run's other trials."""
        return TrialKey(self.page, self.variant, self.set, self.utterance, self.session, self.repeat)

    @property
    def invoked(self) -> bool | None:
        """Whether the expected or an acceptable tool was called with valid arguments.

        None for controls and missing measurements, which are in no invocation rate.
        """
        return None if self.control is not None or self.outcome is None else self.outcome in INVOKED

    @property
    def false_positive(self) -> bool | None:
        """Whether a control was answered with a call.

        None for utterances, for missing measurements, and where no tool was offered: silence tells nothing then.
        """
        if self.control is None or self.outcome is None or self.outcome in NOTHING_OFFERED:
            return None
        return self.outcome in FALSE_POSITIVE
