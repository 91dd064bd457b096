"""Looking a page up on a site: one shard, and the entry when the page has one of its own."""

import gzip
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from census.errors import CensusError
from census.finding import Severity
from census.optout import OptOut
from census.site import site_of
from census.vocabulary import Outcome
from publish.lookup.answer import Answer, PageLine, answer
from publish.lookup.entry import Earlier, Entry, EntryFinding, EntryPage
from publish.lookup.no_tools import NoTools
from publish.lookup.question import Address, Question, is_at, is_of_host
from publish.lookup.shard_layout import digest, host_digest
from publish.lookup.shard_page import ShardPage
from publish.lookup.shards import CrowdedHost, Shard
from publish.lookup.site_files import API, Index, NamedPage, Names

Fetch = Callable[[str], bytes]

_Model = TypeVar("_Model", bound=BaseModel)
_MOST_ENTRIES = 5
_GZIP = b"\x1f\x8b"


class SiteAnswers:
    """A site, asked over http(s)."""

    def __init__(self, url: str, fetch: Fetch, optout: OptOut) -> None:
        base = url.partition("#")[0].partition("?")[0].removesuffix("index.html").rstrip("/")
        self._root, self._fetch, self._optout = f"{base}/{API}/", fetch, optout

    def look_up(self, asked: Question) -> Answer:
        """Find the pages that are meant. Raises CensusError when the site does not answer as one of ours does."""
        index = self._read("index", Index)
        if asked.address is None:
            return self._by_name(asked, index)
        pages = [page for page in self._near(asked.address, index) if not self._hidden(page)]
        exact = [page for page in pages if is_at((page.url, page.final_url), asked.address)]
        of_host = [page for page in pages if is_of_host(page.url, asked.address)]
        chosen = exact or (of_host if len(of_host) == 1 else [])
        if not chosen and not of_host:
            return self._by_name(asked, index)
        entries = [self._entry(page, index) for page in chosen[:_MOST_ENTRIES]]
        return answer(index.release, asked.text, entries, (_line(page) for page in of_host if page not in chosen))

    def _near(self, address: Address, index: Index) -> Sequence[ShardPage]:
        whole = digest(address)
        name = index.layout.shard_of(whole if address.rest else host_digest(address))
        if name is None:
            return self._read(f"hosts/{host_digest(address)}", CrowdedHost).pages
        return self._read(f"pages/{name}", Shard).pages

    def _by_name(self, asked: Question, index: Index) -> Answer:
        name = asked.text.lower()
        fitting = [
            page
            for page in (self._read("names", Names).pages if name else ())
            if name in (page.project or "").lower() or name in (tool.lower() for tool in page.names)
        ]
        exact = [page for page in fitting if (page.project or "").lower() == name]
        chosen = exact if len(exact) == 1 else fitting if len(fitting) == 1 else []
        entries = [self._own(page.entry) for page in chosen]
        return answer(index.release, asked.text, entries, (_named_line(page) for page in fitting if page not in chosen))

    def _entry(self, page: ShardPage, index: Index) -> Entry:
        if page.entry is not None:
            return self._own(page.entry)
        return _entry_of(page, index)

    def _hidden(self, page: ShardPage) -> bool:
        return self._optout.covers(page.url) or bool(page.final_url and self._optout.covers(page.final_url))

    def _own(self, id_: str) -> Entry:
        return self._read(f"entries/{id_}", Entry, ".json.gz")

    def _read(self, name: str, model: type[_Model], ending: str = ".json") -> _Model:
        url = f"{self._root}{name}{ending}"
        try:
            data = self._fetch(url)
            # Some hosts say that it is compressed, and the client has unpacked it.
            return model.model_validate_json(gzip.decompress(data) if data.startswith(_GZIP) else data)
        except (ValidationError, gzip.BadGzipFile, EOFError) as error:
            raise CensusError(f"{url} is not what a site of this version of webmcp-census has: {error}") from error


def _entry_of(page: ShardPage, index: Index) -> Entry:
    day = page.visited or index.visited
    visited = datetime(day.year, day.month, day.day, tzinfo=UTC)
    captured = page.outcome is Outcome.CAPTURED
    return Entry(
        release=index.release,
        page=EntryPage(
            target_url=page.url,
            final_url=page.final_url,
            site=site_of(page.url),
            project=page.project,
            visited_at=visited,
            outcome=page.outcome,
            outcome_detail=page.detail,
            api=page.api if captured else None,
            tools_callable=page.tools,
            tools_unlisted=page.unlisted,
            unmeasured=None if page.tools is not None else "unknown" if captured else page.outcome.value,
            linted=index.linted if captured else None,
        ),
        why=page.why or ((NoTools.NOTHING_REGISTERED,) if page.tools == 0 else ()),
        findings=tuple(
            EntryFinding(rule=each.rule, severity=Severity(each.severity), message=each.message, remedy=each.remedy)
            for each in page.findings
        ),
        problems={Severity(word): number for word, number in page.problems.items()},
        earlier=tuple(
            Earlier(release=release, outcome=outcome, tools_callable=tools) for release, outcome, tools in page.earlier
        ),
        left_out={"findings": more} if (more := sum(page.problems.values()) - len(page.findings)) > 0 else {},
    )


def _line(page: ShardPage) -> PageLine:
    return PageLine(page.url, page.project, page.outcome, page.tools)


def _named_line(page: NamedPage) -> PageLine:
    return PageLine(page.url, page.project, Outcome.CAPTURED, page.tools)
