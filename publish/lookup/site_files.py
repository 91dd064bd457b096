"""The index and the names of a site, and how its files are fetched."""

import urllib.error
import urllib.request
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from census.errors import CensusError
from census.vocabulary import Api, Outcome
from publish.lookup.no_tools import NoTools
from publish.lookup.sayings import NOT_IN_CENSUS
from publish.lookup.shard_layout import Layout

API = "api/v1"
"""Where the files for programs are, below the site."""

_SECONDS = 30
_MOST_BYTES = 100_000_000


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Words(_File):
    """What the words in shards mean."""

    outcome: dict[Outcome, str]
    api: dict[Api, str]
    why: dict[NoTools, str]
    missing: tuple[str, ...]
    """Why a page can be in no shard."""


class Index(_File):
    """`index.json`: what a look-up has to know before its one request."""

    api: Literal[1] = 1
    release: Annotated[str, Field(description="The release that all entries are of.")]
    releases: Annotated[tuple[str, ...], Field(description="All releases of the site, the newest first.")]
    pages: int
    linted: Annotated[bool, Field(description="Whether lint was run: without it, nothing is said of findings.")]
    visited: Annotated[date, Field(description="Day of most visits, UTC: that of a page in a shard which says none.")]
    prefix_length: Annotated[int, Field(description="Digits in the name of a shard that is not split.")]
    split: Annotated[tuple[str, ...], Field(description="Shards that are split by the next digit, and are not there.")]
    words: Words

    @property
    def layout(self) -> Layout:
        """Where the entries are."""
        return Layout(self.prefix_length, frozenset(self.split))


class NamedPage(_File):
    """A page with tools, to be searched for by its names."""

    url: str
    project: str | None = None
    names: tuple[str, ...]
    """Of its tools."""
    tools: int | None = None
    entry: str


class Names(_File):
    """`names.json`: all pages with tools."""

    release: str
    pages: tuple[NamedPage, ...]


def words() -> Words:
    """The meanings, from the vocabularies."""
    return Words(
        outcome={word: word.meaning for word in Outcome},
        api={word: word.meaning for word in Api},
        why={word: word.meaning for word in NoTools},
        missing=NOT_IN_CENSUS,
    )


def fetch(url: str) -> bytes:
    """Fetch a file of a site. Raises CensusError when it cannot be had."""
    request = urllib.request.Request(url, headers={"User-Agent": "webmcp-census lookup"})  # noqa: S310 -- http(s) only
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply:  # noqa: S310 -- http(s) only
            data: bytes = reply.read(_MOST_BYTES + 1)
    except (OSError, ValueError, urllib.error.URLError) as error:
        raise CensusError(f"{url} cannot be had ({error}); is that the URL of a site of webmcp-census?") from error
    if len(data) > _MOST_BYTES:
        raise CensusError(f"{url} is over {_MOST_BYTES:,} bytes; no site of webmcp-census has such a file")
    return data
