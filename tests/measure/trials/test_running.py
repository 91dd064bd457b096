"""Sessions one after the other: which are due, when, and what becomes of a browser that fails. No process is begun."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.judges.opening import JudgeOptions
from measure.rates.rate_run import PLAN, read_rate_run
from measure.rates.trial import Trial
from measure.rates.trial_outcome import HarnessCause, TrialOutcome
from measure.trials import running
from measure.trials.answer import said
from measure.trials.running import run_sessions
from measure.trials.session_process import SessionEnd, SessionTask
from measure.trials.single import shown_trial
from tests.measure.rates.test_rate_run import folder, line, plan, trial
from tests.measure.trials.test_planning import HERE


class Sessions:
    """Makes every trial of a session at once, unless it is told another end."""

    def __init__(self, *ends: SessionEnd) -> None:
        self.ends = list(ends)
        self.begun: list[int] = []

    def __call__(self, task: SessionTask) -> SessionEnd:
        self.begun.append(task.session)
        end = self.ends.pop(0) if self.ends else SessionEnd()
        if end == SessionEnd():
            left = read_rate_run(task.folder).not_made
            with (task.folder / "trials.jsonl").open("a") as file:
                file.writelines(
                    line(made(key.utterance, key.session, key.repeat)) for key in left if key.session == task.session
                )
        return end


def made(utterance: str, session: int, repeat: int, at: datetime | None = None) -> Trial:
    of = {"tag": None, "tool": None, "control": "irrelevant"} if utterance == "none" else {}
    return trial(repeat, utterance=utterance, session=session, started_at=at or datetime.now(UTC), **of)


def task(path: Path, *before: Trial, spacing: timedelta = timedelta(0)) -> SessionTask:
    run = folder(path, *map(line, before))
    wanted = plan().model_copy(update={"sessions": 3, "spacing": spacing})
    (run / PLAN).write_text(wanted.model_dump_json())
    return SessionTask(
        run, 1, "oracle", JudgeOptions(), Path("browser"), HERE.browser, HERE.visit, None, None, 1, 1, shown=False
    )


def test_every_session_is_begun_once_and_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions()
    monkeypatch.setattr(running, "_in_process", sessions)
    waited: list[float] = []
    assert run_sessions(task(tmp_path), lambda _: None, waited.append) is None
    assert (sessions.begun, waited) == ([1, 2, 3], [])
    assert read_rate_run(tmp_path).complete


def test_a_finished_session_is_not_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions()
    monkeypatch.setattr(running, "_in_process", sessions)
    before = [made(each, session, repeat) for session in (1, 3) for repeat in (1, 2) for each in ("one", "none")]
    run_sessions(task(tmp_path, *before), lambda _: None)
    assert sessions.begun == [2]


def test_sessions_begin_as_far_apart_as_is_asked_and_one_that_was_begun_goes_on_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_in_process", Sessions())
    waited: list[float] = []
    notes: list[str] = []
    begun = datetime.now(UTC) - timedelta(hours=4)
    before = [made("one", 1, 1, begun), made("none", 1, 1, begun + timedelta(hours=1))]
    run_sessions(task(tmp_path, *before, spacing=timedelta(hours=6)), notes.append, waited.append)
    # The first session goes on; the second begins 6 h after the first did, the third 6 h after the second.
    assert [round(seconds / 360) / 10 for seconds in waited] == [2.0, 6.0]
    assert [note.partition(" begins")[0] for note in notes] == ["session 2 of 3", "session 3 of 3"]


def test_a_session_whose_browser_fails_goes_on_in_another_process_three_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = SessionEnd(stopped="browser_failed: gone", again=True)
    twice = Sessions(failed, failed)
    monkeypatch.setattr(running, "_in_process", twice)
    assert run_sessions(task(tmp_path), lambda _: None) is None
    assert twice.begun == [1, 1, 1, 2, 3]
    (tmp_path / "other").mkdir()
    always = Sessions(*[failed] * 5)
    monkeypatch.setattr(running, "_in_process", always)
    assert run_sessions(task(tmp_path / "other"), lambda _: None) == "browser_failed: gone"
    assert always.begun == [1, 1, 1]


def test_what_stops_a_session_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions(SessionEnd(), SessionEnd(stopped="bad_key: refused"))
    monkeypatch.setattr(running, "_in_process", sessions)
    assert run_sessions(task(tmp_path), lambda _: None) == "bad_key: refused"
    assert sessions.begun == [1, 2]
    run = read_rate_run(tmp_path)
    assert "stopped: bad_key: refused" in said(run, "bad_key: refused")
    assert "not made: 8" in said(run, "bad_key: refused")


def test_a_process_that_ends_without_a_word_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "measure_session", _dies)
    with pytest.raises(CensusError, match=r"session 1 ended without a word \(exit code 7\)"):
        run_sessions(task(tmp_path), lambda _: None)


def _dies(*_: object) -> None:
    import os

    os._exit(7)


def test_a_trial_is_shown_with_its_end_and_its_meaning() -> None:
    wrong = shown_trial(trial(1, TrialOutcome.WRONG_TOOL, detail="cancel was called", offered=("add", "cancel")))
    assert wrong.startswith("wrong_tool: The judge called a tool that was offered and is not right")
    assert "offered: add, cancel" in wrong
    gap = shown_trial(trial(1, None, missing=HarnessCause.PAGE_UNREACHED, detail="status 500"))
    assert gap.startswith("page_unreached: The page could not be opened and read")
