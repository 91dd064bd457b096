"""How a publication ended, and why one is refused."""

from enum import StrEnum
from typing import NamedTuple

from census.errors import CensusError
from publish.payload import Payload


class Status(StrEnum):
    """What became of a version at a place."""

    PUBLISHED = "published"
    ALREADY_PUBLISHED = "already_published"
    """The same bytes were there."""
    WOULD_PUBLISH = "would_publish"
    """Nothing is in the way; nothing was sent."""


class Publication(NamedTuple):
    """A version at a place."""

    status: Status
    release_version: str
    place: str
    """Where the version is, or would be."""
    files: int
    bytes: int
    sent: int
    """Files that had to be sent; the others were there with the right digest."""
    latest: str | None
    """The version that `latest` points to; None when nothing is published there."""


class VersionTakenError(CensusError):
    """The version is at the place with other bytes, which stay."""

    def __init__(self, place: str, release_version: str, *, complete: bool = True) -> None:
        self.complete = complete
        state = "is published" if complete else "was begun"
        way_out = (
            "A version never changes: build with another --release-version"
            if complete
            else "Publish that release again to finish it, or build with another --release-version"
        )
        super().__init__(f"{place}: {release_version} {state} with other bytes than these. {way_out}")


def publication(
    status: Status, payload: Payload, place: str, *, sent: int = 0, latest: str | None = None
) -> Publication:
    """A publication of all files of a release."""
    return Publication(status, payload.release_version, place, len(payload.files), payload.size, sent, latest)


def in_words(done: Publication) -> str:
    """Say how it ended, in two lines."""
    state = {
        Status.PUBLISHED: "is published",
        Status.ALREADY_PUBLISHED: "was published already",
        Status.WOULD_PUBLISH: "would be published",
    }[done.status]
    sent = "would be sent" if done.status == Status.WOULD_PUBLISH else "sent"
    return (
        f"{done.release_version} {state}: {done.place}\n"
        f"{done.files:,} files, {done.bytes:,} bytes, {done.sent:,} {sent}; the latest version there is"
        f" {done.latest or 'none'}"
    )
