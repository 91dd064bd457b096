"""Whether a run is good: as expected, in its vocabulary, and true to what was published."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from measure.compatibility.behaviour import Behaviour
from measure.compatibility.cell import in_vocabulary
from measure.compatibility.corrections import Correction, complaint, unexplained
from measure.compatibility.expected import Difference, Expected, differences
from measure.compatibility.matrix import Matrix
from measure.compatibility.published import PublishedMatrix
from measure.compatibility.publishing import moved


class Verdict(NamedTuple):
    """What is wrong with a run, in sentences that name the cells."""

    unexpected: tuple[Difference, ...]
    complaints: tuple[str, ...]
    """Answers that no behaviour declares, and published cells that moved without a correction."""

    @property
    def good(self) -> bool:
        """Nothing is wrong."""
        return not self.unexpected and not self.complaints


def judge(
    matrix: Matrix, expected: Expected, published: PublishedMatrix | None, corrections: Sequence[Correction]
) -> Verdict:
    """Hold a run against what is expected and what was published."""
    timing = frozenset(behaviour.id for behaviour in matrix.behaviours if behaviour.timing)
    unexpected = (
        difference
        for build in matrix.builds
        for difference in differences(
            expected, build, (cell for cell in matrix.cells.values() if cell.build == build.label), timing
        )
    )
    gone = unexplained(moved(published, matrix), corrections) if published else ()
    return Verdict(tuple(unexpected), (*_undeclared(matrix), *map(complaint, gone)))


def _undeclared(matrix: Matrix) -> Iterator[str]:
    by_id: dict[str, Behaviour] = {behaviour.id: behaviour for behaviour in matrix.behaviours}
    for cell in matrix.cells.values():
        if not in_vocabulary(by_id[cell.behaviour], cell.value):
            yield f"{cell.behaviour} on {cell.build} answered {cell.value!r}, which it does not declare {cell.detail}"
