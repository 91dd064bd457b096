"""The order of a session's trials, what stops it, and what its checkpoint keeps; with trials that take no time."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from measure.judges.judge import Cause
from measure.rates.rate_plan import PlannedPage
from measure.rates.rate_run import OfferedManifest, read_rate_run
from measure.rates.trial import Trial, TrialKey
from measure.rates.trial_outcome import HarnessCause, MissingCause, TrialOutcome
from measure.trials.checkpoint import Checkpoint
from measure.trials.making import Made
from measure.trials.record import Job
from measure.trials.session import run_session, session_jobs
from measure.trials.stopping import Stopping
from tests.measure.rates.test_rate_run import SET, folder, line, plan, trial

SETS = {"shop 1.0.0": SET}


def url(page: str, variant: str) -> str:
    return f"http://there/{variant}/{page}"


def test_a_session_makes_every_trial_of_its_own_once_repeat_after_repeat() -> None:
    wanted = plan().model_copy(update={"sessions": 2, "repeats": 3})
    jobs = session_jobs(wanted, SETS, 2, set(), url)
    assert {job.key for job in jobs} == {key for key in wanted.trials() if key.session == 2}
    assert [job.key.repeat for job in jobs] == [1, 1, 2, 2, 3, 3]
    assert {job.url for job in jobs} == {"http://there/clean/index.html"}
    assert all(job.said.id == job.key.utterance for job in jobs)


def test_what_has_its_outcome_is_not_made_again_and_the_rest_keeps_its_order() -> None:
    wanted = plan().model_copy(update={"repeats": 10})
    whole = session_jobs(wanted, SETS, 1, set(), url)
    left = session_jobs(wanted, SETS, 1, {job.key for job in whole[:5]}, url)
    assert left == whole[5:]


def test_variants_take_turns_in_an_order_that_the_seed_draws() -> None:
    pages = tuple(PlannedPage(page="index.html", variant=each, set="shop 1.0.0") for each in ("clean", "vague"))
    wanted = plan().model_copy(update={"repeats": 200, "pages": pages})
    jobs = session_jobs(wanted, SETS, 1, set(), url)
    firsts = Counter(jobs[4 * repeat].key.variant for repeat in range(200))
    # 100 each; the standard deviation is 7.1.
    assert 65 <= firsts["clean"] <= 135
    other = session_jobs(wanted.model_copy(update={"seed": 8}), SETS, 1, set(), url)
    assert [job.key for job in jobs] != [job.key for job in other]


def gap(cause: MissingCause) -> Trial:
    return trial(1, None, missing=cause)


@pytest.mark.parametrize("cause", [Cause.BAD_KEY, Cause.BUDGET, HarnessCause.BROWSER_FAILED])
def test_what_will_not_pass_stops_a_run_at_once(cause: MissingCause) -> None:
    stopping = Stopping()
    stopping.see(trial(1))
    assert not stopping.stopped
    stopping.see(gap(cause))
    assert stopping.because == gap(cause)


def test_what_may_pass_stops_a_run_the_fifth_time_in_a_row() -> None:
    stopping = Stopping()
    for cause in (*[Cause.UNAVAILABLE] * 4, None, *[Cause.TRUNCATED] * 4):
        stopping.see(gap(cause) if cause else trial(1, TrialOutcome.NOT_SELECTED))
        assert not stopping.stopped
    stopping.see(gap(Cause.RATE_LIMITED))
    assert stopping.because == gap(Cause.RATE_LIMITED)


class Ends:
    """Ends trials as it is told, by utterance and repeat, and counts how many are under way."""

    def __init__(self, stopping: Stopping, ends: dict[tuple[str, int], MissingCause] | None = None) -> None:
        self.stopping, self.ends = stopping, ends or {}
        self.at_once = self.most = 0
        self.made: list[TrialKey] = []

    async def make(self, job: Job) -> Made | None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0.001)
        self.at_once -= 1
        self.made.append(job.key)
        cause = self.ends.get((job.key.utterance, job.key.repeat))
        return Made(trial(job.key.repeat, None if cause else TrialOutcome.OK, missing=cause), None)


def test_no_more_trials_are_under_way_than_pages_may_be_open() -> None:
    stopping = Stopping()
    maker = Ends(stopping)
    jobs = session_jobs(plan().model_copy(update={"repeats": 20}), SETS, 1, set(), url)
    ended: list[Made] = []
    assert asyncio.run(run_session(jobs, maker, stopping, ended.append, open_pages=7)) is None  # type: ignore[arg-type]
    assert (maker.most, len(ended), len(set(maker.made))) == (7, 40, 40)


def test_a_session_that_stops_begins_no_further_trial() -> None:
    stopping = Stopping()
    jobs = session_jobs(plan().model_copy(update={"repeats": 20}), SETS, 1, set(), url)
    third = jobs[2].key
    maker = Ends(stopping, {(third.utterance, third.repeat): Cause.BAD_KEY})
    ended: list[Made] = []
    because = asyncio.run(run_session(jobs, maker, stopping, ended.append, open_pages=1))  # type: ignore[arg-type]
    assert because is not None
    assert because.missing is Cause.BAD_KEY
    assert len(ended) == 3


def test_a_bug_in_a_trial_ends_the_session_and_is_not_hidden_in_a_group() -> None:
    class Broken:
        async def make(self, _: Job) -> Made | None:
            raise ZeroDivisionError

    jobs = session_jobs(plan(), SETS, 1, set(), url)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_session(jobs, Broken(), Stopping(), lambda _: None, open_pages=2))  # type: ignore[arg-type]


def test_a_checkpoint_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    whole = line(trial(1))
    run = folder(tmp_path, whole, line(trial(2))[:50])
    with Checkpoint(run, []) as checkpoint:
        checkpoint.add(trial(2, TrialOutcome.NOT_SELECTED), None)
    assert [each.outcome for each in read_rate_run(run).trials] == [TrialOutcome.OK, TrialOutcome.NOT_SELECTED]
    assert (run / "trials.jsonl").read_text().startswith(whole)


def test_a_manifest_is_kept_once_and_before_the_trial_that_names_it(tmp_path: Path) -> None:
    run = folder(tmp_path)
    manifest = OfferedManifest(digest="d1", tools=())
    with Checkpoint(run, []) as checkpoint:
        checkpoint.add(trial(1, manifest="d1"), manifest)
        checkpoint.add(trial(2, manifest="d1"), manifest)
    with Checkpoint(run, read_rate_run(run).manifests) as checkpoint:
        checkpoint.add(trial(2, manifest="d1"), manifest)
    assert read_rate_run(run).manifests == {"d1": ()}
    assert len((run / "manifests.jsonl").read_text().splitlines()) == 1
