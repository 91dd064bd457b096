"""Walks a gallery's pager and its project pages; never takes a truncated gallery for a short one."""

from collections.abc import Iterator

from scrapy.exceptions import CloseSpider
from scrapy.http import Request, Response
from twisted.python.failure import Failure

from crawler.harvest.collected import Collected
from crawler.harvest.gallery import GalleryPage, read_gallery_page, read_project_page
from crawler.harvest.replies import asked_url, failure_in_words, is_block, refusal, text_of

BLOCKS_IN_A_ROW = 5
"""After so many refused project pages nothing more is asked: the server does not want to be."""
MAX_PAGES = 5000
"""The longest walk; a pager without an end must not be walked for ever."""

# The pager is walked to its end first, in as little time as possible: entries that are added meanwhile shift
# the others from page to page.
_PAGER_PRIORITY = 10


class GalleryWalk:
    """From the first gallery page to the last project page."""

    def __init__(self, collected: Collected, max_pages: int | None) -> None:
        self._collected = collected
        self._max_pages = max_pages or MAX_PAGES
        self._pages: dict[int, str] = {}
        self._asked: set[str] = set()
        self._count = 1
        self._blocks = 0

    def read_page(self, response: Response, number: int = 1) -> Iterator[Request]:
        """Read a gallery page; `number` is the one it should have."""
        self._asked.add(response.url)
        why_not = refusal(response.status, not response.body)
        page = None if why_not else read_gallery_page(text_of(response), response.url)
        if page is None:
            why_not = why_not or "nothing of a gallery on the page (a waiting or a block page?)"
            self._collected.fall_short(asked_url(response), why_not)
            if not is_block(response.status):
                yield from self._ask_page(self._pages.get(number + 1), number + 1)
            return
        self._pages.update(page.pages)
        fresh = self._collected.add_page(page)
        for key, entry in fresh:
            yield Request(
                entry.url,
                self.read_project,
                errback=self.project_failed,
                cb_kwargs={"key": key},
                dont_filter=True,
            )
        if page.entries and not fresh:
            self._collected.fall_short(
                asked_url(response), "the page repeats entries of earlier pages; the walk stops here"
            )
            return
        yield from self._go_on(page, page.number or number, asked_url(response))

    def page_failed(self, failure: Failure) -> Iterator[Request]:
        """Go on behind a gallery page that gave no reply, where the pager has said what is there."""
        request: Request = failure.request  # type: ignore[attr-defined]
        self._collected.fall_short(request.url, failure_in_words(failure.value))
        number = request.cb_kwargs.get("number", 1) + 1
        yield from self._ask_page(self._pages.get(number), number)

    def read_project(self, response: Response, key: str) -> None:
        """Read a project page."""
        why_not = refusal(response.status, not response.body)
        project = None if why_not else read_project_page(text_of(response), response.url)
        if project is not None:
            self._blocks = 0
            self._collected.projects[key] = project
            return
        self._collected.failed.add(key)
        self._collected.fall_short(
            asked_url(response), why_not or "nothing of a project on the page (a waiting or a block page?)"
        )
        self._blocks = self._blocks + 1 if is_block(response.status) else 0
        if self._blocks >= BLOCKS_IN_A_ROW:
            raise CloseSpider(f"{BLOCKS_IN_A_ROW} project pages in a row were refused")

    def project_failed(self, failure: Failure) -> None:
        """Note a project page that gave no reply."""
        request: Request = failure.request  # type: ignore[attr-defined]
        self._collected.failed.add(request.cb_kwargs["key"])
        self._collected.fall_short(request.url, failure_in_words(failure.value))

    def _go_on(self, page: GalleryPage, number: int, url: str) -> Iterator[Request]:
        announced, seen = self._collected.announced, len(self._collected.entries)
        if not page.entries and (announced is None or seen < announced):
            self._collected.fall_short(url, "no entry on the page")
        following = page.next_url or self._pages.get(number + 1)
        highest = max(self._pages, default=0)
        if following is None and number < highest:
            self._collected.fall_short(url, f"the pager ends at page {number}; earlier it went to {highest}")
        if following in self._asked:
            self._collected.fall_short(url, f"the pager leads back to {following}")
            following = None
        yield from self._ask_page(following, number + 1)

    def _ask_page(self, url: str | None, number: int) -> Iterator[Request]:
        if url is None or url in self._asked:
            return
        if not url.startswith(("http://", "https://")):
            self._collected.fall_short(url, "the next page cannot be reached from a saved file; give the URL")
            return
        if self._count >= self._max_pages:
            self._collected.limited = True
            self._collected.fall_short(url, f"not read: the walk was limited to {self._max_pages} pages")
            return
        self._asked.add(url)
        self._count += 1
        yield Request(
            url,
            self.read_page,
            errback=self.page_failed,
            cb_kwargs={"number": number},
            priority=_PAGER_PRIORITY,
            dont_filter=True,
        )
