"""SHA256SUMS: every file of a release but itself, as `sha256sum --check` reads it."""

import hashlib
from pathlib import Path

from census.errors import CensusError

CHECKSUMS = "SHA256SUMS"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_of(folder: Path) -> list[str]:
    """Every file below a folder, as sorted relative paths with `/`."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def write_checksums(folder: Path) -> None:
    """Write the checksums of all files that are there."""
    sums = (f"{sha256_of(folder / path)}  {path}\n" for path in files_of(folder) if path != CHECKSUMS)
    (folder / CHECKSUMS).write_text("".join(sums), encoding="utf-8", newline="\n")


def wrong_files(folder: Path) -> list[str]:
    """Say of each file that is missing, changed or not listed what is wrong with it.

    Raises CensusError when there is no readable list.
    """
    try:
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
        listed = {path: digest for digest, path in (line.split("  ", 1) for line in lines)}
    except (OSError, ValueError) as error:
        raise CensusError(f"{folder / CHECKSUMS} cannot be read ({error}); build the release again") from error
    there = set(files_of(folder)) - {CHECKSUMS}
    return [
        *(f"{path} is missing" for path in sorted(listed.keys() - there)),
        *(f"{path} is not in {CHECKSUMS}" for path in sorted(there - listed.keys())),
        *(f"{path} was changed" for path in sorted(listed.keys() & there) if sha256_of(folder / path) != listed[path]),
    ]
