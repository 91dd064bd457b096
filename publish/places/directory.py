"""A directory: PATH/VERSION/ and PATH/latest.json.

A version is made as a draft beside its place, synced to the disk, and put there by one `rename`, which POSIX makes
fail (ENOTEMPTY or EEXIST) when a directory that is not empty has the name. A draft is named by the bytes that it will
have, and held by a lock that ends with its process: who comes later with the same bytes takes over what a killed
publisher left.
"""

import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from census.atomic import sync, write_whole
from census.checksums import CHECKSUMS, sha256_of, wrong_files
from census.errors import CensusError
from publish.latest import LATEST, latest_of, parse_latest
from publish.payload import Payload, PublishedFile
from publish.publication import Publication, Status, VersionTakenError, publication
from publish.release_version import moves

_TAKEN = {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}
_CHUNK = 1 << 20


class DirectoryPlace:
    """Publishes into a directory, which is made when it is missing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def plan(self, payload: Payload) -> Publication:
        """Say what `publish` would do; changes nothing. Raises CensusError as that does."""
        there = self._holds(payload)
        if there:
            return self._said(Status.ALREADY_PUBLISHED, payload)
        return self._said(Status.WOULD_PUBLISH, payload, sent=len(payload.files))

    def publish(self, payload: Payload) -> Publication:
        """Put the version there, then let `latest.json` point to it unless it points to a later one.

        Raises VersionTakenError when the version is there with other bytes, and CensusError when the directory cannot
        be written to or the release changes meanwhile; what was there is as it was.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            sent = None if self._holds(payload) else self._put(payload)
            self._move_latest(payload)
        except OSError as error:
            raise CensusError(
                f"{self._folder} cannot be written to: {error.strerror or error}; what is published there is as it"
                " was, run the same command again when there is room and leave"
            ) from error
        if sent is None:
            return self._said(Status.ALREADY_PUBLISHED, payload)
        return self._said(Status.PUBLISHED, payload, sent=sent)

    def latest(self) -> str | None:
        """The version that `latest.json` points to; None when nothing is published."""
        try:
            content = (self._folder / LATEST).read_bytes()
        except FileNotFoundError:
            return None
        return parse_latest(content, str(self._folder / LATEST)).release_version

    def fetch_latest(self, into: Path) -> str | None:
        """Copy the latest version to `into`, which must not exist; returns its version, None when there is none."""
        latest = self.latest()
        if latest is not None:
            shutil.copytree(self._folder / latest, into)
        return latest

    def _said(self, status: Status, payload: Payload, sent: int = 0) -> Publication:
        place = str(self._folder / payload.release_version)
        return publication(status, payload, place, sent=sent, latest=self.latest())

    def _holds(self, payload: Payload) -> bool:
        """Whether the version is there with these bytes. Raises VersionTakenError when it is with others."""
        version = self._folder / payload.release_version
        if not version.exists():
            return False
        sums = version / CHECKSUMS
        if not sums.is_file() or not payload.is_the_same_as(sums.read_bytes()):
            raise VersionTakenError(str(self._folder), payload.release_version)
        wrong = wrong_files(version)
        if wrong:
            raise CensusError(f"{version} is damaged: {wrong[0]}; take it away, then publish again")
        return True

    def _put(self, payload: Payload) -> int | None:
        """Make the version; None when another publisher of the same bytes was quicker."""
        draft = self._folder / f".{payload.release_version}.{payload.sums.sha256[:16]}.draft"
        with _held(draft):
            try:
                sent = None if self._holds(payload) else self._fill_and_place(draft, payload)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
            if sent is None:
                shutil.rmtree(draft)
        self._clear_drafts(payload.release_version)
        return sent

    def _fill_and_place(self, draft: Path, payload: Payload) -> int | None:
        sent = sum(_copy(file, draft) for file in payload.files)
        for folder in sorted({(draft / file.path).parent for file in payload.files} | {draft}):
            sync(folder)
        try:
            draft.rename(self._folder / payload.release_version)
        except OSError as error:
            if error.errno in _TAKEN and self._holds(payload):
                return None
            raise
        sync(self._folder)
        return sent

    def _clear_drafts(self, release_version: str) -> None:
        """Take away what killed publishers of other bytes left of a version that they can no longer have."""
        for draft in self._folder.glob(f".{release_version}.*.draft"):
            with _lock(draft, wait=False) as mine:
                if mine:
                    shutil.rmtree(draft, ignore_errors=True)

    def _move_latest(self, payload: Payload) -> None:
        with _lock(self._folder):
            if not moves(self.latest(), payload.release_version):
                return
            for left_by_one_that_was_killed in self._folder.glob(f".{LATEST}.*.draft"):
                left_by_one_that_was_killed.unlink()
            write_whole(self._folder / LATEST, latest_of(payload).content())


def _copy(file: PublishedFile, draft: Path) -> bool:
    """Copy a file to the disk itself; False when it was there already. Raises CensusError when it is not as listed."""
    target = draft / file.path
    if target.is_file() and sha256_of(target) == file.sha256:
        sync(target)
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with file.source.open("rb") as source, target.open("wb") as copy:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            copy.write(chunk)
        copy.flush()
        os.fsync(copy.fileno())
    if digest.hexdigest() != file.sha256 or sha256_of(target) != file.sha256:
        raise CensusError(f"{file.source} is not what {CHECKSUMS} says; build the release again")
    return True


@contextmanager
def _held(draft: Path) -> Iterator[None]:
    """Have a draft to oneself; waits for another publisher of the same bytes."""
    while True:
        # Not `exist_ok`, which looks whether a directory is there: it may have been put in its place by then.
        with suppress(FileExistsError):
            draft.mkdir()
        with _lock(draft) as mine:
            # The one that was waited for may have put the draft in its place meanwhile.
            if mine and draft.exists():
                yield
                return


@contextmanager
def _lock(folder: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold a folder's lock while the process lives; False when it is gone or, without waiting, another's."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        yield False
        return
    try:
        yield _taken(descriptor, wait=wait) and _is_still(folder, descriptor)
    finally:
        os.close(descriptor)


def _taken(descriptor: int, *, wait: bool) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _is_still(folder: Path, descriptor: int) -> bool:
    """Whether the name still means what was opened: a draft gets another one when it is put in its place."""
    try:
        return folder.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False
