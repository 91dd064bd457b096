"""Versions of one month that are published one after the other, undisturbed or not, and what must hold after each."""

from pathlib import Path

from census.errors import CensusError
from publish.payload import Payload
from tests.publish.payloads import bytes_of, small_release
from tests.publish.shelves import HubShelf, S3Shelf


class Series:
    """Versions of one month, one after the other at one place."""

    def __init__(self, shelf: S3Shelf | HubShelf, folder: Path) -> None:
        self.shelf, self._folder, self._number = shelf, folder, 0
        self.before = self._next()
        shelf.place().publish(self.before)
        self.new = self._next()

    def _next(self) -> Payload:
        version = f"2026.11.{self._number}"
        self._number += 1
        return small_release(self._folder / version, version, f"bytes of {version}")

    def go_on(self) -> None:
        """Publish the new version undisturbed, and have a newer one."""
        self.shelf.proxy.count()
        assert self.shelf.place().publish(self.new).latest == self.new.release_version
        self.assert_published()
        self.before, self.new = self.new, self._next()

    def requests(self) -> list[str]:
        """The requests that publishing the next version takes."""
        self.go_on()
        return self.shelf.proxy.requests

    def attempt(self) -> str | None:
        """Publish; returns what was wrong."""
        try:
            self.shelf.place().publish(self.new)
        except CensusError as error:
            return str(error)
        return None

    def assert_published(self) -> None:
        """The new version is there and is the latest."""
        assert self.shelf.version(self.new.release_version) == bytes_of(self.new.folder)
        assert self.shelf.latest() == self.new.release_version

    def assert_old_or_new(self) -> None:
        """The old version is there; the new one is whole or not there; the latest is one that is there."""
        there = self.shelf.version(self.new.release_version)
        assert there in (None, bytes_of(self.new.folder))
        assert self.shelf.version(self.before.release_version) == bytes_of(self.before.folder)
        latest = self.shelf.latest()
        if latest != self.before.release_version:
            assert latest == self.new.release_version
            # On a hub a commit is whole from the beginning, and its tag comes after it.
            assert there is not None or isinstance(self.shelf, HubShelf)
