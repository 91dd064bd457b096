"""The matrix as plain values: builds, behaviours, and what each build answered."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from measure.browsers.build import Build
from measure.compatibility.behaviour import Behaviour
from measure.compatibility.cell import Cell


class Matrix(NamedTuple):
    """What was asked and answered. A cell that is missing was not asked."""

    builds: Sequence[Build]
    """In the order of the columns: the newest first."""
    behaviours: Sequence[Behaviour]
    cells: Mapping[tuple[str, str], Cell]
    """By behaviour and build's label."""

    def value(self, behaviour: str, build: Build) -> str | None:
        """What a build answered; None when it was not asked."""
        cell = self.cells.get((behaviour, build.label))
        return cell.value if cell else None

    @property
    def newest(self) -> Build:
        """The build that the others are compared with."""
        return self.builds[0]


def newest_first(builds: Sequence[Build]) -> tuple[Build, ...]:
    """Chromium's builds before others, the newest first, a full browser before its headless shell."""
    return tuple(sorted(builds, key=lambda build: (build.engine != "chromium", *_descending(build), build.shell)))


def version_key(build: Build) -> tuple[int, ...]:
    """A version to order by: `153.8.0esr` is 153, 8, 0."""
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in build.version.split("."))


def _descending(build: Build) -> tuple[tuple[int, ...]]:
    return (tuple(-part for part in version_key(build)),)
