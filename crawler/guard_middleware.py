"""Stops Scrapy's requests, robots.txt's and redirects' included, before they reach anybody who must not be asked."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest

from census.optout import OptOut
from census.vocabulary import Outcome
from crawler.addresses import refuse_private
from crawler.gate import Refusal


class Refused(IgnoreRequest):
    """A request that is not made, with the outcome it means for the visit."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.detail)
        self.refusal = refusal


class GuardMiddleware:
    """Asks the guards that need no network; what only a name's address shows is refused where it is resolved."""

    def __init__(self, optout: OptOut, *, allow_private: bool) -> None:
        self._optout = optout
        self._allow_private = allow_private

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Made by Scrapy; the spider knows the opt-out list."""
        public_only = crawler.settings.getbool("PUBLIC_ADDRESSES_ONLY")
        return cls(crawler.spider.optout, allow_private=not public_only)  # type: ignore[union-attr]

    async def process_request(self, request: Request) -> None:
        """Raise Refused for a site that opted out or an address that is not public."""
        if self._optout.covers(request.url):
            raise Refused(Refusal(Outcome.OPTED_OUT, "on the opt-out list"))
        if not self._allow_private:
            refusal = await refuse_private(request.url)
            if refusal is not None:
                raise Refused(refusal)
