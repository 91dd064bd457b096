"""The part of a report about one page in one variant."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from census.interval import proportion
from measure.rate_report.page_floors import Asked, page_floors
from measure.rate_report.report import (
    ControlReport,
    Coverage,
    FloorsOf,
    PageReport,
    ToolReport,
    UtteranceResult,
)
from measure.rate_report.statistics import statistics
from measure.rates.rate_plan import PlannedPage
from measure.rates.rate_run import RateRun
from measure.rates.trial import Trial, TrialKey
from measure.rates.trial_outcome import TrialOutcome
from measure.utterances.utterance_set import Control, ControlKind, Utterance, UtteranceSet


def page_report(run: RateRun, planned: PlannedPage) -> PageReport:
    """Report on the trials of a planned page; without any rate when the run is incomplete."""
    content = run.sets[planned.set]
    here = [trial for trial in run.trials if (trial.page, trial.variant, trial.set) == _place(planned)]
    keys = [key for key in run.planned if (key.page, key.variant, key.set) == _place(planned)]
    by_id = {each.id: each for each in content.utterances}
    asked = [
        _asked(run, by_id[each], here, planned.names)
        for each in dict.fromkeys(key.utterance for key in keys)
        if each in by_id
    ]
    floors, whole = page_floors(asked)
    said = [trial for trial in here if trial.tool is not None]
    return PageReport(
        page=planned.page,
        variant=planned.variant,
        set=planned.set,
        offered=tuple(sorted({name for trial in here for name in trial.offered})),
        coverage=_coverage(keys, here),
        tools=tuple(
            _tool(run, tool, _keys_of(keys, [one for one in content.utterances if one.tool == tool]), said, floors)
            for tool in sorted(floors)
        ),
        controls=tuple(
            _control(run, kind, _keys_of(keys, [one for one in content.controls if one.kind is kind]), here)
            for kind in _kinds(content, keys)
        ),
        statistics=statistics(said, whole) if run.complete and whole else None,
    )


def _place(planned: PlannedPage) -> tuple[str, str, str]:
    return planned.page, planned.variant, planned.set


def _asked(run: RateRun, utterance: Utterance, here: Sequence[Trial], names: Mapping[str, str]) -> Asked:
    """The question with the tools that the judge was shown the first time that it was put."""
    digest = next((trial.manifest for trial in here if trial.utterance == utterance.id and trial.manifest), None)
    offered = tuple(tool.offer() for tool in run.manifests[digest]) if digest else ()
    return Asked(
        utterance.tool,
        utterance.text,
        frozenset(names.get(each, each) for each in (utterance.tool, *utterance.acceptable)),
        offered,
    )


def _kinds(content: UtteranceSet, keys: Iterable[TrialKey]) -> list[ControlKind]:
    planned = {key.utterance for key in keys}
    there = {each.kind for each in content.controls if each.id in planned}
    return [kind for kind in ControlKind if kind in there]


def _keys_of(keys: Iterable[TrialKey], wanted: Iterable[Utterance | Control]) -> list[TrialKey]:
    ids = {each.id for each in wanted}
    return [key for key in keys if key.utterance in ids]


def _coverage(keys: Sequence[TrialKey], trials: Iterable[Trial]) -> Coverage:
    mine = list(trials)
    missing = Counter(str(trial.missing) for trial in mine if trial.missing is not None)
    return Coverage(
        planned=len(keys),
        measured=len(mine) - missing.total(),
        missing=dict(sorted(missing.items())),
        not_made=len(keys) - len(mine),
    )


def _outcomes(trials: Iterable[Trial]) -> dict[str, int]:
    counts = Counter(trial.outcome for trial in trials if trial.outcome is not None)
    return {outcome.value: counts[outcome] for outcome in TrialOutcome if counts[outcome]}


def _tool(
    run: RateRun,
    tool: str,
    keys: Sequence[TrialKey],
    said: Sequence[Trial],
    floors: Mapping[str, FloorsOf],
) -> ToolReport:
    texts = {each.id: each.text for each in run.sets[keys[0].set].utterances}
    mine = [trial for trial in said if trial.tool == tool]
    measured = [trial for trial in mine if trial.outcome is not None]
    called = Counter(name for trial in measured for name in ([call.tool for call in trial.calls] or [""]))
    executed = Counter(trial.executed.value for trial in measured if trial.executed is not None)
    return ToolReport(
        tool=tool,
        coverage=_coverage(keys, mine),
        outcomes=_outcomes(measured),
        called=dict(sorted(called.items())),
        executed=dict(sorted(executed.items())),
        utterances=tuple(_utterances(measured, texts)),
        statistics=statistics(measured, floors[tool]) if run.complete else None,
    )


def _utterances(measured: Iterable[Trial], texts: Mapping[str, str]) -> Iterable[UtteranceResult]:
    groups: dict[str, list[Trial]] = {}
    for trial in measured:
        groups.setdefault(trial.utterance, []).append(trial)
    for utterance, trials in sorted(groups.items()):
        yield UtteranceResult(
            utterance=utterance,
            text=texts[utterance],
            tag=str(trials[0].tag),
            invoked=sum(bool(trial.invoked) for trial in trials),
            measured=len(trials),
        )


def _control(run: RateRun, kind: ControlKind, keys: Sequence[TrialKey], here: Sequence[Trial]) -> ControlReport:
    mine = [trial for trial in here if trial.control is kind]
    told = [trial.false_positive for trial in mine if trial.false_positive is not None]
    measured = [trial for trial in mine if trial.outcome is not None]
    return ControlReport(
        kind=kind.value,
        coverage=_coverage(keys, mine),
        outcomes=_outcomes(measured),
        nothing_offered=len(measured) - len(told),
        false_positives=proportion(sum(told), len(told)) if run.complete else None,
    )
