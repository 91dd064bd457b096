"""A plan as a partial order: which planned call has to come before which, and which ones are wanted only together."""

from collections.abc import Sequence
from dataclasses import dataclass

from measure.evals.plan import Group, Node, Order, PlannedCall


@dataclass(frozen=True)
class PartialOrder:
    """The calls of a plan, by number in the order in which they are written."""

    calls: tuple[PlannedCall, ...]
    before: frozenset[tuple[int, int]]
    """Pairs of which the first has to come before the second, all of them and not only neighbours."""
    within: tuple[tuple[int, ...], ...]
    """For each call the optional groups that it stands in, outermost first, by number."""
    groups: int
    """How many optional groups there are."""

    def predecessors(self, call: int) -> frozenset[int]:
        """The calls that have to come before this one."""
        return frozenset(first for first, second in self.before if second == call)


def partial_order(plan: Sequence[Node]) -> PartialOrder:
    """The partial order of a plan, whose own nodes are ordered."""
    builder = _Builder()
    builder.ordered(plan, ())
    return PartialOrder(tuple(builder.calls), frozenset(builder.before), tuple(builder.within), builder.groups)


class _Builder:
    def __init__(self) -> None:
        self.calls: list[PlannedCall] = []
        self.before: set[tuple[int, int]] = set()
        self.within: list[tuple[int, ...]] = []
        self.groups = 0

    def ordered(self, nodes: Sequence[Node], within: tuple[int, ...]) -> None:
        earlier: list[int] = []
        for node in nodes:
            these = self._node(node, within)
            self.before.update((first, second) for first in earlier for second in these)
            earlier.extend(these)

    def _node(self, node: Node, within: tuple[int, ...]) -> range:
        """Take a node in; the numbers of its calls."""
        first = len(self.calls)
        if isinstance(node, Group):
            if node.optional:
                within = (*within, self.groups)
                self.groups += 1
            if node.order is Order.ORDERED:
                self.ordered(node.members, within)
            else:
                for member in node.members:
                    self._node(member, within)
        else:
            self.calls.append(node)
            self.within.append(within)
        return range(first, len(self.calls))
