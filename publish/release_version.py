"""Versions of releases, `YYYY.MM.N`, and their order."""

import re

_VERSION = re.compile(r"(\d{4})\.(\d{2})\.(\d{1,9})")


def version_key(release_version: str) -> tuple[int, ...]:
    """A version's place in the order of versions. Raises ValueError for what is none."""
    match = _VERSION.fullmatch(release_version)
    if match is None:
        raise ValueError(f"{release_version!r} is not YYYY.MM.N")
    return tuple(map(int, match.groups()))


def moves(latest: str | None, to: str) -> bool:
    """Whether `latest` moves on to a version: only forward, so a hotfix of an older month leaves it where it is."""
    return latest is None or version_key(to) > version_key(latest)
