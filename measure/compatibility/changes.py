"""Which build changed which answer: builds of one kind in order of version, each against the one before."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from measure.browsers.build import Build
from measure.compatibility.matrix import Matrix, version_key


class Change(NamedTuple):
    """An answer that differs from the one of the last older build that was asked."""

    behaviour: str
    before: str
    older: Build
    after: str
    build: Build
    """The first build with the new answer, of those that were asked."""


def changes(matrix: Matrix) -> tuple[Change, ...]:
    """Every change, in the order of the behaviours and then of the versions.

    Headless shells and full browsers are two lines, as they differ in site isolation. What the full browsers show
    between two versions is left out where the shells show the same change, perhaps at a version in between.
    """
    return tuple(change for behaviour in matrix.behaviours for change in _of(matrix, behaviour.id))


def _of(matrix: Matrix, behaviour: str) -> Iterator[Change]:
    shells: dict[tuple[str, int], Build] = {
        (build.engine, build.major): build for build in matrix.builds if build.shell
    }
    for line in _lines(matrix.builds):
        for change in _along(matrix, behaviour, line):
            if change.build.shell or not _told_by_shells(matrix, change, shells):
                yield change


def _told_by_shells(matrix: Matrix, change: Change, shells: Mapping[tuple[str, int], Build]) -> bool:
    """Whether the shells of the two versions answer the same before and after."""
    pairs = ((change.older, change.before), (change.build, change.after))
    return all(
        (shell := shells.get((build.engine, build.major))) and matrix.value(change.behaviour, shell) == value
        for build, value in pairs
    )


def _along(matrix: Matrix, behaviour: str, line: Sequence[Build]) -> Iterator[Change]:
    last: tuple[Build, str] | None = None
    for build in line:
        value = matrix.value(behaviour, build)
        if value is None:
            continue
        if last is not None and last[1] != value:
            yield Change(behaviour, last[1], last[0], value, build)
        last = build, value


def _lines(builds: Sequence[Build]) -> list[list[Build]]:
    kinds = dict.fromkeys((build.engine, build.shell) for build in builds)
    return [
        sorted((build for build in builds if (build.engine, build.shell) == kind), key=version_key) for kind in kinds
    ]
