"""From the folder of a run to its report: pure, and the same trials give the same report."""

from collections.abc import Iterator

from measure.rate_report.page_report import page_report
from measure.rate_report.predictions import scored
from measure.rate_report.report import AskedSet, Coverage, RateReport, TokensTaken
from measure.rates.rate_plan import PlannedSet
from measure.rates.rate_run import RateRun

_ENOUGH_SESSIONS = 3


def report_of(run: RateRun) -> RateReport:
    """Make the report of a run, finished or not. An incomplete one has counts and causes, and no rate."""
    plan = run.plan
    pages = tuple(page_report(run, page) for page in plan.pages)
    starts = [trial.started_at for trial in run.trials]
    missing = dict(sorted(run.missing.items()))
    return RateReport(
        run=plan.run,
        created_at=plan.created_at,
        code_version=plan.code_version,
        judge=plan.judge,
        builds=tuple(sorted({trial.build for trial in run.trials if trial.build})) or (plan.browser,),
        sets=tuple(_asked_set(run, each) for each in plan.sets),
        served=plan.served.name if plan.served else None,
        sessions=plan.sessions,
        repeats=plan.repeats,
        seed=plan.seed,
        spacing_s=plan.spacing.total_seconds(),
        execute=plan.execute,
        allow_writes=plan.allow_writes,
        visit=plan.visit,
        measured_from=min(starts, default=None),
        measured_to=max(starts, default=None),
        usage=_usage(run),
        complete=run.complete,
        coverage=Coverage(
            planned=len(run.planned),
            measured=len(run.trials) - sum(missing.values()),
            missing=missing,
            not_made=len(run.not_made),
        ),
        pages=pages,
        predictions=tuple(scored(plan.predictions, pages)),
        caveats=tuple(_caveats(run)),
    )


def _asked_set(run: RateRun, planned: PlannedSet) -> AskedSet:
    content = run.sets[planned.id]
    asked = set(planned.utterances)
    return AskedSet(
        id=planned.id,
        digest=planned.digest,
        authors=tuple(sorted({each.author.name for each in content.everything if each.id in asked})),
        utterances=sum(each.id in asked for each in content.utterances),
        controls=sum(each.id in asked for each in content.controls),
        left_out=len(planned.left_out),
    )


def _usage(run: RateRun) -> TokensTaken | None:
    known = sum(trial.usage is not None for trial in run.trials)
    if not known:
        return None
    # Trials that were made again have cost as well.
    spent = run.usage
    return TokensTaken(input_tokens=spent.input_tokens, output_tokens=spent.output_tokens, trials=known)


def _caveats(run: RateRun) -> Iterator[str]:
    plan = run.plan
    yield "The rates are of these utterances; the sets are no sample of what people say."
    yield (
        "A session has its own process, browser and cold profile. Sessions share the machine, its network, the judge's"
        " endpoint and whatever that keeps between requests."
    )
    if plan.sessions < _ENOUGH_SESSIONS:
        yield (
            f"With {plan.sessions} session{'s' if plan.sessions > 1 else ''} little or nothing is known of how far"
            " another one would be off."
        )
    elif not plan.spacing:
        yield "The sessions followed each other at once: their spread says nothing of another day."
    left_out = sum(len(each.left_out) for each in plan.sets)
    if left_out:
        yield f"{left_out} utterances need calls before them, which this run may not make: they are in no number."
    if not plan.execute:
        yield "Nothing was executed: `ok` means that a right tool was chosen with valid arguments, no more."
    elif not plan.allow_writes:
        yield (
            "Only tools that are marked read-only were executed: for the others `ok` means that the tool was chosen"
            " with valid arguments, no more."
        )
