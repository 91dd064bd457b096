"""What a run of evals has measured so far, a line for each repeat, so that it can be interrupted and go on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from census.errors import CensusError
from measure.evals.case import Case
from measure.evals.outcome import Repeat
from measure.judges.judge import Usage

_REPEAT = TypeAdapter(Repeat)

Key = tuple[str, str, int]
"""Suite, place of the case, number of the repeat."""


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    place: str
    number: int = Field(ge=0)
    repeat: Any


@dataclass
class Checkpoint:
    """A file of JSON lines: the conditions of the run, then every repeat that was measured.

    A repeat without a measurement is not kept: it is made again.
    """

    path: Path
    repeats: dict[Key, Repeat] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, conditions: Mapping[str, JsonValue]) -> "Checkpoint":
        """Begin a file, or go on with one that was begun under the same conditions.

        A last line that was torn off by a crash is forgiven, and written again. Raises CensusError for a file that
        is none, or was begun under other conditions, which are named.
        """
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            whole = text[: text.rfind("\n") + 1]
            lines = whole.splitlines()
            checkpoint = cls(path)
            if not lines:
                path.write_text(json.dumps({"conditions": dict(conditions)}) + "\n", encoding="utf-8")
                return checkpoint
            if whole != text:
                path.write_text(whole, encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CensusError(f"{path} cannot be used as a checkpoint: {error}; name another file") from error
        _check(path, lines[0], json.loads(json.dumps(dict(conditions))))
        for number, line in enumerate(lines[1:], start=2):
            try:
                read = _Line.model_validate_json(line)
                repeat = _REPEAT.validate_json(json.dumps(read.repeat))
            except ValidationError as error:
                said = error.errors()[0]["msg"]
                raise CensusError(f"{path}, line {number}: no repeat of an eval ({said}); begin another file") from None
            checkpoint.repeats[read.suite, read.place, read.number] = repeat
        return checkpoint

    def spent(self) -> Usage:
        """What the judge took for the repeats that are kept: a budget is the run's."""
        runs = [each.run for each in self.repeats.values() if each.run is not None]
        return Usage(sum(run.input_tokens for run in runs), sum(run.output_tokens for run in runs))

    def get(self, suite: str, case: Case, number: int) -> Repeat | None:
        """The repeat that was measured before, if it was."""
        return self.repeats.get((suite, case.place, number))

    def add(self, suite: str, case: Case, number: int, repeat: Repeat) -> None:
        """Keep a repeat. Raises CensusError when it cannot be written."""
        if repeat.verdict is None:
            return
        kept = _REPEAT.dump_python(repeat, mode="json")
        line = {"suite": suite, "place": case.place, "number": number, "repeat": kept}
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise CensusError(f"{self.path} cannot be written: {error.strerror}; free some space, run again") from error


def _check(path: Path, first: str, conditions: Mapping[str, JsonValue]) -> None:
    try:
        begun = json.loads(first)["conditions"]
        names = begun.keys() | conditions.keys()
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CensusError(f"{path} is no checkpoint of evals; name another file") from None
    other = sorted(name for name in names if begun.get(name) != conditions.get(name))
    if other:
        raise CensusError(
            f"{path} was begun under other conditions ({', '.join(other)}); use the same ones, or another file"
        )
