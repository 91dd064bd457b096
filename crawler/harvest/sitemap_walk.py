"""Walks a sitemap and what it includes, within bounds."""

from collections.abc import Iterator

from scrapy.http import Request, Response
from twisted.python.failure import Failure

from crawler.harvest.collected import Collected
from crawler.harvest.replies import asked_url, failure_in_words, refusal
from crawler.harvest.sitemap import read_sitemap

MAX_DEPTH = 5
MAX_FILES = 1000
MAX_ADDRESSES = 500_000


class SitemapWalk:
    """From a sitemap to every page that it or a sitemap under it lists; none is read twice."""

    def __init__(self, collected: Collected, max_pages: int | None) -> None:
        self._collected = collected
        self._max_files = max_pages or MAX_FILES
        self._asked: set[str] = set()
        self._count = 1

    def read(self, response: Response, depth: int = 0) -> Iterator[Request]:
        """Read a sitemap file."""
        self._asked.add(response.url)
        url = asked_url(response)
        why_not = refusal(response.status, not response.body)
        if why_not:
            self._collected.fall_short(url, why_not)
            return
        document = read_sitemap(response.body)
        if document.problem:
            self._collected.fall_short(url, document.problem)
        self._collected.pages += 1
        room = MAX_ADDRESSES - len(self._collected.addresses)
        self._collected.addresses += [(page, response.url) for page in document.pages[:room]]
        if len(document.pages) > room:
            self._collected.fall_short(url, f"more than {MAX_ADDRESSES} pages; the surplus was left out")
        for address in document.sitemaps:
            yield from self._ask(address, depth + 1)

    def failed(self, failure: Failure) -> None:
        """Note a sitemap that gave no reply."""
        request: Request = failure.request  # type: ignore[attr-defined]
        self._collected.fall_short(request.url, failure_in_words(failure.value))

    def _ask(self, url: str, depth: int) -> Iterator[Request]:
        if url in self._asked:
            return
        if not url.startswith(("http://", "https://")):
            self._collected.fall_short(url, "a sitemap's address must be an http(s) URL")
        elif depth > MAX_DEPTH:
            self._collected.fall_short(url, f"not read: it lies deeper than {MAX_DEPTH} sitemaps")
        elif self._count >= self._max_files:
            self._collected.limited = True
            self._collected.fall_short(url, f"not read: the walk was limited to {self._max_files} sitemaps")
        else:
            self._asked.add(url)
            self._count += 1
            yield Request(
                url,
                self.read,
                errback=self.failed,
                cb_kwargs={"depth": depth},
                # The scheduler takes the last one first; the sitemap's order is kept by priority.
                priority=-self._count,
                dont_filter=True,
            )
