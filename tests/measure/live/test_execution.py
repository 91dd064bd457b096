"""A call ends in exactly one status, and what it did is seen from outside."""

import asyncio

import pytest

from measure.live.effects import Area, Change, DialogSeen, NetworkWrite
from measure.live.execution import Execution, ExecutionStatus
from tests.measure.live.acting_site import ACTING, ACTING_FRAME
from tests.measure.live.opening import live_browser
from tests.sites.server import SmallWeb

BOUND = 20.0
SHORT = {"hangs": 1.0, "spins": 1.0, "waits": 1.0}
"""Bounds of the calls that take all of it."""
AT_A_TIME = 6
ENDS = {
    "answers": (ExecutionStatus.COMPLETED, {"id": 7}, None),
    "answers_nothing": (ExecutionStatus.COMPLETED, "undefined", None),
    "answers_json_text": (ExecutionStatus.COMPLETED, {"id": 7}, None),
    "answers_failure": (
        ExecutionStatus.COMPLETED,
        {"isError": True, "content": [{"type": "text", "text": "no such dish"}]},
        None,
    ),
    "throws": (ExecutionStatus.ERROR, None, "TypeError: coupon expired"),
    "throws_text": (ExecutionStatus.ERROR, None, "plain words"),
    "rejects": (ExecutionStatus.ERROR, None, "Error: later"),
    "hangs": (ExecutionStatus.NO_ANSWER, None, None),
    "spins": (ExecutionStatus.NO_ANSWER, None, None),
    "crashes": (ExecutionStatus.PAGE_CRASHED, None, None),
    "leaves": (ExecutionStatus.NAVIGATED, [{"@type": "Order", "orderNumber": "4711"}], None),
    "leaves_after_answer": (ExecutionStatus.COMPLETED, "going", None),
    "asks": (ExecutionStatus.COMPLETED, False, None),
    "waits": (ExecutionStatus.WAITS_FOR_PERSON, None, None),
    "submits": (ExecutionStatus.NAVIGATED, [{"@type": "Order", "orderNumber": "4711"}], None),
}
ARGUMENTS = {"submits": {"attributes": "a", "nodeType": "b"}, "waits": {"q": "new"}}
OTHERS = (
    "answers_at_length", "routes", "writes_text", "writes_into_shadow", "fills_in", "keeps", "posts", "opens_window",
    "downloads", "breaks_later", "offers_more", "changes_late", "forgets",
)  # fmt: skip


@pytest.fixture(scope="module")
def web():
    with SmallWeb([ACTING, ACTING_FRAME]) as small_web:
        yield small_web


@pytest.fixture(scope="module")
def calls(web) -> dict[str, tuple[Execution, str]]:
    """Each tool called once, on a page of its own: how it ended, and where the page was then."""

    async def called() -> dict[str, tuple[Execution, str]]:
        gate = asyncio.Semaphore(AT_A_TIME)
        async with live_browser() as browser:

            async def one(name: str) -> tuple[Execution, str]:
                async with gate:
                    page = await browser.open(web.url("acting"))
                    tools = {tool.name: tool for tool in await page.tools()}
                    execution = await page.execute(tools[name], ARGUMENTS.get(name, {}), SHORT.get(name, BOUND))
                    url = page.url
                    await page.close()
                    return execution, url

            names = (*ENDS, *OTHERS)
            return dict(zip(names, await asyncio.gather(*map(one, names)), strict=True))

    return asyncio.run(called())


@pytest.fixture
def effects(calls):
    return lambda name: calls[name][0].effects


@pytest.mark.parametrize("name", ENDS)
def test_a_call_ends_as_it_does(calls, name):
    execution, _ = calls[name]
    assert (execution.status, execution.output, execution.error) == ENDS[name]


def test_a_form_that_prevents_its_submission_and_never_answers_is_an_error_with_the_browsers_words(calls):
    execution, _ = calls["forgets"]
    assert execution.status is ExecutionStatus.ERROR
    assert "preventDefault" in (execution.error or "")


def test_the_time_is_that_of_the_call(calls):
    assert calls["hangs"][0].ms >= 1000 * SHORT["hangs"]
    assert calls["changes_late"][0].ms < 1000 * BOUND


def test_an_output_without_end_is_cut(calls):
    execution, _ = calls["answers_at_length"]
    assert execution.cut
    assert execution.output == "x" * 100_000


def test_a_tool_that_only_answers_changes_nothing(effects):
    assert effects("answers").dom_changed is False
    assert not effects("answers").any_change
    assert not effects("answers_nothing").any_change


@pytest.mark.parametrize("name", ["writes_text", "writes_into_shadow", "fills_in", "changes_late", "waits"])
def test_what_the_documents_show_is_seen_to_change(effects, name):
    assert effects(name).dom_changed is True


def test_what_the_page_keeps_is_seen_to_change(web, effects):
    origin = web.url("acting", "")
    assert {(each.area, each.origin, each.key, each.change) for each in effects("keeps").storage} == {
        (Area.LOCAL, origin, "cart", Change.ADDED),
        (Area.LOCAL, origin, "theme", Change.CHANGED),
        (Area.LOCAL, origin, "old", Change.REMOVED),
        (Area.SESSION, origin, "step", Change.ADDED),
        (Area.COOKIES, "acting.localhost/", "seen", Change.ADDED),
        (Area.DATABASES, origin, "orders", Change.ADDED),
    }


def test_a_request_that_may_write_is_seen_without_its_query(web, effects):
    assert effects("posts").writes == (NetworkWrite("POST", web.url("acting", "/api/order")),)
    assert effects("submits").writes == (NetworkWrite("POST", web.url("acting", "/other")),)
    assert effects("leaves").writes == ()


def test_where_the_page_went_is_seen(web, calls, effects):
    assert effects("routes").navigated_to == web.url("acting", "/route")
    assert effects("routes").dom_changed is False
    for name in ("leaves", "leaves_after_answer", "submits"):
        assert effects(name).navigated_to == calls[name][1] == web.url("acting", "/other")
    assert effects("posts").navigated_to is None


def test_a_dialog_is_answered_and_seen(effects):
    assert effects("asks").dialogs == (DialogSeen("confirm", "Really?"),)


def test_windows_downloads_and_uncaught_errors_are_counted(effects):
    assert effects("opens_window").popups == 1
    assert effects("downloads").downloads == 1
    assert [text for text in effects("breaks_later").uncaught if "nobody caught this" in text]
    assert effects("answers").uncaught == ()


def test_other_tools_are_seen(effects):
    assert effects("offers_more").tools_changed
    assert not effects("writes_text").tools_changed
    assert effects("leaves").tools_changed
