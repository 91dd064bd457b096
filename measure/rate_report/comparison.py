"""Two runs, or two variants of one page, held against each other on the utterances that both have."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from census.errors import CensusError
from measure.rate_report.statistics import observations
from measure.rates.compare import Compared, compare
from measure.rates.observation import Observation
from measure.rates.rate_plan import PlannedPage
from measure.rates.rate_run import RateRun
from measure.rates.trial import Trial

ALL_TOOLS, CONTROLS = "all tools", "controls left alone"
LEVEL = 0.05


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Side(_Part):
    """One side of a comparison."""

    run: str
    name: str
    """As it was named: the folder, and the variant after `#`."""
    page: str
    variant: str
    judge: str
    builds: tuple[str, ...]
    sessions: int
    repeats: int


class ComparedRow(_Part):
    """A tool in A and in B, over the utterances that both have. The unit is an utterance."""

    tool: str
    utterances: int
    rate_a: float
    rate_b: float
    difference: float
    """B less A."""
    low: float
    high: float
    """The difference's 95 % interval: a paired bootstrap over the utterances."""
    only_a: int
    """Utterances that mostly succeed in A only."""
    only_b: int
    p: float
    """McNemar's exact test, two-sided."""
    p_holm: float | None
    """The same for so many tools (Holm); None for the rows over all tools and over the controls."""


class Comparison(_Part):
    """What `rate compare --json` prints."""

    a: Side
    b: Side
    set: str
    seed: int
    """Of the bootstrap."""
    tools: tuple[ComparedRow, ...]
    all_tools: ComparedRow
    controls: ComparedRow | None
    """Utterances are controls here, and success is that nothing was called; None where there was none in both."""
    differs: tuple[str, ...]
    """What is not the same in both besides the rates; one thing, when a comparison is to explain anything."""

    @property
    def worse(self) -> tuple[str, ...]:
        """Tools that are worse in B, by the corrected test."""
        return tuple(row.tool for row in self.tools if row.difference < 0 and _differs_surely(row))

    @property
    def better(self) -> tuple[str, ...]:
        """Tools that are better in B, by the corrected test."""
        return tuple(row.tool for row in self.tools if row.difference > 0 and _differs_surely(row))


def _differs_surely(row: ComparedRow) -> bool:
    return row.p_holm is not None and row.p_holm < LEVEL


@dataclass(frozen=True)
class Part:
    """One page in one variant of a run: what is on a side of a comparison."""

    name: str
    run: RateRun
    page: PlannedPage

    @property
    def trials(self) -> list[Trial]:
        """Its trials."""
        place = (self.page.page, self.page.variant, self.page.set)
        return [trial for trial in self.run.trials if (trial.page, trial.variant, trial.set) == place]


def part_of(run: RateRun, name: str, variant: str | None, page: str | None) -> Part:
    """Find the one page and variant of a run that is meant.

    Raises CensusError when there is none or are several, and when the run is incomplete: its gaps are not random.
    """
    if not run.complete:
        gaps = len(run.not_made) + sum(run.missing.values())
        raise CensusError(f"{name}: {gaps:,} of {len(run.planned):,} trials are missing; finish the run to compare it")
    meant = [each for each in run.plan.pages if variant in (None, each.variant) and page in (None, each.page)]
    if len(meant) == 1:
        return Part(name=name, run=run, page=meant[0])
    known = ", ".join(sorted({f"#{each.variant}" if each.variant else each.page for each in run.plan.pages}))
    said = "several pages or variants are" if meant else "no page or variant is"
    raise CensusError(f"{name}: {said} meant; name one as RUN#VARIANT, or with --page; there are: {known}")


def compared(a: Part, b: Part, seed: int) -> Comparison:
    """Compare two parts. Raises CensusError when they are one, or were not asked the same utterances."""
    if (a.run.folder.resolve(), a.page) == (b.run.folder.resolve(), b.page):
        raise CensusError(f"{a.name} and {b.name} are the same; name two runs, or two variants of one")
    ours, theirs = a.run.sets[a.page.set], b.run.sets[b.page.set]
    if ours.digest != theirs.digest:
        raise CensusError(
            f"{a.name} was asked {a.page.set} ({ours.digest}) and {b.name} {b.page.set} ({theirs.digest});"
            " only rates over the same frozen utterances can be compared"
        )
    of_a, of_b = observations(a.trials), observations(b.trials)
    tools = compare(of_a, of_b, seed)
    if not tools:
        raise CensusError(f"{a.name} and {b.name} have no utterance in common")
    return Comparison(
        a=_side(a),
        b=_side(b),
        set=a.page.set,
        seed=seed,
        tools=tuple(_row(each, each.p_holm) for each in tools),
        all_tools=_row(compare(_as(of_a, ALL_TOOLS), _as(of_b, ALL_TOOLS), seed)[0], None),
        controls=next(
            (_row(each, None) for each in compare(list(_silences(a.trials)), list(_silences(b.trials)), seed)), None
        ),
        differs=tuple(_differs(a, b)),
    )


def _side(part: Part) -> Side:
    plan = part.run.plan
    return Side(
        run=plan.run,
        name=part.name,
        page=part.page.page,
        variant=part.page.variant,
        judge=plan.judge,
        builds=_builds(part),
        sessions=plan.sessions,
        repeats=plan.repeats,
    )


def _builds(part: Part) -> tuple[str, ...]:
    return tuple(sorted({trial.build for trial in part.trials}))


def _as(observations: Sequence[Observation], tool: str) -> list[Observation]:
    return [each._replace(tool=tool) for each in observations]


def _silences(trials: Iterable[Trial]) -> Iterator[Observation]:
    for trial in trials:
        if trial.false_positive is not None:
            yield Observation(CONTROLS, trial.utterance, trial.session, trial.repeat, not trial.false_positive)


def _row(each: Compared, p_holm: float | None) -> ComparedRow:
    return ComparedRow(**{**each._asdict(), "p_holm": p_holm})


def _differs(a: Part, b: Part) -> Iterator[str]:
    ours, theirs = a.run.plan, b.run.plan
    if a.page.page != b.page.page:
        yield f"page: {a.page.page} and {b.page.page}"
    if a.page.variant != b.page.variant:
        yield f"variant: {a.page.variant or 'none'} and {b.page.variant or 'none'}"
    if ours.served and theirs.served and ours.served.digest != theirs.served.digest:
        yield f"the served folder's content: {ours.served.name} and {theirs.served.name}"
    for name in ("judge", "code_version", "sessions", "repeats", "execute", "allow_writes", "visit"):
        one, other = getattr(ours, name), getattr(theirs, name)
        if one != other:
            yield f"{name.replace('_', ' ')}: {one} and {other}"
    if _builds(a) != _builds(b):
        yield f"browser: {', '.join(_builds(a))} and {', '.join(_builds(b))}"
    if ours.run != theirs.run:
        yield f"when it was measured: {ours.created_at:%Y-%m-%d %H:%M} and {theirs.created_at:%Y-%m-%d %H:%M} UTC"


def opened(name: str) -> tuple[Path, str | None]:
    """Read how a side is named: `RUN`, or `RUN#VARIANT`; a folder whose own name has a `#` is that folder."""
    if Path(name).exists():
        return Path(name), None
    folder, sign, variant = name.rpartition("#")
    return (Path(folder), variant) if sign else (Path(name), None)
