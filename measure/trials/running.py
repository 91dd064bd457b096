"""A run of rates: one session after the other, each in a process of its own."""

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from census.errors import CensusError
from measure.rates.rate_run import RateRun, read_rate_run
from measure.trials.session_process import SessionEnd, SessionTask, measure_session

_ATTEMPTS = 3
"""Processes that a session gets whose browser fails; the trials of each say which process made them."""


def run_sessions(
    task: SessionTask, note: Callable[[str], None], sleep: Callable[[float], None] = time.sleep
) -> str | None:
    """Measure every session that has trials left; gives why the run stopped, or None when all had their turn.

    `task` says how; its `session` is not looked at. `note` is told what a person may want to know meanwhile. Raises
    CensusError when a session cannot begin at all.
    """
    run = read_rate_run(task.folder)
    for session in range(1, run.plan.sessions + 1):
        if _finished(run, session):
            continue
        pause = _pause(run, session)
        if pause > timedelta(0):
            begins = datetime.now(UTC) + pause
            note(f"session {session} of {run.plan.sessions} begins at {begins:%Y-%m-%d %H:%M} UTC (--spacing)")
            sleep(pause.total_seconds())
        for attempt in range(1, _ATTEMPTS + 1):
            end = _in_process(replace(task, session=session))
            if not end.again or attempt == _ATTEMPTS:
                break
            note(f"session {session}: the browser failed; going on with another process and browser")
        if end.stopped is not None:
            return end.stopped
        run = read_rate_run(task.folder)
    return None


def _finished(run: RateRun, session: int) -> bool:
    ended = sum(trial.session == session and trial.missing is None for trial in run.trials)
    return ended == sum(key.session == session for key in run.planned)


def _pause(run: RateRun, session: int) -> timedelta:
    """How long to wait: sessions begin `spacing` apart; one that has begun is gone on with at once."""
    begun: dict[int, datetime] = {}
    for trial in run.trials:
        begun[trial.session] = min(trial.started_at, begun.get(trial.session, trial.started_at))
    if session in begun or session - 1 not in begun:
        return timedelta(0)
    return begun[session - 1] + run.plan.spacing - datetime.now(UTC)


def _in_process(task: SessionTask) -> SessionEnd:
    # "spawn": a session shares nothing with this process, nor with the session before.
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=measure_session, args=(task, sending), name=f"session {task.session}")
    process.start()
    sending.close()
    try:
        end: SessionEnd = receiving.recv()
    except EOFError:
        process.join()
        raise CensusError(
            f"session {task.session} ended without a word (exit code {process.exitcode}): run the same command again"
        ) from None
    finally:
        receiving.close()
    process.join()
    if end.error is not None:
        raise CensusError(end.error)
    return end
