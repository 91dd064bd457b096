"""Running the cases of suites with a judge, one after the other."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from census.errors import CensusError
from measure.evals.case import Case, Suite
from measure.evals.compat import GaveUpError
from measure.evals.examples import NoExampleError
from measure.evals.judging import Matcher, verdict_of
from measure.evals.outcome import CaseOutcome, Repeat
from measure.evals.script import oracle_script
from measure.evals.static_run import DriveError, run_case
from measure.judges.judge import Judge, JudgeFault
from measure.judges.opening import JudgeOptions, JudgeSource, open_judge
from measure.lint.manifest import ManifestTool

_KNOWS_WHAT_IS_EXPECTED = ("oracle", "noisy-oracle")


@dataclass(frozen=True)
class Settings:
    """How cases are run and judged."""

    matcher: Matcher = Matcher.DEFAULT
    repeats: int = 1
    max_steps: int = 30
    clock: datetime | None = None


class Judges:
    """The judge of a run, for each case and repeat: an oracle is told what its case expects, the others are not."""

    def __init__(self, spec: str, options: JudgeOptions) -> None:
        self._spec, self._options = spec, options
        self._told = spec.partition(":")[0] in _KNOWS_WHAT_IS_EXPECTED
        self._source = open_judge(spec, options)
        self.name = self._source.name

    def judge(self, case: Case, tools: Sequence[ManifestTool], repeat: int, clock: datetime | None) -> Judge:
        """The judge of one repeat. Raises NoExampleError and DriveError for an oracle that cannot be told."""
        return self._for(case, tools, clock).for_draw(f"{case.place} repeat {repeat}")

    def _for(self, case: Case, tools: Sequence[ManifestTool], clock: datetime | None) -> JudgeSource:
        if not self._told:
            return self._source
        return open_judge(self._spec, self._options, oracle_script(case, tools, clock))

    async def aclose(self) -> None:
        """Close what the judge keeps open."""
        await self._source.aclose()


def run_suites(
    suites: Iterable[tuple[Suite, tuple[ManifestTool, ...]]],
    judges: Judges,
    settings: Settings,
    done: Callable[[CaseOutcome], None] = lambda _: None,
) -> tuple[CaseOutcome, ...]:
    """Run every case of some suites, each with its tools, and close the judge. `done` is told of each case."""

    async def run() -> list[CaseOutcome]:
        outcomes = []
        try:
            for suite, tools in suites:
                for case in suite.cases:
                    repeats = [await _repeat(case, tools, judges, settings, each) for each in range(settings.repeats)]
                    outcomes.append(CaseOutcome(suite.source, case, tuple(repeats)))
                    done(outcomes[-1])
        finally:
            await judges.aclose()
        return outcomes

    return tuple(asyncio.run(run()))


async def _repeat(
    case: Case, tools: tuple[ManifestTool, ...], judges: Judges, settings: Settings, number: int
) -> Repeat:
    try:
        judge = judges.judge(case, tools, number, settings.clock)
        run = await run_case(case, tools, judge, max_steps=settings.max_steps, clock=settings.clock)
    except JudgeFault as fault:
        return Repeat(cause=fault.cause.value, message=str(fault))
    except DriveError as error:
        return Repeat(cause="drive", message=str(error))
    except NoExampleError as error:
        return Repeat(cause="no_example", message=f"the oracle cannot answer this case: {error}")
    try:
        return Repeat(verdict_of(case, run, tools, settings.matcher), run)
    except GaveUpError as error:
        return Repeat(None, run, "gave_up", str(error))
    except CensusError as error:
        return Repeat(None, run, "undecided", str(error))
