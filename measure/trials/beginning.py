"""The beginning of a run: a folder with its plan and sets, or the one that is there when it has the same plan."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from census.atomic import write_whole
from census.errors import CensusError
from measure.rates.rate_plan import PlannedSet, RatePlan
from measure.rates.rate_run import PLAN, SETS, read_plan
from measure.utterances.utterance_set import UtteranceSet, write_set

_OF_THE_RUN = {"run", "created_at"}


def planned_set(utterances: UtteranceSet, *, may_set_up: bool) -> PlannedSet:
    """A frozen set as a plan names it; what needs setup calls is left out where they may not be made."""
    assert utterances.digest is not None
    put = [each for each in utterances.everything if may_set_up or not each.setup]
    return PlannedSet(
        name=utterances.name,
        version=utterances.version,
        digest=utterances.digest,
        file=f"{utterances.name}-{utterances.version}.json",
        utterances=tuple(each.id for each in put),
        left_out=tuple(each.id for each in utterances.everything if each not in put),
    )


def begin(folder: Path, wanted: RatePlan, sets: Sequence[UtteranceSet]) -> RatePlan:
    """Write a new run's sets and plan, or find the same plan there; gives the plan that the folder has.

    Raises CensusError that names every difference, and when the folder cannot be written.
    """
    if (folder / PLAN).exists():
        have = read_plan(folder)
        _compare(have, wanted, folder)
        return have
    try:
        (folder / SETS).mkdir(parents=True, exist_ok=True)
        for planned, utterances in zip(wanted.sets, sets, strict=True):
            write_set(folder / SETS / planned.file, utterances)
        write_whole(folder / PLAN, wanted.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise CensusError(f"cannot write to {folder}: {error.strerror}; give --out a folder you may write") from error
    return wanted


def _compare(have: RatePlan, wanted: RatePlan, folder: Path) -> None:
    ours, theirs = _plain(have), _plain(wanted)
    differences = [
        f"{name}: the run has {_short(ours.get(name))}, this command {_short(theirs.get(name))}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]
    if differences:
        listed = "\n  ".join(differences)
        raise CensusError(
            f"{folder} was begun otherwise, and what differs must not be mixed into it:\n  {listed}\n"
            "give the same settings to go on with it, or another --out to begin anew"
        )


def _plain(plan: RatePlan) -> dict[str, Any]:
    values = plan.model_dump(mode="json", exclude=_OF_THE_RUN)
    visit = values.pop("visit")
    return {**values, **{f"visit.{name}": value for name, value in visit.items()}}


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + "…"
