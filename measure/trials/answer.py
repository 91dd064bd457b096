"""What `rate` says at the end: what was measured of what was planned, and rates only where nothing is missing."""

from collections import Counter

from pydantic import JsonValue

from census.interval import Proportion
from measure.rates.control import ControlTrial, false_positives
from measure.rates.observation import Observation
from measure.rates.rate_run import RateRun
from measure.rates.tool_rate import ToolRate, tool_rates
from measure.rates.trial import Trial


def observations_of(trials: tuple[Trial, ...]) -> list[Observation]:
    """The measured trials of utterances, as the statistics take them. A trial of each page and variant is its own."""
    return [
        Observation(trial.tool, f"{trial.page} {trial.variant} {trial.utterance}", trial.session, trial.repeat, invoked)
        for trial in trials
        if trial.tool is not None and (invoked := trial.invoked) is not None
    ]


def exit_code(run: RateRun) -> int:
    """0 for a complete run, 2 for an incomplete one: gaps are not random, so there is no rate then."""
    return 0 if run.complete else 2


def said(run: RateRun, stopped: str | None) -> str:
    """The answer in lines for people."""
    lines = [_coverage(run)]
    lines += [f"  missing: {count} {cause}" for cause, count in sorted(run.missing.items())]
    if run.not_made:
        lines.append(f"  not made: {len(run.not_made)}")
    if stopped is not None:
        lines.append(f"stopped: {stopped}")
    if not run.complete:
        lines.append(f"No rate is given of an incomplete run. The same command goes on with {run.folder}.")
        return "\n".join(lines)
    for page, variant in _places(run):
        trials = tuple(each for each in run.trials if (each.page, each.variant) == (page, variant))
        lines.append(f"{page}{f' ({variant})' if variant else ''}")
        lines += [_rate_line(rate) for rate in tool_rates(observations_of(trials))]
        lines += [f"  controls, {kind}: {_share(share)} called a tool" for kind, share in _controls(trials).items()]
        outcomes = Counter(each.outcome for each in trials if each.control is None and each.outcome is not None)
        lines.append("  " + ", ".join(f"{n} {outcome.value}" for outcome, n in outcomes.most_common()))
    return "\n".join(lines)


def as_json(run: RateRun, stopped: str | None) -> dict[str, JsonValue]:
    """The coverage of the run, for programs."""
    return {
        "run": run.plan.run,
        "folder": str(run.folder),
        "complete": run.complete,
        "planned": len(run.planned),
        "measured": len(run.planned) - len(run.not_made) - sum(run.missing.values()),
        "missing": dict(sorted(run.missing.items())),
        "not_made": len(run.not_made),
        "stopped": stopped,
    }


def _coverage(run: RateRun) -> str:
    plan = run.plan
    measured = sum(trial.missing is None for trial in run.trials)
    return (
        f"{measured} of {len(run.planned)} trials measured: {plan.sessions} sessions x {plan.repeats} repeats, "
        f"judge {plan.judge}, {plan.browser}"
    )


def _places(run: RateRun) -> list[tuple[str, str]]:
    return list(dict.fromkeys((page.page, page.variant) for page in run.plan.pages))


def _rate_line(rate: ToolRate) -> str:
    return f"  {rate.tool}: {_share(rate.rate)}"


def _controls(trials: tuple[Trial, ...]) -> dict[str, Proportion]:
    return false_positives(
        ControlTrial(trial.control.value, called)
        for trial in trials
        if trial.control is not None and (called := trial.false_positive) is not None
    )


def _share(share: Proportion) -> str:
    if share.rate is None:
        return "none measured"
    interval = f"[{100 * share.low:.1f}, {100 * share.high:.1f}]"
    return f"{100 * share.rate:.1f} % {interval} ({share.k} of {share.n})"
