"""What a live page is taken to have: what it could be asked for now, never what was read before."""

import asyncio
from dataclasses import dataclass, field

import pytest

from census.vocabulary import BrowserView, PageView
from measure.live.execution import ExecutionStatus
from measure.live.live_tool import LiveTool
from measure.trials.trial_page import LivePages, Standing
from tests.measure.trials.held import tool

ADD = tool("add")


@dataclass
class Listed:
    name: str


@dataclass
class Document:
    page_view: PageView = PageView.READ
    error: str | None = None
    secure: bool | None = True
    tools: tuple[Listed, ...] = (Listed("add"),)
    on_request: tuple[Listed, ...] = ()
    own_list: tuple[Listed, ...] = ()


@dataclass
class Visit:
    documents: tuple[Document, ...] = (Document(),)
    browser_tools: tuple[Listed, ...] = (Listed("add"),)
    browser_view: BrowserView = BrowserView.READ


@dataclass
class Live:
    """A live page as far as it is looked at."""

    now: tuple[LiveTool, ...] = (ADD,)
    visit: Visit = field(default_factory=Visit)
    gone: ExecutionStatus | None = None
    url: str = "http://there/"

    async def tools(self) -> tuple[LiveTool, ...]:
        return self.now

    async def execute(self, *_: object) -> None: ...

    async def close(self) -> None: ...


def standing(live: Live) -> Standing:
    class Browser:
        async def open(self, _: str) -> Live:
            return live

    async def read() -> Standing:
        page = await LivePages(Browser()).open("http://there/")  # type: ignore[arg-type]
        return await page.standing()

    return asyncio.run(read())


def test_a_page_has_the_tools_that_are_offered_and_those_that_only_its_documents_know() -> None:
    document = Document(on_request=(Listed("b"),), own_list=(Listed("c"),))
    assert standing(Live(visit=Visit((document,)))) == Standing((ADD,), True, frozenset({"add", "b", "c"}))


@pytest.mark.parametrize(
    "live",
    [
        Live((), gone=ExecutionStatus.BROWSER_FAILED),
        Live((), gone=ExecutionStatus.PAGE_CRASHED),
        # The reading failed, and the record still has the one before.
        Live(()),
        Live((), Visit((Document(PageView.FAILED, "timeout"),), ())),
        Live((), Visit(browser_tools=(), browser_view=BrowserView.UNAVAILABLE)),
        Live((), Visit((), ())),
    ],
)
def test_a_page_that_could_not_be_read_is_not_known_to_have_no_tools(live: Live) -> None:
    found = standing(live)
    assert (found.tools, found.supported) == ((), None)


@pytest.mark.parametrize(
    ("document", "supported"),
    [
        (Document(tools=()), True),
        (Document(PageView.NO_API, tools=()), False),
        (Document(PageView.NO_API, secure=False, tools=()), False),
        (Document(PageView.FAILED, "NotAllowedError", tools=()), False),
    ],
)
def test_a_page_without_an_object_that_answers_does_not_support_webmcp(document: Document, supported: bool) -> None:
    assert standing(Live((), Visit((document,), ()))) == Standing((), supported, frozenset())
