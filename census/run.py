"""RUN, the folder of one crawl: its settings, its frontier, and the evidence of its visits."""

import gzip
import hashlib
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from census.atomic import write_whole
from census.errors import CensusError
from census.visit import ControlVisit, Visit
from census.visit_decoding import decode_visit

SETTINGS = "run.json"
FRONTIER = "frontier.sqlite"
_GZIP = 16 + zlib.MAX_WBITS
_OTHER = "it is damaged or of another version of webmcp-census: restore it, use that version, or crawl again"
_FINAL_VISITS = (
    "SELECT visits.visit_id, visits.evidence FROM targets JOIN visits ON visits.visit_id = targets.final_visit "
)


def _said(error: Exception) -> str:
    """What was wrong, in a line; of a record that does not validate, the first thing."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the record'}: {first['msg'].lower()}"


class EvidenceStore:
    """Visit records, compressed and content-addressed: RUN/evidence/ab/abcd….json.gz."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, visit: Visit) -> str:
        """Write the record so that it survives a power cut; returns the SHA-256 of its JSON text, in hex."""
        text = visit.model_dump_json().encode()
        digest = hashlib.sha256(text).hexdigest()
        if not self.has(digest):
            self.keep(digest, gzip.compress(text, compresslevel=6, mtime=0))
        return digest

    def has(self, digest: str) -> bool:
        """Whether a record is there."""
        return self._path(digest).exists()

    def packed(self, digest: str) -> bytes:
        """A record as it is stored. Raises CensusError when it is missing or is not what its name says."""
        self._text(digest)
        return self._path(digest).read_bytes()

    def keep(self, digest: str, packed: bytes) -> None:
        """Write a record that is compressed already, under its digest."""
        path = self._path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, packed)

    def load(self, digest: str) -> Visit:
        """Read a record back. Raises CensusError when it is missing or is not what its name says."""
        return self._read_as(Visit.model_validate_json, digest)

    def decode(self, digest: str) -> Visit:
        """Do the same, faster: to read the visit's attributes and nothing else (see `decode_visit`)."""
        return self._read_as(decode_visit, digest)

    def _read_as(self, decode: Callable[[bytes], Visit], digest: str) -> Visit:
        text = self._text(digest)
        try:
            return decode(text)
        except ValidationError as error:
            raise CensusError(
                f"evidence {self._path(digest)} is no visit as this version has them: {_said(error)}; {_OTHER}"
            ) from error

    def _text(self, digest: str) -> bytes:
        path = f"{self._folder}/{digest[:2]}/{digest}.json.gz"
        try:
            text = zlib.decompress(_read(path), wbits=_GZIP)
        except (OSError, zlib.error) as error:
            raise CensusError(f"evidence {path} cannot be read: {error}; restore it or crawl again") from error
        if hashlib.sha256(text).hexdigest() != digest:
            raise CensusError(f"evidence {path} does not have the digest in its name; restore it or crawl again")
        return text

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.json.gz"


def _read(path: str) -> bytes:
    """The file's content. Millions of records are read, and a path object and a file object cost more than that."""
    file = os.open(path, os.O_RDONLY)
    try:
        return b"".join(iter(lambda: os.read(file, 1 << 16), b""))
    finally:
        os.close(file)


class RunSettings(BaseModel):
    """What a RUN was made with; a crawl that resumes it must have the same `settings` and target list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    """Eight hex digits, drawn when the run was begun; every visit's id starts with it."""
    created_at: datetime
    """UTC, when the run was begun."""
    code_version: str
    targets_sha256: str
    targets_name: str
    """The target list's file name, without its folder."""
    targets_read: dict[str, int]
    """What became of the list's lines: `targets`, `duplicates`, `not_http`, `unreadable`."""
    settings: dict[str, JsonValue]


class Run:
    """RUN opened for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.settings = RunSettings.model_validate_json((folder / SETTINGS).read_text())
        except FileNotFoundError:
            raise CensusError(
                f"{folder} is no RUN: it has no {SETTINGS}; make one with `webmcp-census crawl`"
            ) from None
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            raise CensusError(
                f"{folder / SETTINGS} is not readable as run settings: {_said(error)}; {_OTHER}"
            ) from error
        self.evidence = EvidenceStore(folder / "evidence")

    def targets(self) -> int:
        """How many targets the RUN has, finished or not."""
        with self._frontier() as frontier:
            (count,) = frontier.execute("SELECT COUNT(*) FROM targets WHERE pass = 'main'").fetchone()
        return int(count)

    def unfinished(self) -> int:
        """How many targets have no final outcome yet."""
        with self._frontier() as frontier:
            (count,) = frontier.execute(
                "SELECT COUNT(*) FROM targets WHERE final_visit IS NULL AND pass = 'main'"
            ).fetchone()
        return int(count)

    def observations_unfinished(self) -> int:
        """How many visits of the other passes have no final outcome yet."""
        with self._frontier() as frontier:
            (count,) = frontier.execute(
                "SELECT COUNT(*) FROM targets WHERE final_visit IS NULL AND pass <> 'main'"
            ).fetchone()
        return int(count)

    def final_visits(self) -> Iterator[Visit]:
        """Each finished target's final visit of the main pass, in the order of the target list."""
        for _, digest in self.final_evidence():
            yield self.evidence.decode(digest)

    def final_evidence(self) -> list[tuple[str, str]]:
        """The id and the evidence's digest of each final visit of the main pass, in the order of the target list."""
        return self._final_of("WHERE pass = 'main' ORDER BY targets.id")

    def finished_ids(self) -> list[int]:
        """The ids of the targets that have a final visit of the main pass, in the order of the target list."""
        query = "SELECT id FROM targets WHERE final_visit IS NOT NULL AND pass = 'main' ORDER BY id"
        with self._frontier() as frontier:
            return [id_ for (id_,) in frontier.execute(query)]

    def finals_between(self, first: int, last: int) -> list[tuple[str, str, bool]]:
        """The final visits of the targets with these and the ids in between: id, evidence's digest, vouched."""
        query = (
            "SELECT visits.visit_id, visits.evidence, vouched.visit_id IS NOT NULL FROM targets"
            " JOIN visits ON visits.visit_id = targets.final_visit"
            " LEFT JOIN vouched ON vouched.visit_id = visits.visit_id"
            " WHERE pass = 'main' AND targets.id BETWEEN ? AND ? ORDER BY targets.id"
        )
        with self._frontier() as frontier:
            rows = frontier.execute(query, (first, last)).fetchall()
        return [(visit_id, digest, bool(vouched)) for visit_id, digest, vouched in rows]

    def other_evidence(self) -> list[tuple[str, str]]:
        """The id and the evidence's digest of each final visit of the other passes, by target."""
        return self._final_of("WHERE pass <> 'main' ORDER BY targets.key, pass")

    def finished_keys(self) -> list[str]:
        """The keys of the targets that have a final visit, in the order of the target list."""
        query = "SELECT key FROM targets WHERE final_visit IS NOT NULL AND pass = 'main' ORDER BY id"
        with self._frontier() as frontier:
            return [key for (key,) in frontier.execute(query)]

    def _final_of(self, which: str) -> list[tuple[str, str]]:
        with self._frontier() as frontier:
            return frontier.execute(_FINAL_VISITS + which).fetchall()

    def vouched(self) -> frozenset[str]:
        """The ids of the visits that a good control visit of the same browser followed."""
        with self._frontier() as frontier:
            return frozenset(visit_id for (visit_id,) in frontier.execute("SELECT visit_id FROM vouched"))

    def vouched_among(self, visit_ids: Iterable[str]) -> frozenset[str]:
        """Those of the visits that a good control visit of the same browser followed."""
        query = "SELECT visit_id FROM vouched WHERE visit_id = ?"
        with self._frontier() as frontier:
            return frozenset(id_ for id_ in visit_ids if frontier.execute(query, (id_,)).fetchone())

    def controls(self) -> list[ControlVisit]:
        """Read the control visits, in order."""
        with self._frontier() as frontier:
            rows = frontier.execute("SELECT record FROM controls ORDER BY id").fetchall()
        return [ControlVisit.model_validate_json(record) for (record,) in rows]

    @contextmanager
    def _frontier(self) -> Iterator[sqlite3.Connection]:
        path = self.folder / FRONTIER
        if not path.exists():
            raise CensusError(f"{self.folder} has no {FRONTIER}; run the same `webmcp-census crawl` again")
        try:
            with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as frontier:
                yield frontier
        except sqlite3.DatabaseError as error:
            # SQLite keeps a file beside a database that is read, so a read-only RUN looks like a damaged one.
            what = _OTHER if os.access(self.folder, os.W_OK) else f"{self.folder} is read-only: copy it, use the copy"
            raise CensusError(f"{path} cannot be read: {error}; {what}") from error
