"""Trials and rates on their way into a release: a file for each run of rates in RUN/rates.

`rate report --into RUN` writes it; `build` reads it. `census` knows the rows, not how a trial is made.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from census.atomic import drafted
from census.errors import CensusError

RATES = "rates"


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Measured(_Row):
    """What a trial and a rate have in common: where, with what, by whom."""

    run: str
    page: str
    """The page's URL; of a folder that was served for the measurement, the page's path in it."""
    variant: str
    utterance_set: str
    set_digest: str
    judge: str
    build: str


class TrialRow(_Measured):
    """A judged utterance."""

    utterance: str
    tag: str | None
    control: str | None
    tool: str | None
    session: int
    repeat: int
    offered: int
    """How many tools the judge was shown."""
    calls: list[dict[str, JsonValue]]
    outcome: str
    detail: str
    invoked: bool | None
    false_positive: bool | None
    executed: str | None
    started_at: datetime
    ms: int
    judge_ms: int | None
    input_tokens: int | None
    output_tokens: int | None


class RateRow(_Measured):
    """A tool's rate, or the false positives of one kind of control."""

    measure: str
    name: str
    sessions: int
    repeats: int
    measured_from: datetime
    k: int
    n: int
    rate: float | None
    low: float
    high: float
    quoted_low: float | None = None
    quoted_high: float | None = None
    between_low: float | None = None
    between_high: float | None = None
    between_deviation: float | None = None
    within_low: float | None = None
    within_high: float | None = None
    within_deviation: float | None = None
    floor_lexical: float | None = None
    floor_majority: float | None = None
    floor_random: float | None = None
    direct_k: int | None = None
    direct_n: int | None = None
    ambiguous_k: int | None = None
    ambiguous_n: int | None = None


INVOCATION, FALSE_POSITIVE = "invocation", "false_positive"
"""The values of `RateRow.measure`."""


class RateStamp(_Row):
    """One run of rates; the last line of its file, so that a file without it is not whole."""

    run: str
    created_at: datetime
    code_version: str
    judge: str
    sessions: int
    repeats: int
    seed: int
    spacing_s: float
    execute: bool
    allow_writes: bool
    trials: int
    rates: int


class MeasuredRates(NamedTuple):
    """What one run of rates brings into a release."""

    stamp: RateStamp
    trials: tuple[TrialRow, ...]
    rates: tuple[RateRow, ...]


class _Line(_Row):
    trial: TrialRow | None = None
    rate: RateRow | None = None


def write_rates(folder: Path, measured: MeasuredRates) -> Path:
    """Write a run of rates into a RUN, whole or not at all, in place of an earlier writing of the same one.

    Raises CensusError when it cannot be written.
    """
    path = folder / RATES / f"{measured.stamp.run}.jsonl"
    lines: list[BaseModel] = [_Line(trial=row) for row in measured.trials]
    lines += [_Line(rate=row) for row in measured.rates]
    try:
        path.parent.mkdir(exist_ok=True)
        with drafted(path) as file:
            file.writelines(f"{line.model_dump_json(exclude_defaults=True)}\n" for line in [*lines, measured.stamp])
    except OSError as error:
        raise CensusError(f"{path} cannot be written: {error.strerror}; free the place and do it again") from error
    return path


def read_rates(folders: Sequence[Path]) -> tuple[MeasuredRates, ...]:
    """Read what was measured into RUNs, in the order of the runs' beginnings.

    Raises CensusError for a file that is damaged, and for a run of rates that two RUNs have.
    """
    found: dict[str, tuple[Path, MeasuredRates]] = {}
    for folder in folders:
        for path in sorted((folder / RATES).glob("*.jsonl")):
            measured = _read(path)
            run = measured.stamp.run
            if run in found:
                raise CensusError(f"{path} and {found[run][0]} are one run of rates; remove one of the two")
            found[run] = (path, measured)
    return tuple(sorted((each for _, each in found.values()), key=lambda each: (each.stamp.created_at, each.stamp.run)))


def _read(path: Path) -> MeasuredRates:
    try:
        # Not splitlines(): a text may hold other line ends than ours.
        *lines, last = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        stamp = RateStamp.model_validate_json(last)
        rows = [_Line.model_validate_json(line) for line in lines]
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise CensusError(
            f"{path} is damaged or not whole ({type(error).__name__}); `webmcp-census rate report` with --into writes"
            " it again, or delete it to build without these rates"
        ) from error
    trials = tuple(row.trial for row in rows if row.trial is not None)
    rates = tuple(row.rate for row in rows if row.rate is not None)
    if (len(trials), len(rates)) != (stamp.trials, stamp.rates):
        raise CensusError(f"{path} is not whole: it says {stamp.trials} trials and holds {len(trials)}; write it again")
    return MeasuredRates(stamp, trials, rates)
