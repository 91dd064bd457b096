"""Small releases for tests of the places: a few files with a manifest and checksums, made in milliseconds."""

from datetime import UTC, datetime
from pathlib import Path

from census.checksums import files_of, write_checksums
from census.columns import SCHEMA_VERSION
from census.manifest import Manifest, SourceRun
from census.release_folder import sign_release
from publish.payload import Payload, read_payload

_NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)
OLD, NEW = "2026.10.0", "2026.11.0"
_HEADER = "---\nlicense: cc-by-4.0\n---\n"


def small_release(folder: Path, release_version: str, text: str = "first") -> Payload:
    """A release whose bytes follow from its version and `text`."""
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "pages.parquet").write_bytes(f"rows of {text}\n".encode() * 200)
    (folder / "data" / "tools.parquet").write_bytes(b"the same in all of them\n" * 100)
    (folder / "README.md").write_text(f"{_HEADER}# {release_version}, {text}\n")
    run = SourceRun(
        run_id="0000abcd", created_at=_NOON, code_version="0.1.0", targets_name="list.txt", targets_sha256="ab" * 32,
        targets_read={}, targets=1, unfinished=0,
    )  # fmt: skip
    manifest = Manifest(
        release_version=release_version, schema_version=SCHEMA_VERSION, code_version="0.1.0", partial=False, targets=1,
        unfinished=0, outcomes={"captured": 1}, visited_from=_NOON, visited_to=_NOON, builds=(),
        settings={}, runs=(run,),
    )  # fmt: skip
    sign_release(folder, manifest, {"data/pages.parquet": 1})
    return read_payload(folder)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by path."""
    return {path: (folder / path).read_bytes() for path in files_of(folder)}


def sign_again(folder: Path) -> Payload:
    """The release after a change of its files."""
    write_checksums(folder)
    return read_payload(folder)
