"""Running the cases of suites with a judge, some at a time."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from census.errors import CensusError
from measure.evals.after_failure import after_failure
from measure.evals.case import Case, Suite
from measure.evals.checkpoint import Checkpoint
from measure.evals.compat import GaveUpError
from measure.evals.examples import NoExampleError
from measure.evals.judging import Matcher, read_only, verdict_of
from measure.evals.outcome import CaseOutcome, Gap, Repeat
from measure.evals.plan import calls_of
from measure.evals.plan_judge import PlanJudge
from measure.evals.run import DriveError, Run, run_on
from measure.evals.script import ScriptJudge, oracle_script
from measure.evals.stages import FileStages, Stages
from measure.evals.without_driven import WithoutDriven
from measure.judges.judge import Judge, JudgeFault
from measure.judges.opening import JudgeOptions, JudgeSource, open_judge
from measure.lint.manifest import ManifestTool
from measure.live.errors import BrowserGoneError, PageNotOpenedError, WritesNotAllowedError

_KNOWS_WHAT_IS_EXPECTED = ("oracle", "noisy-oracle")


@dataclass(frozen=True)
class Settings:
    """How cases are run and judged."""

    matcher: Matcher = Matcher.DEFAULT
    repeats: int = 1
    max_steps: int = 30
    clock: datetime | None = None
    at_a_time: int = 1
    """Cases that are run at the same time."""
    smoke: bool = False
    """Whether a call that fails without having to fails its case: nobody but the page can be blamed for it."""


class Judges:
    """The judge of a run, for each case and repeat: an oracle is told what its case expects, the others are not."""

    def __init__(self, spec: str, options: JudgeOptions, *, live: bool = False) -> None:
        self._spec, self._options, self._live = spec, options, live
        self._told = spec.partition(":")[0] in _KNOWS_WHAT_IS_EXPECTED
        self._source = open_judge(spec, options)
        self.name = self._source.name

    def judge(self, case: Case, tools: Sequence[ManifestTool], repeat: int, clock: datetime | None) -> Judge:
        """The judge of one repeat. Raises NoExampleError and DriveError for an oracle that cannot be told."""
        judge = self._for(case, tools, clock).for_draw(f"{case.place} repeat {repeat}")
        return WithoutDriven(judge) if self._spec.startswith("scripted:") else judge

    def _for(self, case: Case, tools: Sequence[ManifestTool], clock: datetime | None) -> JudgeSource:
        if not self._told:
            return self._source
        if self._live:
            return open_judge(self._spec, self._options, truth=PlanJudge(case))
        truth = ScriptJudge(case, oracle_script(case, tools, clock))
        return open_judge(self._spec, self._options, truth=truth)

    async def aclose(self) -> None:
        """Close what the judge keeps open."""
        await self._source.aclose()


def run_suites(
    suites: Iterable[tuple[Suite, tuple[ManifestTool, ...]]],
    judges: Judges,
    settings: Settings,
    done: Callable[[CaseOutcome], None] = lambda _: None,
    stages: Stages | None = None,
    checkpoint: Checkpoint | None = None,
) -> tuple[CaseOutcome, ...]:
    """Run every case of some suites, each with its tools, or on `stages`; and close the judge and the stages.

    What `checkpoint` has is not measured again, and what is measured is added to it. The outcomes come in the order
    of the cases; `done` is told of each when it is there. An error that is neither a judge's fault nor a case's ends
    the run.
    """
    gate = asyncio.Semaphore(settings.at_a_time)
    played = stages if stages is not None else FileStages()

    async def kept(suite: Suite, case: Case, tools: tuple[ManifestTool, ...], number: int) -> Repeat:
        before = checkpoint.get(suite.source, case, number) if checkpoint is not None else None
        if before is not None:
            return before
        repeat = await _repeat(case, tools, judges, settings, played, number)
        if checkpoint is not None:
            checkpoint.add(suite.source, case, number, repeat)
        return repeat

    async def one(suite: Suite, case: Case, tools: tuple[ManifestTool, ...]) -> CaseOutcome:
        async with gate:
            repeats = [await kept(suite, case, tools, each) for each in range(settings.repeats)]
        outcome = CaseOutcome(suite.source, case, tuple(repeats))
        done(outcome)
        return outcome

    async def run() -> list[CaseOutcome]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(suite, case, tools)) for suite, tools in suites for case in suite.cases]
        except ExceptionGroup as failed:
            # The others were cancelled because of the first.
            raise failed.exceptions[0] from failed
        finally:
            await played.aclose()
            await judges.aclose()
        return [task.result() for task in tasks]

    return tuple(asyncio.run(run()))


async def _repeat(
    case: Case, tools: tuple[ManifestTool, ...], judges: Judges, settings: Settings, stages: Stages, number: int
) -> Repeat:
    try:
        judge = judges.judge(case, tools, number, settings.clock)
        run = await _played(case, tools, judge, settings, stages)
    except JudgeFault as fault:
        return Repeat(cause=fault.cause, message=str(fault))
    except DriveError as error:
        return Repeat(cause=Gap.DRIVE, message=str(error))
    except NoExampleError as error:
        return Repeat(cause=Gap.NO_EXAMPLE, message=f"the oracle cannot answer this case: {error}")
    except PageNotOpenedError as error:
        return Repeat(cause=Gap.PAGE, message=str(error))
    except WritesNotAllowedError as error:
        return Repeat(cause=Gap.WRITES, message=str(error))
    except BrowserGoneError as error:
        return Repeat(cause=Gap.BROWSER, message=str(error))
    return judged(case, run, settings)


async def _played(case: Case, tools: tuple[ManifestTool, ...], judge: Judge, settings: Settings, stages: Stages) -> Run:
    """Play a case; once more where the browser failed, which says nothing of the page or the judge."""
    for attempt in range(2):
        try:
            async with stages.open(case, tools, settings.clock) as stage:
                return await run_on(stage, case, judge, max_steps=settings.max_steps, clock=settings.clock)
        except (PageNotOpenedError, BrowserGoneError) as error:
            if attempt or not error.ours:
                raise
    raise AssertionError("either there is a run, or an error was raised")


def judged(case: Case, run: Run, settings: Settings) -> Repeat:
    """What is to be said of a run."""
    try:
        verdict = verdict_of(case, run, run.tools, settings.matcher, smoke=settings.smoke)
    except GaveUpError as error:
        return Repeat(None, run, Gap.GAVE_UP, str(error))
    except CensusError as error:
        return Repeat(None, run, Gap.UNDECIDED, str(error))
    if settings.smoke:
        # Nobody is there who could go on, or stop.
        return Repeat(verdict, run)
    had_to_fail = {call.place for call in calls_of(case.plan or ()) if call.fails is not None}
    numbers = {number for place, number in verdict.aligned.items() if place in had_to_fail}
    went_on = after_failure(run.made, read_only(run.tools) | case.harmless, numbers)
    return Repeat(verdict, run, after_failure=went_on)
