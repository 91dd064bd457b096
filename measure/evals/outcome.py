"""How the cases of some suites ended, as plain values: every output is written from this and from nothing else."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from census.interval import Proportion, proportion
from census.vocabulary import Word
from measure.evals.after_failure import AfterFailure
from measure.evals.case import Case
from measure.evals.judging import Matcher
from measure.evals.run import Run
from measure.evals.stamps import Stamps
from measure.evals.verdict import Constraint, Verdict
from measure.judges.judge import Cause


class Mode(Word):
    """Where the tools are, and who calls them."""

    STATIC = "static", "Tools of a file, answered by the suite; a judge calls them."
    LIVE = "live", "The tools of a page, run there; a judge calls them."
    SMOKE = "smoke", "The tools of a page, run there; the expected calls are made, without a judge."


class Ending(Word):
    """How a repeat of a case ended, and how the case did."""

    PASSED = "passed", "No constraint broke; of a case: in no repeat."
    FAILED = "failed", "A constraint broke; of a case: in at least one repeat, and none is missing."
    MISSING = "missing", "There is no measurement: the judge failed, or what is around it; of a case: in a repeat."


class Gap(Word):
    """Why there is no measurement, besides the causes that lie with the judge."""

    DRIVE = "drive", "A driven call failed, so the state that the case begins in was never there."
    NO_EXAMPLE = "no_example", "The oracle found no value for an expected argument."
    GAVE_UP = "gave_up", "The public runner gives up here, and so does `compat`."
    UNDECIDED = "undecided", "No best alignment was found in time."
    PAGE = "page_not_opened", "The page could not be opened."
    WRITES = "writes_not_allowed", "A tool that is not read-only was to be run, without `--allow-writes`."
    BROWSER = "browser_failed", "The browser failed under the run."


@dataclass(frozen=True)
class Repeat:
    """One run of a case with what is to be said of it, or why there is none."""

    verdict: Verdict | None = None
    run: Run | None = None
    cause: Cause | Gap | None = None
    message: str | None = None
    after_failure: AfterFailure | None = None
    """How the judge went on after its first failed call; None when none failed."""

    @property
    def ending(self) -> Ending:
        """How it ended."""
        if self.verdict is None:
            return Ending.MISSING
        return Ending.PASSED if self.verdict.passed else Ending.FAILED


@dataclass(frozen=True)
class CaseOutcome:
    """A case with all its repeats."""

    suite: str
    case: Case
    repeats: tuple[Repeat, ...]

    @property
    def ending(self) -> Ending:
        """How it ended over all repeats; what is missing outranks what failed, because gaps are not random."""
        endings = {repeat.ending for repeat in self.repeats}
        for ending in (Ending.MISSING, Ending.FAILED):
            if ending in endings:
                return ending
        return Ending.PASSED

    def passes(self) -> Proportion:
        """Repeats that passed, of those that were measured."""
        measured = [repeat for repeat in self.repeats if repeat.verdict is not None]
        return proportion(sum(repeat.ending is Ending.PASSED for repeat in measured), len(measured))


@dataclass(frozen=True)
class Outcome:
    """All that `eval` answers."""

    judge: str
    matcher: Matcher
    max_steps: int
    clock: datetime | None
    fail_under: float
    cases: tuple[CaseOutcome, ...]
    mode: Mode = Mode.STATIC
    url: str | None = None
    """Of the page, where there is one."""
    stamps: Stamps | None = None
    """What it was made with."""

    def rate(self, request: str | None = None) -> Proportion:
        """Cases that passed in every repeat, of those measured in every repeat: a case counts once.

        `request`: only those that are `direct` or `ambiguous`.
        """
        counted = [
            each.ending
            for each in self.cases
            if each.ending is not Ending.MISSING and (request is None or each.case.request == request)
        ]
        return proportion(counted.count(Ending.PASSED), len(counted))

    def requests(self) -> dict[str, Proportion]:
        """The rate of direct and of ambiguous requests, where there are cases that say which they are."""
        kinds = [kind for kind in ("direct", "ambiguous") if any(each.case.request == kind for each in self.cases)]
        return {kind: self.rate(kind) for kind in kinds}

    def broken(self) -> Counter[Constraint]:
        """In how many repeats each constraint broke."""
        return Counter(
            constraint
            for each in self.cases
            for repeat in each.repeats
            if repeat.verdict is not None
            for constraint in {violation.constraint for violation in repeat.verdict.violations}
        )

    def after_failure(self) -> dict[AfterFailure, Proportion]:
        """Of the repeats in which a call failed, the share that went on in each way; empty when none failed.

        With more than one repeat these are no independent trials, and the interval is a floor.
        """
        ways = Counter(
            repeat.after_failure
            for each in self.cases
            for repeat in each.repeats
            if repeat.verdict is not None and repeat.after_failure is not None
        )
        return {way: proportion(ways[way], ways.total()) for way in AfterFailure} if ways else {}

    def missing(self) -> Iterator[tuple[CaseOutcome, Repeat]]:
        """Every repeat without a measurement."""
        return ((each, repeat) for each in self.cases for repeat in each.repeats if repeat.verdict is None)

    @property
    def exit_code(self) -> int:
        """0 good, 1 the rate is under the gate, 2 a measurement is missing, which outranks 1."""
        if any(each.ending is Ending.MISSING for each in self.cases) or not self.cases:
            return 2
        rate = self.rate().rate
        return 0 if rate is not None and rate >= self.fail_under else 1


def by_suite(cases: Sequence[CaseOutcome]) -> dict[str, list[CaseOutcome]]:
    """The cases of each suite, in their order."""
    suites: dict[str, list[CaseOutcome]] = {}
    for each in cases:
        suites.setdefault(each.suite, []).append(each)
    return suites
