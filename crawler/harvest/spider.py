"""The spider of a harvest: plain HTTP by Scrapy, polite, in this process."""

import logging
from collections.abc import AsyncIterator, Callable, Iterable
from enum import StrEnum
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Request, Response
from twisted.python.failure import Failure

from census.errors import CensusError
from census.optout import OptOut
from crawler.harvest.collected import Collected
from crawler.harvest.gallery_walk import GalleryWalk
from crawler.harvest.replies import failure_in_words, refusal
from crawler.harvest.sitemap import MAX_BYTES
from crawler.harvest.sitemap_walk import SitemapWalk
from crawler.settings import PRODUCT
from crawler.target_list import ListFormat, parse_target_list


class SourceFormat(StrEnum):
    """What a harvest is made from."""

    GALLERY = "gallery"
    SITEMAP = "sitemap"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    TEXT = "text"
    RANKED = "ranked"
    CDXJ = "cdxj"


class HarvestSpider(Spider):
    """Fetches the source and hands it to the walk for its format."""

    name = "harvest"
    optout = OptOut()
    """A gallery is asked for its own pages only; who of its entries opted out is asked by the crawl."""

    def __init__(
        self,
        url: str,
        source_format: SourceFormat,
        max_pages: int | None,
        collected: Collected,
    ) -> None:
        super().__init__()
        self._url = url
        self._format = source_format
        self._collected = collected
        self._gallery = GalleryWalk(collected, max_pages)
        self._sitemap = SitemapWalk(collected, max_pages)

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the source."""
        read: Callable[[Response], Iterable[Request] | None]
        failed: Callable[[Failure], Iterable[Request] | None]
        match self._format:
            case SourceFormat.GALLERY:
                read, failed = self._gallery.read_page, self._gallery.page_failed
            case SourceFormat.SITEMAP:
                read, failed = self._sitemap.read, self._sitemap.failed
            case _:
                read, failed = self._read_list, self._list_failed
        yield Request(self._url, read, errback=failed, dont_filter=True)

    def closed(self, reason: str) -> None:
        """Look at what is missing when the crawl has ended."""
        if self.crawler.stats and self.crawler.stats.get_value("spider_exceptions/count"):
            self._collected.fall_short(self._url, "a page could not be read because of a fault of ours (see the log)")
        self._collected.close(self._url, "interrupted" if reason == "shutdown" else reason)

    def _read_list(self, response: Response) -> None:
        why_not = refusal(response.status, not response.body)
        if why_not:
            self._collected.fall_short(response.url, why_not)
            return
        try:
            self._collected.listed = parse_target_list(
                response.body, response.url, list_format=ListFormat(self._format)
            )
        except CensusError as error:
            self._collected.fall_short(response.url, str(error))
            return
        self._collected.pages += 1

    def _list_failed(self, failure: Failure) -> None:
        self._collected.fall_short(self._url, failure_in_words(failure.value))


def spider_settings(*, delay: float, user_agent: str, host_resolver_rules: str, allow_private: bool) -> dict[str, Any]:
    """Scrapy's settings for a harvest: one request at a time, few retries, bounded in time and size."""
    return {
        "USER_AGENT": user_agent,
        "ROBOTSTXT_OBEY": True,
        # Whatever the user agent says, robots.txt is asked about this crawler.
        "ROBOTSTXT_USER_AGENT": PRODUCT,
        "CONCURRENT_REQUESTS": 1,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": delay,
        "DOWNLOAD_TIMEOUT": 30,
        "DNS_TIMEOUT": 15,
        "DOWNLOAD_MAXSIZE": MAX_BYTES,
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
        "RETRY_TIMES": 2,
        # A page that stays away is among the reasons that the command prints.
        "RETRY_GIVE_UP_LOG_LEVEL": "INFO",
        "REDIRECT_MAX_TIMES": 5,
        # A waiting page refreshes itself; it must be seen, not followed.
        "METAREFRESH_ENABLED": False,
        "HTTPERROR_ALLOW_ALL": True,
        "DOWNLOADER_MIDDLEWARES": {"crawler.guard_middleware.GuardMiddleware": 50},
        "PUBLIC_ADDRESSES_ONLY": not allow_private,
        "DOWNLOAD_HANDLERS": {"data": None, "s3": None, "ftp": None},
        "TWISTED_DNS_RESOLVER": "crawler.names.MappedResolver",
        "HOST_RESOLVER_RULES": host_resolver_rules,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }


def run_spider(
    url: str,
    source_format: SourceFormat,
    *,
    max_pages: int | None,
    settings: dict[str, Any],
    on_reply: Callable[[Collected], None],
) -> Collected:
    """Run the harvest's spider in this process, once in a process's life, and return what it got."""
    collected = Collected()

    def show(**_: object) -> None:
        on_reply(collected)

    process = AsyncCrawlerProcess(settings)
    # It logs a robots.txt that cannot be fetched with a traceback; the page behind it fails too, in words.
    logging.getLogger("scrapy.downloadermiddlewares.robotstxt").setLevel(logging.CRITICAL)
    crawler = process.create_crawler(HarvestSpider)
    crawler.signals.connect(show, signals.response_received)
    process.crawl(crawler, url=url, source_format=source_format, max_pages=max_pages, collected=collected)
    process.start()
    return collected
