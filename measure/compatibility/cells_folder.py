"""The folder of a compatibility run: a file for each cell, whole or not there, so that a run goes on where it was."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
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

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder for this process, as two runs in one would ask everything twice.

        Raises CensusError when another one holds it, or it can't be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / _LOCK).open("w")
        except OSError as error:
            raise CensusError(f"{self.folder} cannot be written: {error.strerror}; name another --out") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise CensusError(f"{self.folder} is in use by another run; wait, or name another --out") from None
            yield

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
        write_whole(path, measured.model_dump_json(indent=1) + "\n")

    def builds(self) -> tuple[Build, ...]:
        """The builds that were asked, as far as noted; in no order of meaning."""
        files = sorted((self.folder / _BUILDS).glob("*.json"))
        return tuple(measured.build for file in files if (measured := _read(file, Measured)))

    def write(self, cell: Cell) -> None:
        """Keep a cell. Raises CensusError when the folder can't be written."""
        write_whole(self._path(cell.build, cell.behaviour), cell.model_dump_json(indent=1) + "\n")

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


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises CensusError when it can't be written."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise CensusError(f"{path} cannot be written: {error.strerror}; name another --out") from error
