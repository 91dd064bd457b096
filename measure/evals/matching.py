"""The default matcher: a plan is a partial order, and a failure says which constraint of it broke."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from measure.evals.alignment import Problem, align, broken_flow
from measure.evals.case import CallPattern, Case
from measure.evals.channel import faults_of_failure, not_judged
from measure.evals.expected import Mismatch, Source, holds, sources
from measure.evals.json_values import shown
from measure.evals.made import MadeCall
from measure.evals.pairing import Flow, Pairing, flow_mismatches, flows, pairing
from measure.evals.partial_order import partial_order
from measure.evals.plan import ABSENT, PlannedCall
from measure.evals.verdict import Constraint, Verdict, Violation


def match(
    case: Case,
    made: Sequence[MadeCall],
    *,
    read_only: frozenset[str] = frozenset(),
    driven: Mapping[str, JsonValue] | None = None,
) -> Verdict:
    """Hold the calls of one run against what a case expects.

    `read_only`: tools whose extra calls are harmless, besides those that the case names. `driven`: results of the
    calls that brought the state about, by id. Raises CensusError when no best alignment can be found in time.
    """
    general = [*_forbidden(case, made), *_limits(case, made)]
    if case.plan is None:
        unwanted = (Violation(*_unwanted(number, call)) for number, call in enumerate(made, start=1))
        return Verdict((*unwanted, *general))
    return _Match(case, made, read_only, driven or {}).verdict(general)


def _unwanted(number: int, call: MadeCall) -> tuple[Constraint, str, None, int]:
    if not call.known:
        return Constraint.UNKNOWN_TOOL, f"call {number} names {call.name!r}, which is no tool here", None, number
    return Constraint.UNWANTED, f"call {number}, {_call(call)}, was made where none may be", None, number


def _call(call: MadeCall) -> str:
    return f"{call.name}({shown(call.arguments)})"


def _is_forbidden(patterns: Sequence[CallPattern], call: MadeCall) -> bool:
    return any(
        each.name == call.name and (each.arguments is None or holds(each.arguments, call.arguments, {}))
        for each in patterns
    )


def _forbidden(case: Case, made: Sequence[MadeCall]) -> Iterator[Violation]:
    for number, call in enumerate(made, start=1):
        if _is_forbidden(case.forbidden, call):
            yield Violation(Constraint.FORBIDDEN, f"call {number}, {_call(call)}, is forbidden", made=number)


def _limits(case: Case, made: Sequence[MadeCall]) -> Iterator[Violation]:
    counts = Counter(call.name for call in made)
    for name, limit in case.limits.items():
        count = len(made) if name == "*" else counts[name]
        what = f"{count} calls were made" if name == "*" else f"{name!r} was called {_times(count)}"
        if limit.most is not None and count > limit.most:
            yield Violation(Constraint.LIMIT, f"{what}, and at most {limit.most} are allowed")
        if count < limit.least:
            yield Violation(Constraint.LIMIT, f"{what}, and at least {limit.least} are wanted")


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


class _Match:
    """A plan and the calls that were made, aligned."""

    def __init__(
        self, case: Case, made: Sequence[MadeCall], read_only: frozenset[str], driven: Mapping[str, JsonValue]
    ) -> None:
        assert case.plan is not None
        self._made, self._driven = made, driven
        self._of_several = bool(case.turns)
        self._order = partial_order(case.plan)
        self._harmless = {
            index
            for index, call in enumerate(made)
            if call.known and (call.name in read_only or call.name in case.harmless)
        }
        self._unwanted = {index for index, call in enumerate(made) if call.turn in case.silent}
        self._reported = self._unwanted | {
            index for index, call in enumerate(made) if _is_forbidden(case.forbidden, call)
        }
        pairs: dict[tuple[int, int], Pairing] = {}
        for planned, expected in enumerate(self._order.calls):
            for index, call in enumerate(made):
                pair = pairing(expected, call, driven)
                if pair is not None:
                    pairs[planned, index] = pair
        self._problem = Problem(
            self._order, made, pairs, flows(self._order.calls), frozenset(self._harmless | self._reported)
        )
        self._taken = align(self._problem)

    def verdict(self, general: Sequence[Violation]) -> Verdict:
        left = [index for index in range(len(self._made)) if index not in self._taken.values()]
        violations: list[Violation] = []
        for planned in range(len(self._order.calls)):
            if planned in self._taken:
                violations += self._paired(planned)
            elif self._wanted(planned):
                late = next((each for index in left if (each := self._out_of_order(planned, index)) is not None), None)
                violations.append(late or self._missing(planned))
                if late is not None and late.made is not None:
                    left.remove(late.made - 1)
        violations += [broken for flow in self._problem.flows for broken in self._flow(flow)]
        extra = [index for index in left if index not in self._harmless | self._reported]
        unwanted = (Violation(*_unwanted(index + 1, self._made[index])) for index in sorted(self._unwanted))
        return Verdict(
            (*violations, *unwanted, *(self._extra(index) for index in extra), *general),
            aligned={self._order.calls[planned].place: made + 1 for planned, made in sorted(self._taken.items())},
            harmless=tuple(index + 1 for index in left if index in self._harmless - self._reported),
            unchecked=self._unchecked(),
        )

    def _wanted(self, planned: int) -> bool:
        entered = {group for each in self._taken for group in self._order.within[each]}
        return not self._order.calls[planned].optional and entered.issuperset(self._order.within[planned])

    def _paired(self, planned: int) -> Iterator[Violation]:
        call, made = self._order.calls[planned], self._taken[planned]
        pair = self._problem.pairs[planned, made]
        what = f"{call.name!r} ({call.place}), call {made + 1}"
        if pair.arguments:
            yield Violation(Constraint.ARGUMENTS, f"{what}: {_differences(pair.arguments)}", call.place, made + 1)
        if pair.result:
            yield Violation(Constraint.RESULT, f"{what} gave: {_differences(pair.result)}", call.place, made + 1)
        if pair.effects:
            yield Violation(Constraint.EFFECTS, f"{what} did: {_differences(pair.effects)}", call.place, made + 1)
        if call.fails is not None and self._made[made].result_known:
            for wrong in faults_of_failure(call.fails, self._made[made]):
                yield Violation(Constraint.FAILURE, f"{what} {wrong}", call.place, made + 1)
        if pair.offered:
            said = ", ".join(pair.offered)
            yield Violation(Constraint.TOOLS, f"the list of tools at {what}: {said}", call.place, made + 1)

    def _missing(self, planned: int) -> Violation:
        call = self._order.calls[planned]
        times = sum((each.name, each.turn) == (call.name, call.turn) for each in self._made)
        more = f" once more (it was called {_times(times)})" if times else ""
        if self._of_several:
            more += f" in turn {call.turn}"
        wanted = "" if call.arguments is None else f" with {shown(call.arguments)}"
        return Violation(Constraint.MISSING, f"{call.name!r} ({call.place}) was not called{more}{wanted}", call.place)

    def _out_of_order(self, planned: int, made: int) -> Violation | None:
        """That a call which was left over is the planned one on the wrong side of another; None when it is not."""
        pair = self._problem.pairs.get((planned, made))
        if pair is None or pair.arguments:
            return None
        call = self._order.calls[planned]
        said = f"{call.name!r} ({call.place}) was call {made + 1}"
        for first, second in sorted(self._order.before):
            if second == planned and self._taken.get(first, -1) > made:
                return self._order_violation(said, "after", first, planned, made)
            if first == planned and self._taken.get(second, made) < made:
                return self._order_violation(said, "before", second, planned, made)
        return None

    def _order_violation(self, said: str, side: str, other: int, planned: int, made: int) -> Violation:
        call = self._order.calls[other]
        return Violation(
            Constraint.ORDER,
            f"{said}, and has to come {side} {call.name!r} ({call.place}), which was call {self._taken[other] + 1}",
            self._order.calls[planned].place,
            made + 1,
        )

    def _flow(self, flow: Flow) -> Iterator[Violation]:
        if not broken_flow(self._problem, flow, self._taken):
            return
        taker, giver = self._order.calls[flow.taker], self._order.calls[flow.giver]
        made = self._taken[flow.taker]
        what = f"{taker.name!r} ({taker.place}), call {made + 1}"
        if flow.giver not in self._taken:
            why = f"takes a value from {giver.name!r} ({giver.place}), which was not called"
        else:
            why = self._why(taker, giver, flow, made)
        yield Violation(Constraint.DATAFLOW, f"{what}, {why}", taker.place, made + 1)

    def _why(self, taker: PlannedCall, giver: PlannedCall, flow: Flow, made: int) -> str:
        given = self._made[self._taken[flow.giver]]
        number = self._taken[flow.giver] + 1
        if given.error is not None:
            return f"takes a value from {giver.name!r}, call {number}, which failed: {given.error}"
        if given.step >= self._made[made].step:
            return f"was made before the result of {giver.name!r}, call {number}, was there"
        return _differences(flow_mismatches(flow, taker, given, self._made[made]))

    def _extra(self, index: int) -> Violation:
        call = self._made[index]
        if not call.known:
            return Violation(*_unwanted(index + 1, call))
        turn = f" in turn {call.turn}" if self._of_several else ""
        return Violation(
            Constraint.EXTRA,
            f"call {index + 1}, {_call(call)}, is not expected{turn}, and is not harmless",
            made=index + 1,
        )

    def _unchecked(self) -> int:
        results = sum(
            self._order.calls[planned].result is not ABSENT and not self._made[made].result_known
            for planned, made in self._taken.items()
        )
        effects = sum(
            self._order.calls[planned].effects is not ABSENT and self._made[made].effects is None
            for planned, made in self._taken.items()
        )
        failures = sum(
            not self._made[made].result_known or not_judged(fails, self._made[made])
            for planned, made in self._taken.items()
            if (fails := self._order.calls[planned].fails) is not None
        )
        return results + effects + failures + sum(self._is_unknown(source.call) for source in self._sources())

    def _sources(self) -> Iterator[Source]:
        """What the planned calls that were made take from others."""
        return (source for planned in sorted(self._taken) for source in sources(self._order.calls[planned].arguments))

    def _is_unknown(self, giver: str) -> bool:
        """Whether nothing is known of what a driven or planned call gave; one that was not made is no riddle."""
        for planned, call in enumerate(self._order.calls):
            if call.id == giver:
                made = self._made[self._taken[planned]] if planned in self._taken else None
                return made is not None and made.error is None and not made.result_known
        return giver not in self._driven


def _differences(found: Sequence[Mismatch]) -> str:
    return "; ".join(f"{each.pointer or 'the whole'} is {each.actual}, expected {each.expected}" for each in found)
