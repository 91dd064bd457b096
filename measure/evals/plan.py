"""What is expected of a case, as plain values: calls, and groups that say in which order they may come."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from pydantic import JsonValue


class Absent(Enum):
    """Where `null` is a value of its own: nothing was written."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Order(Enum):
    """How the members of a group follow each other."""

    ORDERED = "ordered"
    """All calls of a member before all calls of the next one."""
    UNORDERED = "unordered"
    """Members in any order, their calls also between each other's."""


class Failing(Enum):
    """What a call that has to fail has to say of it."""

    SEEN = "seen"
    """That it failed."""
    TEMPORARY = "temporary"
    """That it failed, and that it can succeed later."""
    PERMANENT = "permanent"
    """That it failed, and that another attempt is of no use."""


@dataclass(frozen=True)
class Offered:
    """What the list of tools has to be at the step at which a call is made."""

    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    """The whole list, where it is given."""


@dataclass(frozen=True)
class PlannedCall:
    """A call that is expected; `arguments` and `result` are expected values (`measure.evals.expected`)."""

    place: str
    """Where in the file it stands: `cases[3].expectedCall[0]`."""
    name: str
    arguments: JsonValue = None
    """None when any arguments will do."""
    result: JsonValue | Absent = ABSENT
    mock_output: JsonValue | Absent = ABSENT
    optional: bool = False
    id: str | None = None
    offered: Offered | None = None
    effects: JsonValue | Absent = ABSENT
    """An expected value of what the call does to the page (`measure.evals.effects_json`)."""
    turn: int = 1
    """In which of the user's turns it has to be made, from 1."""
    fails: Failing | None = None
    """Whether the call has to fail, so that its caller can see it; None when nothing is said."""


@dataclass(frozen=True)
class Group:
    """Calls and groups that belong together. An optional one is wanted wholly or not at all."""

    place: str
    order: Order
    members: tuple["Node", ...]
    optional: bool = False


Node = PlannedCall | Group


def calls_of(nodes: Sequence[Node]) -> Iterator[PlannedCall]:
    """The planned calls in the order in which they are written."""
    for node in nodes:
        if isinstance(node, Group):
            yield from calls_of(node.members)
        else:
            yield node


def first_to_last(nodes: Sequence[Node]) -> Iterator[PlannedCall]:
    """The calls that are not optional, nor in an optional group, in the order in which they are written."""
    for node in nodes:
        if node.optional:
            continue
        if isinstance(node, Group):
            yield from first_to_last(node.members)
        else:
            yield node
