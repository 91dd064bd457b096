"""What leaves the house: the files of one release, each with the digest that it must have when it arrives."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from census.checksums import CHECKSUMS, parse_checksums, read_checksums, sha256_of
from census.errors import CensusError
from census.manifest import MANIFEST, read_manifest
from publish.release_version import version_key


class PublishedFile(NamedTuple):
    """A file of a release."""

    path: str
    """Relative to the release folder, with `/`."""
    source: Path
    bytes: int
    sha256: str


class Payload(NamedTuple):
    """A release on its way. Its `SHA256SUMS` names every other byte of it, and so says which release it is."""

    folder: Path
    release_version: str
    schema_version: str
    sums: PublishedFile
    """`SHA256SUMS`."""
    manifest: PublishedFile
    """`manifest.json`: a version that has it is complete."""
    contents: tuple[PublishedFile, ...]
    """Every other file."""

    @property
    def files(self) -> tuple[PublishedFile, ...]:
        """All files, in the order in which a place without transactions takes them."""
        return (self.sums, *self.contents, self.manifest)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.bytes for file in self.files)

    def is_the_same_as(self, sums: bytes) -> bool:
        """Whether a `SHA256SUMS` that is there already is that of the same bytes."""
        try:
            return parse_checksums(sums) == {file.path: file.sha256 for file in (*self.contents, self.manifest)}
        except ValueError:
            return False


def read_payload(folder: Path) -> Payload:
    """Read what a release folder says that it holds. Raises CensusError when it is no release.

    Whether the files are what it says is for `release verify`, and for whoever sends them.
    """
    manifest, listed = read_manifest(folder), read_checksums(folder)
    if manifest is None or MANIFEST not in listed:
        raise CensusError(
            f"{folder} is no release of this version of webmcp-census;"
            f" make one with `webmcp-census build RUN --out {folder}`"
        )
    try:
        version_key(manifest.release_version)
    except ValueError as error:
        raise CensusError(f"{folder / MANIFEST}: release version {error}; build the release again") from None
    files = {path: _file(folder, path, listed) for path in sorted(listed)}
    return Payload(
        folder=folder,
        release_version=manifest.release_version,
        schema_version=manifest.schema_version,
        sums=_file(folder, CHECKSUMS, {CHECKSUMS: sha256_of(folder / CHECKSUMS)}),
        manifest=files.pop(MANIFEST),
        contents=tuple(files.values()),
    )


def _file(folder: Path, path: str, digests: Mapping[str, str]) -> PublishedFile:
    try:
        size = (folder / path).stat().st_size
    except OSError as error:
        raise CensusError(f"{folder / path} cannot be read ({error.strerror}); build the release again") from error
    return PublishedFile(path, folder / path, size, digests[path])
