"""A complete run of rates as the rows that a release has of it."""

from collections.abc import Iterator
from pathlib import Path

from census.errors import CensusError
from census.measured_rates import (
    FALSE_POSITIVE,
    INVOCATION,
    MeasuredRates,
    RateRow,
    RateStamp,
    TrialRow,
    write_rates,
)
from census.run import Run
from measure.rate_report.report import PageReport, RateReport, Statistics
from measure.rates.rate_run import RateRun
from measure.rates.trial import Trial
from measure.utterances.utterance_set import Tag


def keep_in_run(run: RateRun, report: RateReport, into: Path) -> Path:
    """Write a run's trials and rates into a RUN of a crawl, for `build`; returns the file.

    Raises CensusError for an incomplete run, whose gaps are not random, and for a folder that is no RUN.
    """
    if not report.complete:
        gaps = report.coverage.planned - report.coverage.measured
        raise CensusError(
            f"{run.folder}: {gaps:,} of {report.coverage.planned:,} trials are missing; finish it before it goes into"
            " a release"
        )
    return write_rates(Run(into).folder, measured_rates(run, report))


def measured_rates(run: RateRun, report: RateReport) -> MeasuredRates:
    """Make the rows of a complete run."""
    digests = {each.id: each.digest for each in report.sets}
    trials = tuple(_trial(trial, digests[trial.set]) for trial in run.trials)
    rates = tuple(row for page in report.pages for row in _rates(report, page, digests[page.set]))
    stamp = RateStamp(
        run=report.run, created_at=report.created_at, code_version=report.code_version, judge=report.judge,
        sessions=report.sessions, repeats=report.repeats, seed=report.seed, spacing_s=report.spacing_s,
        execute=report.execute, allow_writes=report.allow_writes, trials=len(trials), rates=len(rates),
    )  # fmt: skip
    return MeasuredRates(stamp, trials, rates)


def _trial(trial: Trial, digest: str) -> TrialRow:
    assert trial.outcome is not None
    kept = {"tool", "arguments", "outcome", "schema_misfit", "expectation_misfit", "execution"}
    return TrialRow(
        run=trial.run, page=trial.page, variant=trial.variant, utterance_set=trial.set, set_digest=digest,
        judge=trial.judge, build=trial.build, utterance=trial.utterance,
        tag=trial.tag.value if trial.tag else None, control=trial.control.value if trial.control else None,
        tool=trial.tool, session=trial.session, repeat=trial.repeat, offered=len(trial.offered),
        calls=[call.model_dump(mode="json", include=kept, exclude_none=True) for call in trial.calls],
        outcome=trial.outcome.value, detail=trial.detail, invoked=trial.invoked, false_positive=trial.false_positive,
        executed=trial.executed.value if trial.executed else None, started_at=trial.started_at, ms=trial.ms,
        judge_ms=trial.judge_ms,
        input_tokens=trial.usage.input_tokens if trial.usage else None,
        output_tokens=trial.usage.output_tokens if trial.usage else None,
    )  # fmt: skip


def _rates(report: RateReport, page: PageReport, digest: str) -> Iterator[RateRow]:
    assert report.measured_from is not None
    about = {
        "run": report.run, "page": page.page, "variant": page.variant, "utterance_set": page.set, "set_digest": digest,
        "judge": report.judge, "build": ", ".join(report.builds), "sessions": report.sessions,
        "repeats": report.repeats, "measured_from": report.measured_from,
    }  # fmt: skip
    for tool in page.tools:
        assert tool.statistics is not None
        numbers = _numbers(tool.statistics)
        yield RateRow.model_validate({**about, "measure": INVOCATION, "name": tool.tool, **numbers})
    for control in page.controls:
        assert control.false_positives is not None
        yield RateRow.model_validate(
            {**about, "measure": FALSE_POSITIVE, "name": control.kind, **control.false_positives.model_dump()}
        )


def _numbers(found: Statistics) -> dict[str, object]:
    """The numbers of a tool, by the names of their columns."""
    numbers: dict[str, object] = found.rate.model_dump()
    # Wilson's own is there already; of a single utterance there is no other.
    clustered = found.over_both or found.over_utterances
    if clustered is not None:
        numbers |= {"quoted_low": clustered.low, "quoted_high": clustered.high}
    for name, spread in (("between", found.between_sessions), ("within", found.within_sessions)):
        if spread is not None:
            each = {"low": spread.low, "high": spread.high, "deviation": spread.deviation}
            numbers |= {f"{name}_{key}": value for key, value in each.items()}
    numbers |= {f"floor_{name}": share for name, share in found.floors.model_dump().items()}
    for tag in (Tag.DIRECT, Tag.AMBIGUOUS):
        if tag.value in found.by_tag:
            share = found.by_tag[tag.value]
            numbers |= {f"{tag.value}_k": share.k, f"{tag.value}_n": share.n}
    return numbers
