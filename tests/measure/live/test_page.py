"""A page that is held open: its tools are read anew, wherever it has gone, and its end is known."""

import asyncio

import pytest

from census.vocabulary import Listing, Outcome
from measure.live.errors import PageNotOpenedError
from measure.live.execution import ExecutionStatus
from tests.measure.live.acting_site import ACTING, ACTING_FRAME
from tests.measure.live.opening import live_browser
from tests.sites.server import SmallWeb


def on_page(path, work, **options):
    async def run():
        with SmallWeb([ACTING, ACTING_FRAME]) as web:
            async with live_browser(**options) as browser:
                page = await browser.open(web.url("acting", path))
                return await work(browser, page, web)

    return asyncio.run(run())


async def named(page):
    return {(tool.frame, tool.name): tool for tool in await page.tools()}


def test_the_tools_of_every_frame_are_told_apart_and_called_where_they_are():
    async def work(browser, page, web):
        tools = await named(page)
        called = {frame: await page.execute(tool, {}, 5) for (frame, _), tool in tools.items()}
        return tools, called, web.url("acting", ""), web.url("acting-frame", "")

    tools, called, top, other = on_page("/framed", work)
    assert {key: tool.listing for key, tool in tools.items()} == {
        ("top", "same"): Listing.LISTED,
        ("top.0", "same"): Listing.OWN_DOCUMENT,
        ("top.1", "same"): Listing.LISTED,
    }
    assert {frame: each.output for frame, each in called.items()} == {"top": "top", "top.0": other, "top.1": top}
    assert {frame: each.effects.dom_changed for frame, each in called.items()} == {
        "top": False, "top.0": True, "top.1": True,
    }  # fmt: skip


def test_the_tools_are_those_of_where_the_page_is_now():
    async def work(browser, page, web):
        first = await named(page)
        left = await page.execute(first["top", "leaves_after_answer"], {}, 5)
        there = await named(page)
        return left, first, there, await page.execute(first["top", "answers"], {}, 5)

    left, first, there, called_late = on_page("/", work)
    assert left.status is ExecutionStatus.COMPLETED
    assert first["top", "answers"].read_only
    assert not first["top", "throws"].read_only
    assert set(there) == {("top", "there")}
    assert called_late.status is ExecutionStatus.NOT_THERE
    assert not called_late.effects.any_change


def test_arguments_that_are_no_object_are_refused_by_the_browser():
    async def work(browser, page, web):
        return await page.execute((await named(page))["top", "answers"], ["a"], 5)

    assert on_page("/", work).status is ExecutionStatus.REFUSED


def test_a_page_that_is_closed_under_a_call_is_a_status():
    async def work(browser, page, web):
        tool = (await named(page))["top", "hangs"]
        call = asyncio.ensure_future(page.execute(tool, {}, 30))
        await asyncio.sleep(0.8)
        await page.tab.page.close()
        return await call, await page.tools(), await page.execute(tool, {}, 30)

    ended, tools, again = on_page("/", work)
    assert (ended.status, tools, again.status) == (ExecutionStatus.PAGE_CLOSED, (), ExecutionStatus.PAGE_CLOSED)


def test_on_a_page_that_never_keeps_still_only_what_it_shows_is_left_open():
    async def work(browser, page, web):
        return await page.execute((await named(page))["top", "keeps"], {}, 5)

    effects = on_page("/restless", work).effects
    assert effects.dom_changed is None
    assert [each.key for each in effects.storage] == ["kept"]


def test_contexts_share_nothing():
    async def work(browser, page, web):
        await page.execute((await named(page))["top", "keeps"], {}, 5)
        other = await browser.open(web.url("acting"))
        return await other.execute((await named(other))["top", "keeps"], {}, 5)

    assert {each.change.value for each in on_page("/", work).effects.storage} == {"added", "changed", "removed"}


def test_a_picture_of_the_page_is_a_jpeg():
    async def work(browser, page, web):
        return await page.screenshot()

    assert on_page("/", work)[:3] == b"\xff\xd8\xff"


@pytest.mark.parametrize(
    ("path", "options", "outcome"),
    [
        ("/missing", {}, Outcome.HTTP_ERROR),
        ("/file", {}, Outcome.NOT_HTML),
        ("/", {"allow_private": False}, Outcome.ADDRESS_REFUSED),
    ],
)
def test_a_page_that_cannot_be_read_is_not_opened(path, options, outcome):
    async def work(browser, page, web):
        return page

    with pytest.raises(PageNotOpenedError) as caught:
        on_page(path, work, **options)
    assert caught.value.outcome is outcome
    assert not caught.value.ours
