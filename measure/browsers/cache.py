"""Where fetched builds lie: a folder for each, whole and verified or not there at all."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from census.errors import CensusError
from measure.browsers.build import ListedBuild

_MARK = "fetched.json"


def default_cache() -> Path:
    """`$XDG_CACHE_HOME/webmcp-census/browsers`, by default below `~/.cache`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "webmcp-census" / "browsers"


class Cache(NamedTuple):
    """A folder of builds."""

    folder: Path

    def place(self, build: ListedBuild) -> Path:
        """The folder of a build, named after everything that it is made from."""
        return self.folder / f"{build.label}-{build.version}-{_entry_digest(build)[:8]}"

    def executable(self, build: ListedBuild) -> Path | None:
        """The build's executable; None when it was not fetched."""
        place = self.place(build)
        return place / build.executable if (place / _MARK).is_file() else None

    def intact(self, build: ListedBuild) -> bool:
        """Whether it is there and its executable has the digest that it was unpacked with."""
        executable = self.executable(build)
        if executable is None or not executable.is_file():
            return False
        return self.digest(build) == file_digest(executable)

    def digest(self, build: ListedBuild) -> str:
        """The SHA-256 of the executable when it was unpacked. Raises OSError when the build is not there."""
        return (self.place(build) / _MARK).read_text().strip()

    @contextmanager
    def filling(self, build: ListedBuild) -> Iterator[Path]:
        """A folder to unpack a build into; at the end of the block it takes the build's place.

        Raises CensusError when the executable is not in it or the cache can't be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(prefix=f".{build.label}-", dir=self.folder))
        except OSError as error:
            raise CensusError(f"{self.folder} cannot be written: {error.strerror}; name another --cache") from error
        try:
            yield draft
            executable = draft / build.executable
            if not executable.is_file():
                raise CensusError(f"{build.label} has no {build.executable}; correct its entry in the data file")
            executable.chmod(0o755)
            draft.chmod(0o755)
            (draft / _MARK).write_text(file_digest(executable) + "\n")
            place = self.place(build)
            shutil.rmtree(place, ignore_errors=True)
            draft.rename(place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _entry_digest(build: ListedBuild) -> str:
    return hashlib.sha256(build.model_dump_json().encode()).hexdigest()
