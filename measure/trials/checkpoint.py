"""The files that a run grows by while it measures: whole lines, each safe on the disk before the next trial."""

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from census.errors import CensusError
from measure.rates.rate_run import MANIFESTS, TRIALS, OfferedManifest
from measure.rates.trial import Trial


class Checkpoint:
    """Appends to a run's trials and manifests while the `with` block lasts. One writer at a time."""

    def __init__(self, folder: Path, manifests: Iterable[str]) -> None:
        self._folder = folder
        self._known = set(manifests)
        """Digests of the manifests that are in the file already."""

    def __enter__(self) -> Self:
        """Open the files; a torn last line, which a crash left, is taken away first. Raises CensusError."""
        try:
            self._trials = _opened(self._folder / TRIALS)
            self._manifests = _opened(self._folder / MANIFESTS)
        except OSError as error:
            raise CensusError(f"cannot write to {self._folder}: {error.strerror}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the files."""
        self._trials.close()
        self._manifests.close()

    def add(self, trial: Trial, manifest: OfferedManifest | None) -> None:
        """Keep a trial, its manifest before it. Raises CensusError when the disk does not take it."""
        try:
            if manifest is not None and manifest.digest not in self._known:
                _append(self._manifests, manifest.model_dump_json())
                self._known.add(manifest.digest)
            _append(self._trials, trial.model_dump_json())
        except OSError as error:
            raise CensusError(
                f"cannot write to {self._folder}: {error.strerror}; mend that and run the same command again"
            ) from error


def _opened(path: Path) -> BinaryIO:
    file = path.open("ab+")
    file.seek(0)
    text = file.read()
    file.truncate(text.rfind(b"\n") + 1)
    return file


def _append(file: BinaryIO, line: str) -> None:
    file.write(line.encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
