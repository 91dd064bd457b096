"""Which shard an entry is in: by a prefix of a digest of its host, so that a look-up is one small request.

The digest has 16 hex digits: 32-bit FNV-1a (Fowler, Noll, Vo) of the host without `www.`, then of the letters of the
rest of the address. Shards are named by the first `prefix_length` digits, the smallest number at which at most one
shard in twenty is over `LIMIT`; a shard over it is split by the next digit, and again, and its name is in `split`. A
host with more pages than one shard holds is split into the second half; `hosts/` then has a file for the host.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from publish.lookup.question import Address, letters

LIMIT = 16_384
"""Most bytes of a shard's file."""
_ENVELOPE = 256
"""Bytes of a file that are not entries."""
HOST_DIGITS, DIGITS = 8, 16
_HEX = "0123456789abcdef"
_TOLERATED = 1 / 20
_PRIME, _BASIS, _MASK = 0x01000193, 0x811C9DC5, 0xFFFFFFFF


class Layout(NamedTuple):
    """How the entries are spread over shards: what a look-up has to know before its one request."""

    prefix_length: int
    split: frozenset[str]

    def shard_of(self, digest: str) -> str | None:
        """The shard that has a digest's entries; None when half a digest (a host's) is not enough to tell."""
        name = digest[: self.prefix_length]
        while name in self.split:
            if len(name) == len(digest):
                return None
            name = digest[: len(name) + 1]
        return name


def fnv1a(text: str) -> str:
    """32-bit FNV-1a of the text in UTF-8, as 8 hex digits."""
    value = _BASIS
    for byte in text.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * _PRIME) & _MASK
    return f"{value:08x}"


def host_digest(address: Address) -> str:
    """The first half of a digest."""
    return fnv1a(address.shard_host)


def digest(address: Address) -> str:
    """The digest of an address."""
    return host_digest(address) + fnv1a(letters(address.rest))


def layout_of(sizes: Iterable[tuple[str, int]]) -> Layout:
    """Choose the layout for entries of the given digests and sizes in bytes (with the comma between two)."""
    sized = list(sizes)
    prefix_length = 1
    while prefix_length < HOST_DIGITS and len(_over(sized, prefix_length)) > _TOLERATED * 16**prefix_length:
        prefix_length += 1
    split: set[str] = set()
    length, over = prefix_length, _over(sized, prefix_length)
    while over and length < DIGITS:
        split |= over
        length += 1
        over = {name for name in _over(sized, length) if name[:-1] in split}
    return Layout(prefix_length, frozenset(split))


def shard_names(layout: Layout) -> Iterator[str]:
    """The name of every shard, those without an entry too: what a site does not have is an error, not an answer."""
    for number in range(16**layout.prefix_length):
        yield from _leaves(layout, f"{number:0{layout.prefix_length}x}")


def spread(layout: Layout, digests: Sequence[str]) -> dict[str, list[int]]:
    """The places of the digests, by shard."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(digests):
        name = layout.shard_of(each)
        assert name is not None, "a whole digest has a shard: none is split at its full length"
        places[name].append(place)
    return places


def _leaves(layout: Layout, name: str) -> Iterator[str]:
    if name not in layout.split:
        yield name
        return
    for digit in _HEX:
        yield from _leaves(layout, name + digit)


def _over(sized: Sequence[tuple[str, int]], length: int) -> set[str]:
    totals: dict[str, int] = defaultdict(int)
    for each, size in sized:
        totals[each[:length]] += size
    return {name for name, total in totals.items() if total > LIMIT - _ENVELOPE}
