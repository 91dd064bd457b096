"""robots.txt, on top of Scrapy's own middleware: bounded memory, RFC 9309's answer to a failing server."""

from collections import OrderedDict
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.robotstxt import ProtegoRobotParser
from twisted.internet.defer import Deferred

from census.site import site_of
from census.vocabulary import Outcome
from crawler.gate import Refusal
from crawler.settings import PRODUCT

_MAX_PARSERS = 2_000
_DISALLOW_ALL = b"User-agent: *\nDisallow: /"


class _Recent(OrderedDict[str, Any]):
    """A dict that forgets what was used longest ago, but never what is still being fetched."""

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        for old in list(self)[: max(len(self) - _MAX_PARSERS, 0)]:
            if not isinstance(self[old], Deferred):
                del self[old]


class RobotsMiddleware(RobotsTxtMiddleware):
    """Disallows a site whose robots.txt answers 5xx (RFC 9309, 2.3.1.4), and reports each site's crawl-delay."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._parsers = _Recent()

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= 500:
            response = response.replace(body=_DISALLOW_ALL)
        elif response.status >= 400:
            response = response.replace(body=b"")
        await super()._parse_robots(response, netloc, request)
        parser = self._parsers[netloc]
        delay = parser.crawl_delay(PRODUCT) if isinstance(parser, ProtegoRobotParser) else None
        if delay:
            self.crawler.spider.crawl_delay(site_of(request.url), delay)  # type: ignore[union-attr]

    async def refuse_disallowed(self, url: str) -> Refusal | None:
        """The gate's question for a redirect: whether robots.txt of where it leads allows it."""
        try:
            self.process_request_2(await self.robot_parser(Request(url)), Request(url))
        except IgnoreRequest:
            return Refusal(Outcome.ROBOTS_DISALLOWED, f"robots.txt disallows {url}")
        return None
