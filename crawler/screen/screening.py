"""Screens one page: asks for its document, its frames and its own site's scripts until a sign of WebMCP is found."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from census.site import site_of
from crawler.screen.record import Screening
from crawler.screen.signs import SITE_FILES, Sign, signs_in_headers, signs_in_script, signs_in_site_file
from crawler.screen.source import read_markup, scripts_named_in

MAX_SCRIPTS = 40
"""Of one page; what is beyond counts as unread, so that the page is visited."""
MAX_DOCUMENTS = 6
MAX_BYTES = 12_000_000
"""Of all that is read for one page."""

_GONE = frozenset({404, 410})


class Got(NamedTuple):
    """An answer, or why there is none."""

    url: str
    """Where it came from, after redirects."""
    status: int
    content_type: str
    text: str
    origin_trial: str = ""
    retry_after: str = ""
    problem: str | None = None

    @property
    def html(self) -> bool:
        """Whether it is a document that can have tools."""
        return self.content_type.partition(";")[0].strip().lower() in ("", "text/html", "application/xhtml+xml")


Fetch = Callable[[str], Awaitable[Got]]
"""Asks for a URL; never raises for what a server does."""
SiteFile = Callable[[str], Awaitable[Got]]
"""The same, remembered for each host."""


async def screen(url: str, fetch: Fetch, site_file: SiteFile) -> Screening:
    """Screen a page; the first document, script or file with a sign ends it.

    A page whose document is no readable HTML, or of which a script of its own could not be read, is `unread` unless a
    sign was found: what could not be asked is not a no.
    """
    first = await fetch(url)
    if first.problem is not None or first.status >= 400 or not first.html:
        why = first.problem or (f"status {first.status}" if first.status >= 400 else first.content_type[:100])
        return Screening(unread=1, why=why, status=first.status, retry_after=first.retry_after)
    walk = _Walk(fetch, first)
    await walk.document(first)
    while walk.more():
        await walk.step()
    if not walk.signs:
        await walk.site_files(site_file)
    return walk.result()


class _Walk:
    """What is known of a page while it is screened."""

    def __init__(self, fetch: Fetch, first: Got) -> None:
        self._fetch = fetch
        self._first = first
        self._site = site_of(first.url)
        self._documents: deque[str] = deque()
        self._scripts: deque[str] = deque()
        self._seen = {first.url.partition("#")[0]}
        self._bytes = 0
        self._read_documents = 0
        self._read_scripts = 0
        self._unread = 0
        self._why: str | None = None
        self.signs: set[Sign] = set()

    async def document(self, got: Got) -> None:
        """Take a document's signs and where it leads."""
        self._read_documents += 1
        self._bytes += len(got.text)
        source = read_markup(got.text, got.url, self._site)
        self.signs |= source.signs | signs_in_headers(got.origin_trial)
        self._queue(self._documents, source.documents)
        self._queue(self._scripts, source.scripts)
        self._queue(self._scripts, source.mentioned)

    def more(self) -> bool:
        """Whether a sign is still to be found and something is left to read; notes what is beyond the limits."""
        if self.signs or not (self._documents or self._scripts):
            return False
        if self._bytes > MAX_BYTES:
            return self._stop(f"over {MAX_BYTES:,} bytes", len(self._documents) + len(self._scripts))
        if not self._documents and self._read_scripts >= MAX_SCRIPTS:
            return self._stop(f"over {MAX_SCRIPTS} scripts", len(self._scripts))
        return True

    async def step(self) -> None:
        """Read the next document, or the next script."""
        if self._documents and self._read_documents < MAX_DOCUMENTS:
            got = await self._fetch(self._documents.popleft())
            if self._usable(got) and got.html:
                await self.document(got)
        elif self._documents:
            self._stop(f"over {MAX_DOCUMENTS} documents", len(self._documents))
            self._documents.clear()
        else:
            await self._script(await self._fetch(self._scripts.popleft()))

    async def _script(self, got: Got) -> None:
        self._read_scripts += 1
        # A server that has a page for every path has no script there.
        if not self._usable(got) or got.content_type.lower().startswith("text/html"):
            return
        self._bytes += len(got.text)
        self.signs |= signs_in_script(got.text)
        self._queue(self._scripts, scripts_named_in(got.text, got.url, self._first.url, self._site))

    async def site_files(self, site_file: SiteFile) -> None:
        """Look at the files of the site; one that could not be had says nothing and stops nothing."""
        for path in SITE_FILES:
            got = await site_file(path)
            if got.problem is None and got.status < 400:
                self.signs |= signs_in_site_file(path, got.content_type, got.text)

    def result(self) -> Screening:
        """What the page is on record with."""
        return Screening(
            signs=tuple(sorted(self.signs)),
            unread=self._unread,
            why=self._why,
            status=self._first.status,
            final_url=self._first.url,
            documents=self._read_documents,
            scripts=self._read_scripts,
        )

    def _usable(self, got: Got) -> bool:
        if got.problem is None and got.status < 400:
            return True
        if got.status not in _GONE:
            self._stop(got.problem or f"status {got.status} of {got.url}", 1)
        return False

    def _stop(self, why: str, unread: int) -> bool:
        self._unread += unread
        self._why = self._why or why[:200]
        return False

    def _queue(self, queue: deque[str], addresses: tuple[str, ...]) -> None:
        for address in addresses:
            if address not in self._seen:
                self._seen.add(address)
                queue.append(address)
