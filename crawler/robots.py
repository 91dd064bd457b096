"""robots.txt, on top of Scrapy's own middleware: one fetch for each host, RFC 9309's answer to a failing server."""

import asyncio
from collections import OrderedDict

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import ProtegoRobotParser, RobotParser
from scrapy.utils.httpobj import urlparse_cached

from census.site import site_of
from census.vocabulary import Outcome
from crawler.gate import Refusal
from crawler.settings import PRODUCT

_MAX_HOSTS = 2_000
_FETCH_TIMEOUT = 40.0
_DISALLOW_ALL = b"User-agent: *\nDisallow: /"


class RobotsMiddleware(RobotsTxtMiddleware):
    """Disallows a site whose robots.txt answers 5xx (RFC 9309, 2.3.1.4), and reports each site's crawl-delay.

    A server that cannot be reached at all is left to the visit to tell: it ends as `dns_error` or `connect_error`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._fetches: OrderedDict[str, asyncio.Task[RobotParser | None]] = OrderedDict()

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The rules of the request's host, fetched once for all who ask, however the first of them ends.

        Scrapy's own fetch dies with its asker, and gives all who wait but one None, which allows everything (measured).
        """
        url = urlparse_cached(request)
        fetch = self._fetches.get(url.netloc)
        if fetch is None:
            fetch = asyncio.ensure_future(self._fetch(request, f"{url.scheme}://{url.netloc}/robots.txt"))
            self._fetches[url.netloc] = fetch
            while len(self._fetches) > _MAX_HOSTS:
                self._fetches.popitem(last=False)
        return await asyncio.shield(fetch)

    async def refuse_disallowed(self, url: str) -> Refusal | None:
        """The gate's question for a redirect: whether robots.txt of where it leads allows it."""
        try:
            self.process_request_2(await self.robot_parser(Request(url)), Request(url))
        except IgnoreRequest:
            return Refusal(Outcome.ROBOTS_DISALLOWED, f"robots.txt disallows {url}")
        return None

    async def _fetch(self, request: Request, robots_url: str) -> RobotParser | None:
        meta = {"dont_obey_robotstxt": True}
        ask = Request(robots_url, priority=self.DOWNLOAD_PRIORITY, meta=meta, callback=NO_CALLBACK)
        try:
            async with asyncio.timeout(_FETCH_TIMEOUT):
                response = await self.crawler.engine.download_async(ask)
        except Exception:  # noqa: BLE001 -- whatever kept the file from coming keeps the page from coming too
            return None
        body = _DISALLOW_ALL if response.status >= 500 else b"" if response.status >= 400 else response.body
        parser = ProtegoRobotParser.from_crawler(self.crawler, body)
        delay = parser.crawl_delay(PRODUCT)
        if delay:
            self.crawler.spider.crawl_delay(site_of(request.url), delay)  # type: ignore[union-attr]
        return parser
