"""A dataset on a Hugging Face hub: one commit for a version, then a tag with its name; `main` is the latest.

A commit is atomic, and with `parent_commit` the hub takes it only while the branch is where it was (412 otherwise). So
a look at the hub decides what is to be done next, and after each step, failed or not, the hub is looked at again: a
lost answer, a killed publisher and another one's commit are all told by what is there. A version on a branch that has
no tag yet is given one before anything follows it. A hotfix of an older month goes to a branch of its own, so `main`
never goes back.
"""

import random
import time
from pathlib import Path

from census.errors import CensusError
from publish.payload import Payload, PublishedFile
from publish.places.hub_repository import HubRepository, MovedError, NotNowError, Refs, Tree, is_the_same
from publish.publication import Publication, Status, VersionTakenError, publication
from publish.release_version import moves, version_key

_MAIN = "main"
_ATTEMPTS = 8
"""Failed steps of one publication."""
_STEPS = 100
"""Steps of one publication; it needs five, and two more for each other publisher that comes first."""
_PAUSE = 0.5
"""Seconds after the first failed step."""
_OWN = frozenset({".gitattributes"})
"""What the hub itself puts into a repository."""


class HubPlace:
    """Publishes to a dataset repository, which is made when it is missing."""

    def __init__(self, repository: HubRepository) -> None:
        self._hub = repository
        self._name = f"hf:{repository.name}"

    def plan(self, payload: Payload) -> Publication:
        """Say what `publish` would do; changes nothing. Raises CensusError as that does."""
        refs = self._hub.refs()
        if refs is None or _MAIN not in refs.branches:
            return self._said(Status.WOULD_PUBLISH, payload, len(payload.files), None)
        latest = self._hub.version_at(refs.branches[_MAIN])
        if payload.release_version in refs.tags:
            self._hold(payload)
            return self._said(Status.ALREADY_PUBLISHED, payload, 0, latest)
        there = self._hub.tree(refs.branches[_MAIN])
        _refuse_something_else(self._name, there, latest)
        return self._said(Status.WOULD_PUBLISH, payload, len(_differing(payload, there)), latest)

    def publish(self, payload: Payload) -> Publication:
        """Commit the version and tag it; `main` moves to it unless it has a later one.

        Raises VersionTakenError when the version is there with other bytes, and CensusError when the hub refuses or
        does not answer; what is public then is the old version or the new one, each whole.
        """
        progress = _Progress(self._hub, payload, self._name)
        failures = 0
        for _ in range(_STEPS):
            try:
                latest = progress.step()
            except MovedError:
                _pause(0)
                continue
            except NotNowError:
                failures += 1
                if failures == _ATTEMPTS:
                    raise
                _pause(failures)
                continue
            if latest is not None:
                status = Status.PUBLISHED if progress.sent else Status.ALREADY_PUBLISHED
                return self._said(status, payload, progress.sent, latest)
        raise CensusError(f"{self._name} changes all the time; run the same command again when others have finished")

    def latest(self) -> str | None:
        """The version that `main` is at; None when nothing is published."""
        head = self._main()
        return self._hub.version_at(head) if head else None

    def fetch_latest(self, into: Path) -> str | None:
        """Load the latest version into `into`, which must not exist; returns its version, None when there is none."""
        head = self._main()
        version = self._hub.version_at(head) if head else None
        if head and version:
            self._hub.download(head, into)
        return version

    def _main(self) -> str | None:
        refs = self._hub.refs()
        return refs.branches.get(_MAIN) if refs else None

    def _said(self, status: Status, payload: Payload, sent: int, latest: str | None) -> Publication:
        return publication(status, payload, f"{self._name}@{payload.release_version}", sent=sent, latest=latest)

    def _hold(self, payload: Payload) -> None:
        hold(self._hub, payload, self._name)


class _Progress:
    """One publication: each step looks at the hub and does the one next thing."""

    def __init__(self, hub: HubRepository, payload: Payload, name: str) -> None:
        self._hub = hub
        self._payload = payload
        self._name = name
        self.sent = 0
        """Files of the commit that was asked for, unless the hub said that it did not take it."""

    def step(self) -> str | None:
        """Do the next thing; returns the latest version when all is done."""
        version, refs = self._payload.release_version, self._hub.refs()
        if refs is None or _MAIN not in refs.branches:
            self._hub.create()
            return None
        latest = self._hub.version_at(refs.branches[_MAIN])
        if version in refs.tags:
            hold(self._hub, self._payload, self._name)
            return latest or version
        line = _MAIN if moves(latest, version) or latest == version else f"release-{version}"
        head = refs.branches.get(line)
        if head is None:
            self._hub.create_branch(line, _before(version, refs))
            return None
        self._go_on(line, head, latest if line == _MAIN else self._hub.version_at(head), refs)
        return None

    def _go_on(self, line: str, head: str, there: str | None, refs: Refs) -> None:
        version = self._payload.release_version
        if there is not None and there not in refs.tags:
            self._hub.tag(there, head)
            return
        tree = self._hub.tree(head)
        _refuse_something_else(self._name, tree, there)
        differing = _differing(self._payload, tree)
        gone = sorted(tree.keys() - {file.path for file in self._payload.files} - _OWN)
        self.sent = len(differing)
        try:
            self._hub.commit(f"Release {version}", line, head, differing, gone)
        except MovedError:
            self.sent = 0
            raise


def hold(hub: HubRepository, payload: Payload, name: str) -> None:
    """Hold the version that is at a hub against these bytes. Raises VersionTakenError when it has others."""
    tree = hub.tree(payload.release_version)
    if tree.keys() - _OWN != {file.path for file in payload.files} or _differing(payload, tree):
        raise VersionTakenError(name, payload.release_version)


def _differing(payload: Payload, tree: Tree) -> list[PublishedFile]:
    return [file for file in payload.files if not is_the_same(tree.get(file.path), file)]


def _pause(failures: int) -> None:
    """Wait longer after each failure, and not as long as others do."""
    time.sleep(random.uniform(0.5, 1) * _PAUSE * min(2**failures, 16) / 2)  # noqa: S311 -- no secret


def _before(version: str, refs: Refs) -> str:
    """The commit that a hotfix of an older month follows: the last version before it, else the latest one."""
    older = [tag for tag in refs.tags if _is_before(tag, version)]
    return refs.tags[max(older, key=version_key)] if older else refs.branches[_MAIN]


def _is_before(tag: str, version: str) -> bool:
    try:
        return version_key(tag) < version_key(version)
    except ValueError:
        return False


def _refuse_something_else(name: str, tree: Tree, version: str | None) -> None:
    """A release takes the place of everything in the repository: that must be a release, or nothing."""
    others = sorted(tree.keys() - _OWN - {"README.md"})
    if version is None and others:
        raise CensusError(f"{name} holds {others[0]} and is no dataset of webmcp-census; name another dataset")
