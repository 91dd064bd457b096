"""A trial's record while it is made."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import JsonValue

from measure.evals.json_values import shown as shown_value
from measure.judges.judge import Answer, Usage
from measure.lint.json_schema import clean
from measure.lint.schema_walk import MAX_DEPTH, depth
from measure.lint.text import well_formed
from measure.live.execution import Execution
from measure.live.live_tool import LiveTool
from measure.rates.rate_plan import RatePlan
from measure.rates.trial import Executed, MadeCall, TokenUsage, Trial, TrialKey
from measure.rates.trial_outcome import MissingCause, TrialOutcome
from measure.trials.call_verdict import CallVerdict, Said
from measure.trials.other_names import by_other_names
from measure.utterances.utterance_set import Control

_TEXT, _DETAIL, _NAME = 2_000, 500, 256


@dataclass(frozen=True)
class Job:
    """One trial to make."""

    key: TrialKey
    said: Said
    """As the set has it: the names that the record and the rates go by."""
    url: str
    names: Mapping[str, str] = field(default_factory=dict)
    """What the page calls tools that the set knows by another name."""

    @property
    def here(self) -> Said:
        """What is said, by the page's own names of tools."""
        return by_other_names(self.said, self.names)


@dataclass
class TrialRecord:
    """What is known of a trial so far; `ended` or `gap` makes the record of it."""

    job: Job
    plan: RatePlan
    process: str
    order_seed: str
    manifest: str | None = None
    offered: tuple[LiveTool, ...] = ()
    hidden: tuple[str, ...] = ()
    calls: tuple[MadeCall, ...] = ()
    executed: Executed | None = None
    answer: Answer | None = None
    usage: Usage | None = None
    judge_ms: int | None = None
    waited_s: float = 0.0
    """For a free judge."""
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    _began: float = field(default_factory=time.monotonic)

    def ended(self, outcome: TrialOutcome, detail: str = "") -> Trial:
        """The trial, with its outcome."""
        return self._made(outcome=outcome, detail=detail)

    def gap(self, cause: MissingCause, detail: str) -> Trial:
        """The trial, missing for a cause."""
        return self._made(missing=cause, detail=detail)

    def _made(self, *, detail: str, **end: Any) -> Trial:
        said, answer, usage = self.job.said, self.answer, self.usage
        return Trial(
            run=self.plan.run,
            **self.job.key._asdict(),
            tag=None if isinstance(said, Control) else said.tag,
            control=said.kind if isinstance(said, Control) else None,
            tool=None if isinstance(said, Control) else said.tool,
            acceptable=() if isinstance(said, Control) else said.acceptable,
            judge=self.plan.judge,
            build=self.plan.browser,
            order_seed=self.order_seed,
            manifest=self.manifest,
            offered=tuple(well_formed(tool.name) for tool in self.offered),
            hidden=tuple(map(well_formed, self.hidden)),
            detail=well_formed(detail)[:_DETAIL],
            calls=self.calls,
            executed=self.executed,
            text=well_formed(answer.text)[:_TEXT] if answer else "",
            malformed=well_formed(answer.malformed)[:_DETAIL] if answer and answer.malformed else None,
            usage=TokenUsage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens) if usage else None,
            started_at=self.started_at,
            ms=round(1000 * (time.monotonic() - self._began - self.waited_s)),
            judge_ms=self.judge_ms,
            process=self.process,
            **end,
        )


def made_call(verdict: CallVerdict) -> MadeCall:
    """A call as it was judged, before any execution."""
    return MadeCall(
        tool=well_formed(verdict.call.name)[:_NAME],
        arguments=_kept(verdict.call.arguments),
        outcome=verdict.outcome,
        schema_misfit=well_formed(verdict.schema_misfit)[:_DETAIL] if verdict.schema_misfit else None,
        expectation_misfit=well_formed(verdict.expectation_misfit)[:_DETAIL] if verdict.expectation_misfit else None,
    )


def executed_call(call: MadeCall, outcome: TrialOutcome, execution: Execution) -> MadeCall:
    """The call with what its execution came to."""
    return call.model_copy(
        update={
            "outcome": outcome,
            "execution": execution.status,
            "output": _kept(execution.output),
            "error": well_formed(execution.error)[:_TEXT] if execution.error else None,
            "execution_ms": execution.ms,
            "effects": execution.effects,
        }
    )


def _kept(value: JsonValue) -> JsonValue:
    """A value as a record can hold it: well-formed texts, and of what is nested without end or very long, a text."""
    if depth(value, MAX_DEPTH) >= MAX_DEPTH:
        return f"(nested {MAX_DEPTH} levels deep or more)"
    kept = clean(value)
    text = shown_value(kept, 10 * _TEXT)
    return text if len(text) > 10 * _TEXT else kept
