"""The public runner's matcher (webmcp-evals, commit 9626f8d), with its faults, for suites that were written against it.

Its rules, in its own order:

- A sequence is walked by position. A call that is not the expected one fails, and the walk goes on behind both, so one
  early extra call fails all that follow it.
- An optional call that fits the next call takes it, whatever comes later; one that does not fit takes none.
- An unordered group of calls alone takes as many calls as it has members, optional ones included, and matches them
  one to one as well as can be.
- An unordered group with groups in it tries its members in every order, each in one piece, so calls of two members
  never interleave. The order with most passed rows counts, the first of equals; over 15 members it gives up.
- A call that fits has to be of a tool that was offered. (That runner drops calls of other tools unseen; here they
  stand in the row in which they were made.)
- What is left over fails. A case without expected calls passes when no call was made.

There, every order is tried one after the other (n! of them); here, each set of members that is already placed is
worked out once (2^n). The rows are the same. A result that nobody knows is not held against `result`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pydantic import JsonValue

from measure.evals.case import Case
from measure.evals.compat_arguments import compat_holds
from measure.evals.expected import FROM, is_test
from measure.evals.made import MadeCall
from measure.evals.operators import PUBLIC
from measure.evals.plan import ABSENT, Group, Node, Order, PlannedCall, calls_of

LARGEST_GROUP = 15


class Row(NamedTuple):
    """What the public runner reports: a planned call, the call that stands in its place, whether it passed."""

    planned: PlannedCall | None
    made: int | None
    """Index of the call."""
    passed: bool


class GaveUpError(ValueError):
    """The public runner stops with an error here; the case is neither passed nor failed."""


class _Match(NamedTuple):
    consumed: int
    rows: tuple[Row, ...]


def unknown_to_compat(case: Case) -> Iterator[str]:
    """What of a case the public runner does not know, so that it cannot be judged as that runner does."""
    for name, there in (("forbidden", case.forbidden), ("harmless", case.harmless), ("limits", case.limits)):
        if there:
            yield f"{case.place}.{name}"
    if case.turns:
        yield f"{case.place}.messages: an expectedCall among them"
    if case.page is not None:
        yield f"{case.place}.page"
    yield from _unknown_nodes(case.plan or ())


def _unknown_nodes(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Group):
            if node.optional:
                yield f"{node.place}.optional"
            yield from _unknown_nodes(node.members)
        else:
            if node.offered is not None:
                yield f"{node.place}.tools"
            if node.effects is not ABSENT:
                yield f"{node.place}.effects"
            if node.fails is not None:
                yield f"{node.place}.fails"
            for value in (node.arguments, None if node.result is ABSENT else node.result):
                yield from (f"{node.place}: {name}" for name in _operators(value) if name not in PUBLIC)


def _operators(value: JsonValue) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _operators(each)
    elif isinstance(value, dict):
        if is_test(value):
            yield from value
        for key, each in value.items():
            if key not in ("$eq", FROM):
                yield from _operators(each)


def compat_rows(plan: Sequence[Node] | None, made: Sequence[MadeCall]) -> tuple[Row, ...]:
    """The rows that the public runner reports for a case; it passed when all of them did, and also when there is none.

    Raises GaveUpError where that runner gives up.
    """
    if not plan:
        return tuple(Row(None, index, False) for index in range(len(made)))
    consumed, rows = _Walk(made).sequence(plan, 0)
    return (*rows, *(Row(None, index, False) for index in range(consumed, len(made))))


class _Walk:
    """One walk over the calls that were made."""

    def __init__(self, made: Sequence[MadeCall]) -> None:
        self._made = made

    def sequence(self, nodes: Sequence[Node], start: int) -> _Match:
        at, rows = start, list[Row]()
        for node in nodes:
            match = self._node(node, at)
            at += match.consumed
            rows += match.rows
        return _Match(at - start, tuple(rows))

    def _node(self, node: Node, start: int) -> _Match:
        if isinstance(node, PlannedCall):
            return self._call(node, start)
        if node.order is Order.ORDERED:
            return self.sequence(node.members, start)
        if all(isinstance(member, PlannedCall) for member in node.members):
            return self._flat(list(calls_of(node.members)), start)
        return self._nested(node.members, start)

    def _call(self, call: PlannedCall, start: int) -> _Match:
        if start >= len(self._made):
            return _Match(0, ()) if call.optional else _Match(1, (Row(call, None, False),))
        passed = self._fits(call, start)
        if call.optional and not passed:
            return _Match(0, ())
        return _Match(1, (Row(call, start, passed),))

    def _fits(self, call: PlannedCall, index: int) -> bool:
        made = self._made[index]
        return (
            call.name == made.name
            and made.known
            and (call.arguments is None or compat_holds(call.arguments, made.arguments))
            and (call.result is ABSENT or not made.result_known or compat_holds(call.result, made.result))
        )

    def _flat(self, calls: Sequence[PlannedCall], start: int) -> _Match:
        """An unordered group of calls alone."""
        pool = range(start, min(start + len(calls), len(self._made)))
        taken: dict[int, int] = {}

        def place(planned: int, seen: set[int]) -> bool:
            for index in pool:
                if index not in seen and self._fits(calls[planned], index):
                    seen.add(index)
                    if index not in taken or place(taken[index], seen):
                        taken[index] = planned
                        return True
            return False

        for planned in range(len(calls)):
            place(planned, set())
        missing = [call for number, call in enumerate(calls) if number not in taken.values() and not call.optional]
        rows = [
            Row(calls[taken[index]], index, True)
            if index in taken
            else Row(missing.pop(0) if missing else None, index, False)
            for index in pool
        ]
        return _Match(len(calls), (*rows, *(Row(call, None, False) for call in missing)))

    def _nested(self, members: Sequence[Node], start: int) -> _Match:
        """An unordered group with groups in it: the first of the orders with most passed rows."""
        if len(members) > LARGEST_GROUP:
            raise GaveUpError(
                f"an unordered group with groups in it has {len(members)} members, and the public runner gives up"
                f" over {LARGEST_GROUP}; use the default matcher"
            )
        everything = (1 << len(members)) - 1

        @cache
        def match(member: int, at: int) -> tuple[_Match, int]:
            found = self._node(members[member], at)
            return found, sum(row.passed for row in found.rows)

        @cache
        def best(placed: int, at: int) -> tuple[int, int | None]:
            """Most passes that the members which are not placed yet can have from here, and the one to place first."""
            most, first = -1, None
            for member in range(len(members)):
                if not placed & 1 << member:
                    here, passes = match(member, at)
                    passes += best(placed | 1 << member, at + here.consumed)[0]
                    if passes > most:
                        most, first = passes, member
            return (0, None) if placed == everything else (most, first)

        placed, at, rows = 0, start, list[Row]()
        while (member := best(placed, at)[1]) is not None:
            here, _ = match(member, at)
            rows += here.rows
            placed, at = placed | 1 << member, at + here.consumed
        return _Match(at - start, tuple(rows))
