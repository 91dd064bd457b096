"""Where `--to` says that a release goes."""

import re
from pathlib import Path
from typing import Protocol

from census.errors import CensusError
from census.s3_bucket import s3_address
from publish.payload import Payload
from publish.publication import Publication

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


class Place(Protocol):
    """Takes versions whole, each once, and shows the latest one to who asks for no other."""

    def plan(self, payload: Payload) -> Publication:
        """Say what `publish` would do; changes nothing. Raises CensusError as that does."""

    def publish(self, payload: Payload) -> Publication:
        """Put a version there, or find that it is there. Raises CensusError when it is with other bytes, or fails."""

    def latest(self) -> str | None:
        """The version that is the latest one there; None when nothing is published."""

    def fetch_latest(self, into: Path) -> str | None:
        """Load the latest version into a folder that does not exist; returns its version, None when there is none."""


def check_place(to: str) -> None:
    """Raises CensusError when `--to` is no place; asks nobody."""
    kind, _, rest = to.partition(":")
    if kind == "s3":
        s3_address("--to", to)
    elif not (kind == "dir" and rest) and not (kind == "hf" and _HUB_NAME.fullmatch(rest)):
        # What stands there may be an address with a password.
        raise CensusError("--to: write dir:PATH, hf:OWNER/NAME or s3://BUCKET/PREFIX")


def open_place(to: str) -> Place:
    """The place that `--to` names. Raises CensusError when it is none, or cannot be reached."""
    check_place(to)
    kind, _, rest = to.partition(":")
    if kind == "s3":
        from publish.places.s3 import S3Place

        return S3Place(*s3_address("--to", to))
    if kind == "dir":
        from publish.places.directory import DirectoryPlace

        return DirectoryPlace(Path(rest))
    try:
        from publish.places.hub import HubPlace
        from publish.places.hub_repository import HubRepository
    except ImportError:
        raise CensusError("hf: needs `pip install 'webmcp-census[publish]'`") from None
    return HubPlace(HubRepository(rest))
