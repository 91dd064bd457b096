"""Before a visit: has anything of the page changed since the release that has it? Asked by conditional requests."""

import asyncio
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http.request import NO_CALLBACK

from census.recheck import Recheck, Validator
from census.vocabulary import Outcome, Pass
from crawler.frontier import Lease
from crawler.gate import Refusal
from crawler.guard_middleware import Refused

TIMEOUT = 40.0
"""Seconds for all requests of one page; what is not answered by then counts as changed."""
_NOT_MODIFIED = 304


class RecheckMiddleware:
    """Ends a visit as `unchanged` when its server says so of the document and of every script (RFC 9110, 15.4.5).

    One answer of another kind, or none, and the page is visited. Behind robots.txt and the guards, which each of the
    requests passes as well.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Made by Scrapy."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Raise Refused for a visit that need not be made."""
        lease: Lease | None = request.meta.get("lease")
        if lease is None or lease.pass_ is not Pass.MAIN or lease.target.recheck is None:
            return
        recheck = lease.target.recheck
        if await self._unchanged(recheck):
            detail = f"{len(recheck.resources)} documents and scripts not modified since {recheck.release}"
            raise Refused(Refusal(Outcome.UNCHANGED, detail))

    async def _unchanged(self, recheck: Recheck) -> bool:
        try:
            async with asyncio.timeout(TIMEOUT):
                for resource in recheck.resources:
                    if not await self._not_modified(resource):
                        return False
        except TimeoutError:
            return False
        return bool(recheck.resources)

    async def _not_modified(self, resource: Validator) -> bool:
        headers = {"If-None-Match": resource.etag, "If-Modified-Since": resource.last_modified}
        given = {name: value for name, value in headers.items() if value}
        ask = Request(resource.url, headers=given, meta={"dont_redirect": True}, callback=NO_CALLBACK, dont_filter=True)
        try:
            response = await self._crawler.engine.download_async(ask)
        except Exception:  # noqa: BLE001 -- whatever kept the answer from coming, the visit will tell
            return False
        return bool(response.status == _NOT_MODIFIED)
