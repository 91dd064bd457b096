"""Which made call is taken for which planned one: the alignment that leaves least to complain of.

A plan whose calls may interleave asks for an assignment under order constraints. That is hard in general (the same
call may stand for many planned ones), so it is a small integer program, solved exactly by HiGHS through SciPy; the
usual case, in which everything fits, is found by taking the calls one after the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from census.errors import CensusError
from measure.evals.made import MadeCall
from measure.evals.pairing import Flow, Pairing, flow_mismatches
from measure.evals.partial_order import PartialOrder

_MISSING, _EXTRA, _HARMLESS = 10_000, 10_000, 50
_ARGUMENTS, _FLOW, _RESULT, _EFFECTS, _OFFERED = 4_000, 3_000, 2_000, 1_500, 1_000
_MISMATCH, _LATER = 10, 0.01
"""What each fault weighs. A pair with every fault weighs no more than a missing call and an extra one: a call with
wrong arguments is that, and not one call too few and another too many. Among equals, earlier calls are taken."""
_MANY_MISMATCHES = 50
_SECONDS = 20.0

Pairs = Mapping[tuple[int, int], Pairing]
"""Pairings by planned and made call."""


@dataclass(frozen=True)
class Problem:
    """What is to be aligned."""

    order: PartialOrder
    made: Sequence[MadeCall]
    pairs: Pairs
    flows: Sequence[Flow]
    free: frozenset[int]
    """Made calls that cost nothing when nothing was planned for them: harmless ones, and those reported anyway."""


def align(problem: Problem) -> dict[int, int]:
    """The made call for each planned one that has one.

    Raises CensusError when the best alignment is not found in 20 seconds: hundreds of calls that all fit one another.
    """
    found = _first_fit(problem)
    if found is None:
        found = _Program(problem).solved()
    return found


def _first_fit(problem: Problem) -> dict[int, int] | None:
    """Take each made call for the planned one that it fits and that fewest others fit; None when something is left."""
    order = problem.order
    fitting: dict[int, list[int]] = {}
    for (planned, made), pair in problem.pairs.items():
        if pair.clean:
            fitting.setdefault(made, []).append(planned)
    rarity = [sum(planned in each for each in fitting.values()) for planned in range(len(order.calls))]
    taken: dict[int, int] = {}
    for made in range(len(problem.made)):
        closed = {first for first, second in order.before if second in taken}
        ready = [
            planned
            for planned in fitting.get(made, ())
            if planned not in taken
            and planned not in closed
            and all(first in taken or order.calls[first].optional for first in order.predecessors(planned))
        ]
        if not ready:
            if made in problem.free:
                continue
            return None
        taken[min(ready, key=lambda planned: (rarity[planned], planned))] = made
    entered = {group for planned in taken for group in order.within[planned]}
    for planned, call in enumerate(order.calls):
        if planned not in taken and not call.optional and entered.issuperset(order.within[planned]):
            return None
    return None if any(broken_flow(problem, flow, taken) for flow in problem.flows) else taken


def broken_flow(problem: Problem, flow: Flow, taken: Mapping[int, int]) -> bool:
    """Whether a taker was called and what it took is not what its giver gave, or the giver was not called."""
    if flow.taker not in taken:
        return False
    return flow.giver not in taken or not _flows(problem, flow, taken[flow.giver], taken[flow.taker])


def _flows(problem: Problem, flow: Flow, giver: int, taker: int) -> bool:
    return not flow_mismatches(flow, problem.order.calls[flow.taker], problem.made[giver], problem.made[taker])


def _weight(pair: Pairing) -> float:
    return (
        (_ARGUMENTS + _MISMATCH * min(len(pair.arguments), _MANY_MISMATCHES) if pair.arguments else 0)
        + (_RESULT if pair.result else 0)
        + (_EFFECTS if pair.effects else 0)
        + (_OFFERED if pair.offered else 0)
    )


@dataclass
class _Rows:
    """The rows of a constraint matrix, as they are added."""

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    factor: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def add(self, terms: Mapping[int, float], low: float, high: float) -> None:
        for column, factor in terms.items():
            self.row.append(len(self.low))
            self.column.append(column)
            self.factor.append(factor)
        self.low.append(low)
        self.high.append(high)


class _Program:
    """The integer program: a variable for each pair, missing call, extra call, entered group and broken flow."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._weights: list[float] = []
        self._rows = _Rows()
        self._pairs = {
            key: self._variable(_weight(pair) + _LATER * key[1])
            for key, pair in problem.pairs.items()
            if pair.clean or not problem.order.calls[key[0]].optional
        }
        self._made_for: dict[int, dict[int, int]] = {}
        self._planned_for: dict[int, dict[int, int]] = {}
        for (planned, made), variable in self._pairs.items():
            self._made_for.setdefault(planned, {})[made] = variable
            self._planned_for.setdefault(made, {})[planned] = variable
        self._each_planned_at_most_once()
        self._each_made_once()
        self._in_order()
        self._flowing()

    def _variable(self, weight: float) -> int:
        self._weights.append(weight)
        return len(self._weights) - 1

    def _each_planned_at_most_once(self) -> None:
        order = self._problem.order
        entered = [self._variable(0) for _ in range(order.groups)]
        for planned, call in enumerate(order.calls):
            ones = dict.fromkeys(self._made_for.get(planned, {}).values(), 1.0)
            self._rows.add(ones, 0, 1)
            for group in order.within[planned]:
                self._rows.add({**dict.fromkeys(ones, -1.0), entered[group]: 1.0}, 0, 1)
            if not call.optional:
                wanted = {**ones, self._variable(_MISSING): 1.0}
                if order.within[planned]:
                    # Wanted when the innermost group was entered; whoever enters that enters those around it.
                    self._rows.add({**wanted, entered[order.within[planned][-1]]: -1.0}, 0, 1)
                else:
                    self._rows.add(wanted, 1, 1)

    def _each_made_once(self) -> None:
        for made in range(len(self._problem.made)):
            extra = self._variable(_HARMLESS if made in self._problem.free else _EXTRA)
            self._rows.add({**dict.fromkeys(self._planned_for.get(made, {}).values(), 1.0), extra: 1.0}, 1, 1)

    def _in_order(self) -> None:
        """Where a later call is made at or before some place, no earlier one is made at or after it."""
        for first, second in self._problem.order.before:
            firsts, seconds = self._made_for.get(first, {}), self._made_for.get(second, {})
            for place in seconds:
                late = {variable: 1.0 for made, variable in firsts.items() if made >= place}
                if late:
                    early = {variable: 1.0 for made, variable in seconds.items() if made <= place}
                    self._rows.add({**late, **early}, 0, 1)

    def _flowing(self) -> None:
        for flow in self._problem.flows:
            broken = self._variable(_FLOW)
            for taker, variable in self._made_for.get(flow.taker, {}).items():
                givers = {
                    each: -1.0
                    for giver, each in self._made_for.get(flow.giver, {}).items()
                    if _flows(self._problem, flow, giver, taker)
                }
                self._rows.add({**givers, variable: 1.0, broken: -1.0}, -float("inf"), 0)

    def solved(self) -> dict[int, int]:
        # SciPy takes a while to import, and most cases do not come here.
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        rows = self._rows
        if not self._weights:
            return {}
        shape = (len(rows.low), len(self._weights))
        matrix = csr_array((rows.factor, (rows.row, rows.column)), shape=shape)
        found = milp(
            self._weights,
            constraints=LinearConstraint(matrix, rows.low, rows.high),
            integrality=[1] * len(self._weights),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0, "time_limit": _SECONDS},
        )
        if found.status != 0:
            raise CensusError(
                f"{len(self._problem.made)} calls could not be held against a plan of {len(self._problem.order.calls)}"
                f" in {_SECONDS:.0f} s: too many of them fit each other; expect their arguments more closely"
            )
        return dict(self._chosen(found.x))

    def _chosen(self, values: Sequence[float]) -> Iterator[tuple[int, int]]:
        return (key for key, variable in self._pairs.items() if values[variable] > 0.5)
