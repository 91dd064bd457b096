"""A random sample of a long list in one pass: the same for the same seed, as large in each stratum of the rank."""

import hashlib
import heapq
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_FIRST = 1_000


class Stratum(NamedTuple):
    """Ranks from `above` (not included) to `to`; both None for what has no rank."""

    above: int | None
    to: int | None


UNRANKED = Stratum(None, None)


def stratum_of(rank: int | None) -> Stratum:
    """The stratum of a rank: up to 1,000, then each power of ten."""
    if rank is None:
        return UNRANKED
    to = _FIRST
    while rank > to:
        to *= 10
    return Stratum(0 if to == _FIRST else to // 10, to)


class Drawn(NamedTuple):
    """How many of a stratum's targets a sample has: each of them stands for `targets / drawn`."""

    stratum: Stratum
    targets: int
    drawn: int


@dataclass
class _Pool(Generic[T]):
    size: int = 0
    heap: list[tuple[int, int, T]] = field(default_factory=list)
    """The items with the smallest draws; the largest draw on top (negated)."""


class Sample(Generic[T]):
    """Keeps what a sample of `number` items may need: at most that many of each stratum."""

    def __init__(self, number: int, seed: str) -> None:
        self._number = number
        self._seed = seed
        self._pools: dict[Stratum, _Pool[T]] = {}

    def offer(self, key: str, rank: int | None, order: int, item: T) -> None:
        """Take a target into account. Its draw depends on seed and key alone, so the list's order does not matter."""
        pool = self._pools.setdefault(stratum_of(rank), _Pool())
        pool.size += 1
        draw = int.from_bytes(hashlib.sha256(f"{self._seed} {key}".encode("utf-8", "surrogatepass")).digest()[:8])
        if len(pool.heap) < self._number:
            heapq.heappush(pool.heap, (-draw, order, item))
        elif -draw > pool.heap[0][0]:
            heapq.heapreplace(pool.heap, (-draw, order, item))

    def drawn(self) -> tuple[list[T], list[Drawn]]:
        """The sample in the list's order, and how many of each stratum it has."""
        shares = shared_out(self._number, {stratum: pool.size for stratum, pool in self._pools.items()})
        taken: list[tuple[int, T]] = []
        for stratum, share in shares.items():
            smallest = sorted(self._pools[stratum].heap, key=lambda each: -each[0])[:share]
            taken += [(order, item) for _, order, item in smallest]
        counts = [Drawn(stratum, self._pools[stratum].size, share) for stratum, share in shares.items()]
        return [item for _, item in sorted(taken, key=lambda each: each[0])], counts


def shared_out(number: int, sizes: dict[Stratum, int]) -> dict[Stratum, int]:
    """As many of each stratum; what a small one does not have goes to the others, the higher ranks first."""
    order = sorted(sizes, key=lambda stratum: (stratum.to is None, stratum.to))
    shares = dict.fromkeys(order, 0)
    left = min(number, sum(sizes.values()))
    while left:
        open_ = [stratum for stratum in order if shares[stratum] < sizes[stratum]]
        each = max(left // len(open_), 1)
        for stratum in open_:
            more = min(each, sizes[stratum] - shares[stratum], left)
            shares[stratum] += more
            left -= more
    return shares
