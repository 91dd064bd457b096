"""What must hold before a release leaves the house: every gate of `release verify`, and a few of publishing's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from census.checksums import wrong_files
from census.gates.privacy import OPT_OUT
from census.gates.violation import Violation
from census.manifest import read_manifest
from census.opened_release import Release
from census.optout import OptOut
from census.sampled_release import write_with_sample
from census.verification import CHECKSUM, verify_release

PARTIAL = "partial"


@contextmanager
def as_published(folder: Path, *, sample: bool) -> Iterator[Path]:
    """The folder that leaves: the release itself, or a copy beside it that has the sample too.

    Raises CensusError when the folder is no release.
    """
    if not sample:
        yield folder
        return
    with TemporaryDirectory(prefix=f".{folder.name}.sample-", dir=folder.resolve().parent) as place:
        out = Path(place) / folder.name
        write_with_sample(folder, out)
        yield out


def altered_files(folder: Path) -> list[Violation]:
    """The files of a release as it was built that are not what they were: a copy with a sample would sign them anew."""
    return [Violation(CHECKSUM, message) for message in wrong_files(folder)]


def violations_of(folder: Path, optout: OptOut, previous: Release | None) -> list[Violation]:
    """Everything that keeps a release from leaving. Raises CensusError when it is no release, or cannot be read."""
    manifest = read_manifest(folder)
    unfinished = manifest is not None and manifest.partial
    partial = [Violation(PARTIAL, "targets are unfinished: no number stands for the whole list")] if unfinished else []
    return [*partial, *verify_release(folder, optout, previous)]


def way_out(violations: list[Violation], folder: Path) -> str | None:
    """The command that makes a release that may leave, where there is one."""
    if any(violation.rule == OPT_OUT for violation in violations):
        return (
            "A site has opted out since this was built. Make the release without it and publish that one:\n"
            f"  webmcp-census optout apply {folder} --out NEXT"
        )
    return None
