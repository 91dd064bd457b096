"""The folder of a run of rates, opened for reading: its plan, its sets, its trials so far."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from census.errors import CensusError
from measure.judges.judge import ToolOffer, Usage
from measure.rates.rate_plan import RatePlan
from measure.rates.trial import Trial, TrialKey
from measure.utterances.digest import digest_of
from measure.utterances.utterance_set import UtteranceSet, read_set

PLAN, TRIALS, MANIFESTS, SETS = "plan.json", "trials.jsonl", "manifests.jsonl", "sets"
_Row = TypeVar("_Row", bound=BaseModel)


class OfferedTool(BaseModel):
    """A tool as the judge was shown it, and what the page says of it besides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str
    input_schema: JsonValue
    annotations: dict[str, bool] | None
    frame: str

    def offer(self) -> ToolOffer:
        """The tool as a judge and the floors take it."""
        return ToolOffer(self.name, self.description, self.input_schema)


class OfferedManifest(BaseModel):
    """The tools that judges were offered in some trials, by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    """SHA-256 of the tools."""
    tools: tuple[OfferedTool, ...]


@dataclass(frozen=True)
class RateRun:
    """A run as its folder has it."""

    folder: Path
    plan: RatePlan
    sets: Mapping[str, UtteranceSet]
    """By `name version`."""
    manifests: Mapping[str, tuple[OfferedTool, ...]]
    """By digest."""
    trials: tuple[Trial, ...]
    """The last record of each planned trial that has one, in the order of the plan. A trial that was missing and was
    made again when the run was resumed is here once, as it ended."""
    usage: Usage
    """What the judge took in every trial, also in those that were made again, as far as its endpoint said."""

    @cached_property
    def planned(self) -> tuple[TrialKey, ...]:
        """Every trial that there has to be, in the order of the plan."""
        return tuple(self.plan.trials())

    @cached_property
    def not_made(self) -> tuple[TrialKey, ...]:
        """Planned trials without any record: the run did not get to them."""
        made = {trial.key for trial in self.trials}
        return tuple(key for key in self.planned if key not in made)

    @property
    def missing(self) -> Mapping[str, int]:
        """How many measurements are missing, by cause; those that the run did not get to are in `not_made`."""
        return Counter(str(trial.missing) for trial in self.trials if trial.missing is not None)

    @property
    def complete(self) -> bool:
        """Whether every planned trial ended in an outcome. Only then is a rate a rate: gaps are not random."""
        return not self.not_made and not self.missing


def read_rate_run(folder: Path) -> RateRun:
    """Read a run, finished or not; a last line that was torn by a crash is left out.

    Raises CensusError for a folder that is no run of rates, and for one that is damaged.
    """
    plan = read_plan(folder)
    sets = {}
    for planned in plan.sets:
        utterances = read_set(folder / SETS / planned.file)
        if digest_of(utterances) != planned.digest:
            raise CensusError(
                f"{folder / SETS / planned.file} is not the set that was measured with: restore it, or measure again"
            )
        sets[planned.id] = utterances
    manifests = {each.digest: each.tools for each in _rows(folder / MANIFESTS, OfferedManifest)}
    every = _rows(folder / TRIALS, Trial)
    last = {trial.key: trial for trial in every}
    trials = tuple(last[key] for key in plan.trials() if key in last)
    foreign = next((trial for trial in last.values() if trial.run != plan.run), None)
    if foreign is not None or len(trials) < len(last):
        raise CensusError(f"{folder / TRIALS} holds trials of another run: restore it, or measure again")
    used = [trial.usage for trial in every if trial.usage is not None]
    usage = Usage(sum(each.input_tokens for each in used), sum(each.output_tokens for each in used))
    return RateRun(folder, plan, sets, manifests, trials, usage)


def read_plan(folder: Path) -> RatePlan:
    """Read a run's plan. Raises CensusError when there is none, or none that this version reads."""
    try:
        return RatePlan.model_validate_json((folder / PLAN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CensusError(
            f"{folder} is no run of rates: it has no {PLAN}; make one with `webmcp-census rate`"
        ) from None
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise CensusError(
            f"{folder / PLAN} is no plan as this version has them ({_said(error)}): restore it, or measure again"
        ) from error


def _rows(path: Path, kind: type[_Row]) -> list[_Row]:
    """Read a file of JSON lines; none when it is not there. Only a last line without its end may be torn."""
    try:
        *whole, _torn = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}") from error
    rows = []
    for number, line in enumerate(whole, 1):
        try:
            rows.append(kind.model_validate_json(line))
        except ValidationError as error:
            raise CensusError(
                f"{path}:{number} is no {kind.__name__.lower()} as this version has them ({_said(error)}): "
                "restore it, or measure again"
            ) from error
    return rows


def _said(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg'].lower()}"
