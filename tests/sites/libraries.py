"""Libraries that gold pages load: npm brings them when they are first wanted, and they never stand in the repository.

`libraries.json` pins each version with the integrity that its registry states; what does not match it is not served.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache" / "libraries"
_BRINGING = threading.Lock()
_MINUTES = 3


class LibraryError(Exception):
    """A library could not be had, or is not the one that is pinned."""


@dataclass(frozen=True)
class Library:
    """One file of one version of a package."""

    package: str
    version: str
    file: str
    integrity: str

    @property
    def name(self) -> str:
        """As npm writes it: `@scope/name@1.2.3`."""
        return f"{self.package}@{self.version}"

    @property
    def tarball(self) -> Path:
        """Where the package is kept once it is here."""
        return CACHE / f"{self.package.replace('@', '').replace('/', '-')}-{self.version}.tgz"


LIBRARIES: dict[str, Library] = {
    library.name: library
    for library in (Library(**entry) for entry in json.loads(Path(__file__).with_suffix(".json").read_text()))
}
"""The pinned libraries by name."""


def why_unavailable() -> str | None:
    """Why the libraries cannot be had on this machine; None when they can."""
    if shutil.which("npm") is None and not all(library.tarball.is_file() for library in LIBRARIES.values()):
        return (
            "npm is not installed, and the libraries that these pages load come from it (Debian: apt-get install npm)"
        )
    return None


def bring() -> None:
    """Have all libraries here. Raises LibraryError at the first that cannot be had."""
    for name in LIBRARIES:
        source_of(name)


@cache
def source_of(name: str) -> str:
    """The text of a pinned library. Raises LibraryError when npm fails or the package is another one."""
    library = LIBRARIES[name]
    with _BRINGING:
        if not library.tarball.is_file():
            _bring(library)
    return source_in(library, library.tarball.read_bytes())


def source_in(library: Library, packed: bytes) -> str:
    """The library's text in its package. Raises LibraryError when the package does not have the pinned integrity."""
    found = "sha512-" + base64.b64encode(hashlib.sha512(packed).digest()).decode()
    if found != library.integrity:
        raise LibraryError(f"{library.name} has the integrity {found}, pinned is {library.integrity}")
    with tempfile.SpooledTemporaryFile() as file:
        file.write(packed)
        file.seek(0)
        with tarfile.open(fileobj=file) as package:
            member = package.extractfile(f"package/{library.file}")
            if member is None:
                raise LibraryError(f"{library.name} has no file {library.file}")
            return member.read().decode()


def _bring(library: Library) -> None:
    """Put the package into the cache, from the registry that npm is configured for."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        command = ["npm", "pack", "--silent", "--pack-destination", folder, library.name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60 * _MINUTES, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LibraryError(f"{' '.join(command)}: {error}") from error
        packed = list(Path(folder).glob("*.tgz"))
        if done.returncode != 0 or len(packed) != 1:
            raise LibraryError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()[-500:]}")
        packed[0].replace(library.tarball)
