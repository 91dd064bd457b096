"""A session's own process: its own browser with a cold profile, its own connections to the judge."""

import asyncio
import os
import threading
import uuid
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path

from census.errors import CensusError
from census.folder_lock import held
from census.optout import OptOut
from census.visit import Browser
from crawler.settings import VisitSettings
from measure.judges.opening import JudgeOptions
from measure.live.browser import LiveBrowser
from measure.rates.rate_run import read_rate_run
from measure.rates.trial import Trial
from measure.rates.trial_outcome import HarnessCause
from measure.trials.checkpoint import Checkpoint
from measure.trials.judges import TrialJudges
from measure.trials.making import Made, Maker
from measure.trials.progress import Progress
from measure.trials.serving import served_url, serving
from measure.trials.session import run_session, session_jobs
from measure.trials.stopping import Stopping
from measure.trials.trial_page import LivePages

_LOCK = "session.lock"


@dataclass(frozen=True)
class SessionTask:
    """What a session is told. Keys it takes from the environment, as any judge does."""

    folder: Path
    session: int
    judge: str
    judge_options: JudgeOptions
    browser_path: Path
    browser: Browser
    visit: VisitSettings
    opt_out: Path | None
    serve: Path | None
    judges_at_once: int
    open_pages: int
    shown: bool = True
    """Whether progress is shown."""


@dataclass(frozen=True)
class SessionEnd:
    """How a session ended."""

    stopped: str | None = None
    """Why it went no further, for people; None when every trial had its turn."""
    again: bool = False
    """Whether only the browser failed, so that the rest can be measured in a new process."""
    error: str | None = None
    """What could not be done at all, as a CensusError says it."""


def measure_session(task: SessionTask, answer: Connection) -> None:
    """Make the trials of a session that have no outcome yet, and say how it ended. The entry of the process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        with held(task.folder, _LOCK, "run", wait=True):
            end = asyncio.run(_measure(task))
    except CensusError as error:
        end = SessionEnd(error=str(error))
    except KeyboardInterrupt:
        end = SessionEnd(stopped="interrupted")
    answer.send(end)
    answer.close()


def _end_with_parent() -> None:
    """A session whose command was killed must not go on by itself, beside the one that resumes it."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


async def _measure(task: SessionTask) -> SessionEnd:
    run = read_rate_run(task.folder)
    done = {trial.key for trial in run.trials if trial.missing is None}
    stopping = Stopping()
    options = replace(task.judge_options, spent=run.usage)
    async with AsyncExitStack() as stack:
        root = "" if task.serve is None else stack.enter_context(serving(task.serve))
        jobs = session_jobs(
            run.plan, run.sets, task.session, done,
            lambda page, variant: served_url(root, page, variant) if root else page,
        )  # fmt: skip
        if not jobs:
            return SessionEnd()
        checkpoint = stack.enter_context(Checkpoint(task.folder, run.manifests))
        judges = TrialJudges(task.judge, options)
        stack.push_async_callback(judges.aclose)
        optout = OptOut.named_or_default(task.opt_out)
        browser = await stack.enter_async_context(LiveBrowser(task.browser_path, task.browser, task.visit, optout))
        maker = Maker(
            run.plan, LivePages(browser), judges,
            at_once=task.judges_at_once, process=uuid.uuid4().hex[:12], stopping=lambda: stopping.stopped,
        )  # fmt: skip
        label = f"session {task.session} of {run.plan.sessions}"
        progress = await stack.enter_async_context(Progress(label, len(run.planned), len(done), shown=task.shown))

        def ended(made: Made) -> None:
            checkpoint.add(made.trial, made.manifest)
            progress.ended(missing=made.trial.missing is not None)

        because = await run_session(jobs, maker, stopping, ended, open_pages=task.open_pages)
    return _end(because)


def _end(because: Trial | None) -> SessionEnd:
    if because is None:
        return SessionEnd()
    assert because.missing is not None
    said = f"{because.missing.value}: {because.detail}"
    return SessionEnd(stopped=said, again=because.missing is HarnessCause.BROWSER_FAILED)
