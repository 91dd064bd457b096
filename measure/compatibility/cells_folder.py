"""The folder of a compatibility run: a file for each cell, whole or not there, so that a run goes on where it was."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from census.atomic import write_whole
from census.errors import CensusError
from census.folder_lock import held
from measure.browsers.build import Build
from measure.compatibility.behaviour import Behaviour
from measure.compatibility.cell import Cell, question_digest

_CELLS, _BUILDS, _LOCK = "cells", "builds", ".lock"
_Model = TypeVar("_Model", bound=BaseModel)


class Measured(BaseModel):
    """A build that was asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    build: Build
    executable_sha256: str


class CellsFolder(NamedTuple):
    """`DIR` of `compat --out DIR`."""

    folder: Path

    def held(self) -> AbstractContextManager[None]:
        """Hold the folder for this process, as two runs in one would ask everything twice.

        Raises CensusError when another one holds it, or it can't be written.
        """
        return held(self.folder, _LOCK, "run")

    def begin(self, measured: Measured) -> None:
        """Note a build that is going to be asked.

        Raises CensusError when the folder can't be written, or has another build under this label.
        """
        path = self.folder / _BUILDS / f"{measured.build.label}.json"
        have = _read(path, Measured)
        if have is not None and have.executable_sha256 != measured.executable_sha256:
            raise CensusError(
                f"{self.folder} has answers of another {have.build.label} ({have.build.version});"
                " name another --out, or give the browser another label: --browser NAME=PATH"
            )
        write_file(path, measured.model_dump_json(indent=1) + "\n")

    def builds(self) -> tuple[Build, ...]:
        """The builds that were asked, as far as noted; in no order of meaning."""
        files = sorted((self.folder / _BUILDS).glob("*.json"))
        return tuple(measured.build for file in files if (measured := _read(file, Measured)))

    def write(self, cell: Cell) -> None:
        """Keep a cell. Raises CensusError when the folder can't be written."""
        write_file(self._path(cell.build, cell.behaviour), cell.model_dump_json(indent=1) + "\n")

    def read(self, build: Build, behaviour: Behaviour) -> Cell | None:
        """A cell; None when the question was not asked yet, or was another one when it was."""
        cell = _read(self._path(build.label, behaviour.id), Cell)
        return cell if cell is not None and cell.asked == question_digest(behaviour) else None

    def cells(self, build: Build, behaviours: Iterable[Behaviour]) -> dict[str, Cell]:
        """The cells of a build, by behaviour, as far as they are there."""
        return {behaviour.id: cell for behaviour in behaviours if (cell := self.read(build, behaviour))}

    def _path(self, build: str, behaviour: str) -> Path:
        return self.folder / _CELLS / build / f"{behaviour}.json"


def _read(path: Path, model: type[_Model]) -> _Model | None:
    try:
        return model.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise CensusError(f"{path} is damaged; delete it, and it is asked again") from error


def write_file(path: Path, text: str) -> None:
    """Write a file of the folder. Raises CensusError when it can't be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise CensusError(f"{path} cannot be written: {error.strerror}; name another --out") from error
