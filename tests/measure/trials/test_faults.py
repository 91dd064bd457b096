"""A judge that fails: the run stops, says why, and has no rate. Real requests to an endpoint that misbehaves."""

import asyncio
from pathlib import Path

import pytest

from measure.judges.opening import JudgeOptions
from measure.rate_report.making import report_of
from measure.rates.rate_run import RateRun, read_rate_run
from measure.trials.answer import as_json, said
from measure.trials.beginning import begin
from measure.trials.checkpoint import Checkpoint
from measure.trials.judges import TrialJudges
from measure.trials.making import Made, Maker
from measure.trials.planning import plan_of
from measure.trials.session import run_session, session_jobs
from measure.trials.stopping import Stopping
from tests.measure.judges.endpoint_server import KEY, Behaviour, Endpoint, Said, endpoint
from tests.measure.rates.test_rate_run import SET
from tests.measure.trials.held import SIZE, tool
from tests.measure.trials.test_making import Page
from tests.measure.trials.test_planning import HERE

LATER = {"Retry-After": "120"}
"""Longer than is waited for, so that a test need not wait either."""


class Pages:
    async def open(self, _: str) -> Page:
        return Page(tool("add", SIZE), tool("look", reads=True))


def measure(
    server: Endpoint, folder: Path, key: str, monkeypatch: pytest.MonkeyPatch, **options: int
) -> tuple[RateRun, str | None]:
    """What a session does, but for the browser: ten trials with the judge behind the endpoint, one at a time."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    spec, chosen = "openai:test-model", JudgeOptions(base_url=f"{server.url}/v1", **options)

    async def session() -> str | None:
        judges = TrialJudges(spec, chosen)
        wanted = plan_of(HERE, [SET]).model_copy(update={"judge": judges.name, "repeats": 5, "execute": False})
        plan = begin(folder, wanted, [SET])
        stopping = Stopping()
        maker = Maker(plan, Pages(), judges, at_once=1, process="p", stopping=lambda: stopping.stopped)  # type: ignore[arg-type]
        jobs = session_jobs(plan, {"shop 1.0.0": SET}, 1, set(), lambda page, _: page)
        with Checkpoint(folder, []) as checkpoint:

            def ended(made: Made) -> None:
                checkpoint.add(made.trial, made.manifest)

            because = await run_session(jobs, maker, stopping, ended, open_pages=2)
        await judges.aclose()
        return None if because is None else f"{because.missing}: {because.detail}"

    stopped = asyncio.run(session())
    return read_rate_run(folder), stopped


def without_rate(run: RateRun, stopped: str | None) -> str:
    """What is said of a run that has no rate, and shows no key."""
    text = said(run, stopped)
    assert "No rate is given" in text
    assert "%" not in text
    assert KEY not in text + str(as_json(run, stopped)) + (run.folder / "trials.jsonl").read_text()
    assert report_of(run).exit_code == 2
    return text


@pytest.mark.parametrize(
    ("behaviour", "key", "cause", "asked"),
    [
        (Behaviour(status=503, headers=LATER), KEY, "unavailable", 5),
        (Behaviour(status=429, headers=LATER), KEY, "rate_limited", 5),
        (Behaviour(said=Said("It is", stopped="length")), KEY, "truncated", 5),
        (Behaviour(raw=b"<html>busy</html>"), KEY, "malformed_transport", 5),
        (Behaviour(), "sk-wrong", "bad_key", 1),
    ],
)
def test_a_judge_that_fails_stops_the_run_with_its_cause_and_there_is_no_rate(
    behaviour: Behaviour, key: str, cause: str, asked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint() as server:
        server.plan = [behaviour]
        run, stopped = measure(server, tmp_path, key, monkeypatch)
        assert len(server.requests) == asked
    assert f"stopped: {cause}: " in without_rate(run, stopped)
    assert run.missing == {cause: asked}
    assert len(run.not_made) == 10 - asked


def test_a_run_stops_before_its_budget_is_overrun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint() as server:
        server.plan = [Behaviour(said=Said(calls=(("add", {"size": "large"}),), tokens=(1_500, 100)))]
        run, stopped = measure(server, tmp_path, KEY, monkeypatch, max_tokens=6_000)
        asked = len(server.requests)
    assert "stopped: budget: " in without_rate(run, stopped)
    assert run.missing == {"budget": 1}
    # Each request may take up to 1,024 tokens out and one for each byte in, and took 1,600.
    assert 1 <= asked <= 3
    assert (run.usage.input_tokens, run.usage.output_tokens) == (1_500 * asked, 100 * asked)
    assert sum(trial.outcome is not None for trial in run.trials) == asked


def test_a_gap_now_and_then_stops_nothing_and_still_there_is_no_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut, whole = Behaviour(said=Said("It is", stopped="length")), Behaviour()
    with endpoint() as server:
        server.plan = [whole, cut, cut, whole, cut, cut, cut, cut, whole, cut]
        run, stopped = measure(server, tmp_path, KEY, monkeypatch)
    assert stopped is None
    without_rate(run, stopped)
    assert (run.missing, run.not_made) == ({"truncated": 7}, ())
