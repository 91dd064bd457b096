"""One trial by itself, and what is said of it."""

import uuid
from collections.abc import Sequence
from pathlib import Path

from census.errors import CensusError
from census.optout import OptOut
from measure.evals.json_values import shown
from measure.judges.opening import JudgeOptions
from measure.live.browser import LiveBrowser
from measure.rates.rate_plan import RatePlan
from measure.rates.trial import MadeCall, Trial
from measure.trials.chosen_pages import set_id
from measure.trials.judges import TrialJudges
from measure.trials.making import Made, Maker
from measure.trials.planning import Wanted
from measure.trials.session import session_jobs
from measure.trials.trial_page import LivePages
from measure.utterances.utterance_set import UtteranceSet


async def make_single(
    plan: RatePlan,
    sets: Sequence[UtteranceSet],
    utterance: str,
    judge: str,
    options: JudgeOptions,
    browser_path: Path,
    wanted: Wanted,
    opt_out: Path | None,
) -> Made:
    """Make the trial of an utterance on the plan's page. Raises CensusError for an id that no set or two sets have."""
    by_id = {set_id(each): each for each in sets}
    jobs = [job for job in session_jobs(plan, by_id, 1, set(), lambda page, _: page) if job.said.id == utterance]
    if len(jobs) != 1:
        raise CensusError(
            _not_one(utterance, len(jobs), left_out=any(utterance in each.left_out for each in plan.sets))
        )
    judges = TrialJudges(judge, options)
    try:
        optout = OptOut.named_or_default(opt_out)
        async with LiveBrowser(browser_path, wanted.browser, wanted.visit, optout) as browser:
            maker = Maker(plan, LivePages(browser), judges, at_once=1, process=uuid.uuid4().hex[:12])
            made = await maker.make(jobs[0])
    finally:
        await judges.aclose()
    assert made is not None, "nothing stops a single trial"
    return made


def shown_trial(trial: Trial) -> str:
    """A trial in lines for people."""
    end = trial.outcome if trial.outcome is not None else trial.missing
    assert end is not None
    lines = [f"{end.value}: {end.meaning}"]
    if trial.detail:
        lines.append(f"  {trial.detail}")
    lines.append(f"{trial.utterance} ({trial.tag or trial.control}) expects {trial.tool or 'no call'}")
    if trial.offered:
        lines.append(f"offered: {', '.join(trial.offered)}")
    lines += [_call_line(call) for call in trial.calls]
    if trial.executed is not None:
        lines.append(f"executed: {trial.executed.value} ({trial.executed.meaning})")
    lines.append(f"judge {trial.judge}, {trial.build}, {trial.ms} ms")
    return "\n".join(lines)


def _call_line(call: MadeCall) -> str:
    ended = f" -> {call.execution.value} {shown(call.output, 300)}" if call.execution is not None else ""
    return f"called: {call.tool}({shown(call.arguments, 300)}) {call.outcome.value}{ended}"


def _not_one(utterance: str, found: int, *, left_out: bool) -> str:
    if left_out:
        return (
            f"{utterance} needs calls before it, which may change the page: give --allow-writes (and not --no-execute)"
        )
    if found:
        return f"{utterance} is in {found} of the sets: give only the one that is meant with --set"
    return f"no set has an utterance or control {utterance!r}: give one of its ids with --utterance"
