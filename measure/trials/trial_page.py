"""What a trial needs of a page, and the pages of a live browser as it takes them."""

from typing import NamedTuple, Protocol

from census.tables import api_of
from census.vocabulary import Api, BrowserView
from measure.live.browser import LiveBrowser
from measure.live.held_page import HeldPage
from measure.live.live_tool import LiveTool
from measure.live.page import LivePage


class Standing(NamedTuple):
    """What a page has of WebMCP, as it was just read."""

    tools: tuple[LiveTool, ...]
    """Those that the browser offers an agent."""
    supported: bool | None
    """Whether the top document has a WebMCP object that answers; None when the page could not be read, so that it is
    not known what it has."""
    registered: frozenset[str]
    """The names of all tools that any of its documents knows of: of a library's own list too."""


class TrialPage(HeldPage, Protocol):
    """A page that is held open for one trial."""

    async def standing(self) -> Standing:
        """Read what the page has now."""
        ...


class Pages(Protocol):
    """Opens pages, each in a fresh context."""

    async def open(self, url: str) -> TrialPage:
        """Open a page and let it settle. Raises PageNotOpenedError when it could not be read."""
        ...


class _Page:
    def __init__(self, page: LivePage) -> None:
        self._page = page
        self.tools, self.execute, self.close = page.tools, page.execute, page.close

    @property
    def url(self) -> str:
        return self._page.url

    async def standing(self) -> Standing:
        tools = await self._page.tools()
        visit = self._page.visit
        if self._page.gone is not None or (visit.browser_tools and not tools):
            # A page that went away has no tools to read; what was read before says nothing of now.
            return Standing((), None, frozenset())
        known = {each.name for each in tools}
        for document in visit.documents:
            known.update(each.name for each in (*document.tools, *document.on_request, *document.own_list))
        read = visit.documents and visit.browser_view is BrowserView.READ
        api = api_of(visit.documents[0]) if read else None
        return Standing(tools, None if api is None else api is Api.NATIVE, frozenset(known))


class LivePages:
    """The pages of one live browser."""

    def __init__(self, browser: LiveBrowser) -> None:
        self._browser = browser

    async def open(self, url: str) -> TrialPage:
        """Open a page in a fresh context. Raises PageNotOpenedError."""
        return _Page(await self._browser.open(url))
