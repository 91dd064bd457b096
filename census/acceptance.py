"""Rates that may leave their band: named one by one, each with a reason that is published."""

from collections.abc import Sequence

from census.errors import CensusError
from census.manifest import Accepted
from census.number import Share
from census.numbers import NUMBERS

BAND = "band/"


def accepted_of(words: Sequence[str]) -> tuple[Accepted, ...]:
    """Read `band/RATE:reason` from the command line. Raises CensusError for anything else: no other gate gives way."""
    known = {f"{BAND}{number.id}" for number in NUMBERS if isinstance(number, Share)}
    accepted = []
    for word in words:
        rule, _, reason = word.partition(":")
        if rule not in known:
            raise CensusError(f"--accept {word!r}: {rule!r} is no band of a rate; one of {', '.join(sorted(known))}")
        if not reason.strip():
            raise CensusError(f"--accept {word!r} gives no reason; write {rule}:why it changed")
        accepted.append(Accepted(rule=rule, reason=reason.strip()))
    return tuple(accepted)
