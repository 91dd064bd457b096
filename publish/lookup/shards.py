"""The files of `api/v1`: shards of pages, hosts with more pages than a shard holds, and the index of them.

Each is there twice: `.json` for programs, and `.js`, which a page opened from a disk can load too.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from publish.lookup.question import Address, address_of
from publish.lookup.shard_layout import HOST_DIGITS, LIMIT, Layout, digest, layout_of, shard_names, spread
from publish.lookup.shard_page import ShardPage, without_findings

_ROOM = LIMIT - 256
"""Bytes for the entries of one file; the rest is for what stands around them."""
_MOST_OF_ONE = 4_096

Page = Mapping[str, object]


class Shard(BaseModel):
    """A file `pages/PREFIX.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    release: str
    pages: tuple[ShardPage, ...]
    left_out: Annotated[int, Field(description="Pages that did not fit: their addresses have one digest.")] = 0


class CrowdedHost(BaseModel):
    """A file `hosts/DIGEST.json`: of a host whose pages are spread over several shards, the first ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    release: str
    hosts: Annotated[dict[str, int], Field(description="How many pages each host of this digest has.")]
    pages: tuple[ShardPage, ...]


class Shards:
    """The layout and the files for a list of pages."""

    def __init__(self, release: str, pages: Sequence[Page]) -> None:
        """`pages` are records of `shard_page`."""
        self._release = release
        self._pages: list[tuple[str, Address, bytes, Page]] = []
        for page in pages:
            text = _packed(page)
            if len(text) > _MOST_OF_ONE:
                page = without_findings(page)
                text = _packed(page)
            for address in _addresses(page):
                self._pages.append((digest(address), address, text, page))
        self.layout: Layout = layout_of((each, len(text) + 1) for each, _, text, _ in self._pages)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The name, without an ending, and the JSON of every file."""
        places = spread(self.layout, [each for each, *_ in self._pages])
        for name in shard_names(self.layout):
            yield f"pages/{name}", self._shard(places.get(name, []))
        crowded: dict[str, list[int]] = {name: [] for name in sorted(self.layout.split) if len(name) == HOST_DIGITS}
        for place, (each, *_) in enumerate(self._pages):
            if each[:HOST_DIGITS] in crowded:
                crowded[each[:HOST_DIGITS]].append(place)
        for name, members in crowded.items():
            yield f"hosts/{name}", self._host(members)

    def _shard(self, places: Sequence[int]) -> bytes:
        texts = [self._pages[place][2] for place in places]
        kept = _fitting(texts)
        left_out = f',"left_out":{len(texts) - len(kept)}' if len(kept) < len(texts) else ""
        return self._file(left_out, kept)

    def _host(self, places: Sequence[int]) -> bytes:
        members = [self._pages[place] for place in places]
        hosts = Counter(address.shard_host for _, address, _, _ in members)
        members.sort(key=lambda each: (each[1].rest != "", "entry" not in each[3]))
        counts = json.dumps(dict(sorted(hosts.most_common(50))), separators=(",", ":"))
        return self._file(f',"hosts":{counts}', _fitting([text for _, _, text, _ in members]))

    def _file(self, more: str, texts: Sequence[bytes]) -> bytes:
        head = f'{{"release":{json.dumps(self._release)}{more},"pages":['
        return head.encode() + b",".join(texts) + b"]}"


def as_script(name: str, data: bytes) -> bytes:
    """The same data as a script. It is ASCII and has no `<`: nothing in it can end a script element."""
    return b'webmcpCensus.take("' + name.encode() + b'",' + data + b");\n"


def _packed(page: Page) -> bytes:
    return json.dumps(page, separators=(",", ":")).replace("<", "\\u003c").encode()


def _addresses(page: Page) -> list[Address]:
    """Where it is looked for: its own address, and the one that it led to when that is of another host."""
    own, led_to = (address_of(str(page[name])) if name in page else None for name in ("url", "final_url"))
    if own is None:
        return []
    return [own] if led_to is None or led_to.shard_host == own.shard_host else [own, led_to]


def _fitting(texts: Sequence[bytes]) -> list[bytes]:
    kept, room = [], _ROOM
    for text in texts:
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    return kept
