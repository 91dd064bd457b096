"""What `rate` says at the end besides the report: what was measured of what was planned, and why it stopped."""

from pydantic import JsonValue

from measure.rates.rate_run import RateRun


def said(run: RateRun, stopped: str | None) -> str:
    """The answer of an incomplete run, in lines for people."""
    lines = [_coverage(run)]
    lines += [f"  missing: {count} {cause}" for cause, count in sorted(run.missing.items())]
    if run.not_made:
        lines.append(f"  not made: {len(run.not_made)}")
    if stopped is not None:
        lines.append(f"stopped: {stopped}")
    lines.append(f"No rate is given of an incomplete run. The same command goes on with {run.folder}.")
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
