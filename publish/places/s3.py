"""An object store that speaks S3: PREFIX/VERSION/… and PREFIX/latest.json.

There is no transaction over several objects, so their order makes one. `SHA256SUMS` goes first and only where none is
(`If-None-Match: *`): it claims the version for these bytes and no others. Every other file follows in the same way,
with its SHA-256 for the store to compare; what an earlier try left is not sent again. All of it is read back.
`manifest.json` goes last: a version that has it is complete. `latest.json` is then replaced only if it is the one that
was read (`If-Match`).
"""

import hashlib
from pathlib import Path

from census.checksums import CHECKSUMS, parse_checksums
from census.errors import CensusError
from census.manifest import MANIFEST
from publish.latest import LATEST, Latest, latest_of, parse_latest
from publish.payload import Payload, PublishedFile
from publish.places.s3_objects import ATTEMPTS, S3Objects, pause
from publish.publication import Publication, Status, VersionTakenError, publication
from publish.release_version import moves

_CREATE_ONLY = {"IfNoneMatch": "*"}


class S3Place:
    """Publishes below a prefix of a bucket."""

    def __init__(self, bucket: str, prefix: str) -> None:
        """Raises CensusError when the bucket cannot be reached."""
        self._objects = S3Objects(bucket)
        self._prefix = f"{prefix}/" if prefix else ""

    def plan(self, payload: Payload) -> Publication:
        """Say what `publish` would do; changes nothing. Raises CensusError as that does."""
        self._refuse_others(payload)
        missing = self._missing(payload)
        status = Status.WOULD_PUBLISH if missing else Status.ALREADY_PUBLISHED
        return self._said(status, payload, len(missing), self._latest())

    def publish(self, payload: Payload) -> Publication:
        """Send the version, then let `latest.json` point to it unless it points to a later one.

        Raises VersionTakenError when the version is there, or was begun, with other bytes, and CensusError when the
        store refuses or does not answer; what was sent stays for the next try, and no reader takes it for a version.
        """
        claimed = self._put(payload, payload.sums)
        if not claimed:
            self._refuse_others(payload)
        sent, made = int(claimed), False
        missing = self._missing(payload)
        if missing:
            sent += sum(self._create(payload, file) for file in missing if file is not payload.manifest)
            for file in payload.contents:
                self._read_back(payload, file)
            made = self._create(payload, payload.manifest)
            self._read_back(payload, payload.manifest)
        latest = self._move_latest(payload)
        status = Status.PUBLISHED if made else Status.ALREADY_PUBLISHED
        return self._said(status, payload, sent + made, latest)

    def latest(self) -> str | None:
        """The version that `latest.json` points to; None when nothing is published."""
        latest = self._latest()
        return latest.release_version if latest else None

    def fetch_latest(self, into: Path) -> str | None:
        """Load the latest version into `into`, which must not exist; returns its version, None when there is none."""
        latest = self._latest()
        if latest is None:
            return None
        base = f"{self._prefix}{latest.path}"
        sums = self._read(base + CHECKSUMS)
        try:
            paths = sorted(parse_checksums(sums or b""))
        except ValueError as error:
            raise CensusError(f"{self._objects.name(base)}{CHECKSUMS} cannot be read ({error}); publish anew") from None
        into.mkdir(parents=True)
        (into / CHECKSUMS).write_bytes(sums or b"")
        for path in paths:
            (into / path).parent.mkdir(parents=True, exist_ok=True)
            with (into / path).open("wb") as file:
                for chunk in self._objects.chunks(base + path):
                    file.write(chunk)
        return latest.release_version

    def _said(self, status: Status, payload: Payload, sent: int, latest: Latest | None) -> Publication:
        place = self._objects.name(self._key(payload, ""))
        return publication(status, payload, place, sent=sent, latest=latest.release_version if latest else None)

    def _key(self, payload: Payload, path: str) -> str:
        return f"{self._prefix}{payload.release_version}/{path}"

    def _refuse_others(self, payload: Payload) -> None:
        """Raises VersionTakenError when the version is claimed for other bytes."""
        sums = self._read(self._key(payload, CHECKSUMS))
        if sums is not None and not payload.is_the_same_as(sums):
            complete = self._read(self._key(payload, MANIFEST)) is not None
            place = self._objects.name(self._prefix).rstrip("/")
            raise VersionTakenError(place, payload.release_version, complete=complete)

    def _missing(self, payload: Payload) -> list[PublishedFile]:
        """The files that are not there. Raises CensusError when one is there with other bytes, or is none of these."""
        base = self._key(payload, "")
        there = self._objects.keys(base)
        for key in sorted(there - {base + file.path for file in payload.files}):
            raise CensusError(f"{self._objects.name(key)} is no file of this release; take it away, then publish again")
        for file in payload.files:
            if base + file.path in there and self._objects.sha256(base + file.path) != file.sha256:
                raise self._damaged(base + file.path)
        return [file for file in payload.files if base + file.path not in there]

    def _create(self, payload: Payload, file: PublishedFile) -> bool:
        """Write a file that was not there; False when another publisher of the same bytes was quicker."""
        made = self._put(payload, file)
        if not made and self._objects.sha256(self._key(payload, file.path)) != file.sha256:
            raise self._damaged(self._key(payload, file.path))
        return made

    def _put(self, payload: Payload, file: PublishedFile) -> bool:
        with file.source.open("rb") as body:
            return self._objects.put(self._key(payload, file.path), body, file.sha256, **_CREATE_ONLY)

    def _read_back(self, payload: Payload, file: PublishedFile) -> None:
        """Load a file as a reader would. Raises CensusError when it is not what was sent."""
        key = self._key(payload, file.path)
        if self._objects.sha256_sent(key) != file.sha256:
            raise self._damaged(key)

    def _move_latest(self, payload: Payload) -> Latest:
        key, new = self._prefix + LATEST, latest_of(payload)
        content = new.content()
        for attempt in range(ATTEMPTS):
            there = self._objects.read(key)
            now = parse_latest(there[0], self._objects.name(key)) if there else None
            if now and not moves(now.release_version, new.release_version):
                return now
            condition = {"IfMatch": there[1]} if there else _CREATE_ONLY
            if self._objects.put(key, content, hashlib.sha256(content).hexdigest(), **condition):
                return new
            pause(attempt)
        raise CensusError(
            f"{self._objects.name(key)} changed {ATTEMPTS} times meanwhile; the version is there, run the same command"
            " again to make it the latest"
        )

    def _latest(self) -> Latest | None:
        content = self._read(self._prefix + LATEST)
        return None if content is None else parse_latest(content, self._objects.name(self._prefix + LATEST))

    def _read(self, key: str) -> bytes | None:
        there = self._objects.read(key)
        return there[0] if there else None

    def _damaged(self, key: str) -> CensusError:
        return CensusError(f"{self._objects.name(key)} is not what was to be there; take it away, then publish again")
