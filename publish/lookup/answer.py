"""What a look-up answers."""

from collections.abc import Iterable
from typing import NamedTuple

from publish.lookup.entry import Entry

MOST_LINES = 50
"""Pages of a host, or with a name, that are listed."""


class PageLine(NamedTuple):
    """A page in a list."""

    url: str
    project: str | None
    outcome: str
    tools_callable: int | None


class Answer(NamedTuple):
    """The pages that were asked for, and others that may be meant."""

    release: str
    """Its version."""
    text: str
    """What was asked."""
    entries: tuple[Entry, ...]
    others: tuple[PageLine, ...]
    """More pages of the host, or pages whose project or tool has the name; at most `MOST_LINES`."""
    others_count: int

    @property
    def found(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.entries or self.others)


def answer(release: str, text: str, entries: Iterable[Entry], others: Iterable[PageLine]) -> Answer:
    """Put an answer together; pages with tools come first among the others."""
    lines = sorted(others, key=lambda line: (not line.tools_callable, line.url))
    return Answer(release, text, tuple(entries), tuple(lines[:MOST_LINES]), len(lines))
