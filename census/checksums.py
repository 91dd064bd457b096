"""SHA256SUMS: every file of a release but itself, as `sha256sum --check` reads it."""

import hashlib
from pathlib import Path, PurePosixPath

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


def parse_checksums(content: bytes) -> dict[str, str]:
    """Read the list: SHA-256 in hex by relative path. Raises ValueError for what is no such list.

    A path that leads out of the folder is none: the list may come from a place that others write to.
    """
    listed = {path: digest for digest, path in (line.split("  ", 1) for line in content.decode("utf-8").splitlines())}
    for path in listed:
        if not is_below(path):
            raise ValueError(f"{path!r} is no path below the folder")
    return listed


def is_below(path: str) -> bool:
    """Whether a relative path stays below the folder that it is taken from."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\\" not in path


def read_checksums(folder: Path) -> dict[str, str]:
    """The list of a release folder. Raises CensusError when there is no readable one."""
    try:
        return parse_checksums((folder / CHECKSUMS).read_bytes())
    except (OSError, ValueError) as error:
        raise CensusError(f"{folder / CHECKSUMS} cannot be read ({error}); build the release again") from error


def wrong_files(folder: Path) -> list[str]:
    """Say of each file that is missing, changed or not listed what is wrong with it.

    Raises CensusError when there is no readable list.
    """
    listed = read_checksums(folder)
    there = set(files_of(folder)) - {CHECKSUMS}
    return [
        *(f"{path} is missing" for path in sorted(listed.keys() - there)),
        *(f"{path} is not in {CHECKSUMS}" for path in sorted(there - listed.keys())),
        *(f"{path} was changed" for path in sorted(listed.keys() & there) if sha256_of(folder / path) != listed[path]),
    ]
