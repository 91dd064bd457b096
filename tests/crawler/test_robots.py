"""robots.txt by status and by memory; test_crawl_politeness.py has what a crawl makes of it."""

import asyncio
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.http import Response, TextResponse
from scrapy.utils.test import get_crawler

import crawler.robots
from census.vocabulary import Outcome
from crawler.robots import RobotsMiddleware

DISALLOWS = b"User-agent: *\nDisallow: /\n"


class Rules:
    """The middleware over servers that all give one answer; keeps what was asked and which delays were wished."""

    def __init__(self, answer: Response | Exception) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.delays: dict[str, float] = {}
        scrapy = get_crawler(settings_dict={"ROBOTSTXT_OBEY": True, "ROBOTSTXT_USER_AGENT": "webmcp-census"})
        scrapy.engine = SimpleNamespace(download_async=self._download)
        scrapy.spider = SimpleNamespace(crawl_delay=self.delays.__setitem__)
        self.middleware = RobotsMiddleware(scrapy)

    async def _download(self, request: Request) -> Response:
        self.asked.append(request.url)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def refuse(self, *urls: str) -> list[bool]:
        async def ask() -> list[bool]:
            return [await self.middleware.refuse_disallowed(url) is not None for url in urls]

        return asyncio.run(ask())


def robots_txt(body: bytes, status: int = 200) -> Response:
    return TextResponse("https://a.org/robots.txt", status=status, body=body)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_server_that_fails_disallows_everything(status):
    assert Rules(robots_txt(b"User-agent: *\nAllow: /", status)).refuse("https://a.org/") == [True]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429])
def test_a_server_without_rules_allows_everything_whatever_its_error_page_says(status):
    assert Rules(robots_txt(DISALLOWS, status)).refuse("https://a.org/") == [False]


@pytest.mark.parametrize("body", [b"", b"\x00\xff\xfe", b"<!doctype html><p>Not rules", b"Disallow: /"])
def test_what_is_no_rule_disallows_nothing(body):
    assert Rules(robots_txt(body)).refuse("https://a.org/") == [False]


def test_a_server_that_cannot_be_reached_is_left_to_the_visit_to_tell():
    assert Rules(OSError("no route")).refuse("https://a.org/") == [False]


def test_the_refusal_names_the_url():
    rules = Rules(robots_txt(DISALLOWS))
    refusal = asyncio.run(rules.middleware.refuse_disallowed("https://a.org/x"))
    assert (refusal.outcome, refusal.detail) == (
        Outcome.ROBOTS_DISALLOWED,
        "robots.txt disallows https://a.org/x",
    )


def test_the_rules_are_asked_for_once_by_host_and_port():
    rules = Rules(robots_txt(DISALLOWS))
    rules.refuse("https://a.org/1", "https://a.org/2", "https://www.a.org/", "https://a.org:8443/")
    assert rules.asked == [f"https://{host}/robots.txt" for host in ("a.org", "www.a.org", "a.org:8443")]


@pytest.mark.parametrize(
    ("wish", "delays"), [(b"7", {"a.org": 7.0}), (b"0", {}), (b"nan", {}), (b"-3", {}), (b"x", {})]
)
def test_the_wish_for_a_delay_is_handed_on_for_the_whole_site(wish, delays):
    rules = Rules(robots_txt(b"User-agent: *\nCrawl-delay: " + wish))
    rules.refuse("https://www.a.org/")
    assert rules.delays == delays


def test_the_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(crawler.robots, "_MAX_HOSTS", 2)
    rules = Rules(robots_txt(DISALLOWS))

    async def ask() -> None:
        for host in ("s0", "s1", "s2", "s2", "s0"):
            await rules.middleware.refuse_disallowed(f"https://{host}.org/")

    asyncio.run(ask())
    assert rules.asked == [f"https://{host}.org/robots.txt" for host in ("s0", "s1", "s2", "s0")]


def test_all_who_ask_at_once_get_the_rules_from_one_fetch():
    rules = Rules(robots_txt(DISALLOWS))

    async def ask() -> list[bool]:
        asked = [rules.middleware.refuse_disallowed(f"https://a.org/{number}") for number in range(5)]
        return [refusal is not None for refusal in await asyncio.gather(*asked)]

    assert asyncio.run(ask()) == [True] * 5
    assert len(rules.asked) == 1


def test_who_asks_first_may_leave_without_the_others_losing_the_rules():
    rules = Rules(robots_txt(DISALLOWS))

    async def ask() -> bool:
        first = asyncio.ensure_future(rules.middleware.refuse_disallowed("https://a.org/1"))
        await asyncio.sleep(0)
        first.cancel()
        return await asyncio.wait_for(rules.middleware.refuse_disallowed("https://a.org/2"), 5) is not None

    assert asyncio.run(ask())
    assert len(rules.asked) == 1
