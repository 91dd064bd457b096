"""Pages with the libraries that stand in for the API, in the versions that pages of the web load.

Each library is loaded twice: by a page that registers through `document`, and by one that registers through
`navigator`. The same pages are gold pages a second time, for a browser that has no API of its own.
"""

from dataclasses import replace
from enum import Enum, auto

from tests.sites.gold import UNCHECKED, Expect, Frame, GoldPage, Tool, captured, document, javascript, scripts
from tests.sites.libraries import source_of
from tests.sites.server import Reply, Request, Route


class Reach(Enum):
    """Where a tool ends that a page registers with an object which may be the library's."""

    CALLABLE = auto()
    """With the browser, which offers and lists it."""
    LIBRARY = auto()
    """With the library alone."""
    NOBODY = auto()
    """There is no such object: `?.` leaves the call out."""


CALLABLE, LIBRARY, NOBODY = Reach

_BY = """
<h1>Harbour pilot</h1><script src="/library.js"></script>
<script>
  %s.modelContext?.registerTool({
    name: "find_berth", description: "Finds a free berth.", inputSchema: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "B7" }] }) });
</script>
"""

_FORM = """
<h1>Harbour pilot</h1><script src="/library.js"></script>
<form toolname="book_berth" tooldescription="Books a berth.">
  <label>Ship <input name="ship"></label><button>Book</button>
</form>
"""

_WITH_NATIVE: dict[str, tuple[str | None, Reach, Reach]] = {
    "@mcp-b/webmcp-polyfill@5.1.0": (None, CALLABLE, NOBODY),
    "@mcp-b/webmcp-polyfill@3.0.0": (None, CALLABLE, NOBODY),
    "@mcp-b/webmcp-polyfill@2.0.11": ("beside_native", CALLABLE, LIBRARY),
    "@mcp-b/global@5.1.0": ("replaces_native", CALLABLE, CALLABLE),
    "@mcp-b/global@2.0.11": ("beside_native", CALLABLE, LIBRARY),
    "@mcp-b/global@1.0.15": ("beside_native", CALLABLE, LIBRARY),
}
"""Where the browser has the API: what `polyfill` says, and where a tool by `document` and one by `navigator` end."""

_WITHOUT_NATIVE: dict[str, tuple[str | None, Reach, Reach]] = {
    "@mcp-b/webmcp-polyfill@5.1.0": ("on_document", LIBRARY, LIBRARY),
    "@mcp-b/webmcp-polyfill@3.0.0": ("on_document", LIBRARY, LIBRARY),
    "@mcp-b/webmcp-polyfill@2.0.11": ("on_navigator", NOBODY, LIBRARY),
    "@mcp-b/global@5.1.0": ("on_document", LIBRARY, LIBRARY),
    "@mcp-b/global@2.0.11": ("on_navigator", NOBODY, LIBRARY),
    "@mcp-b/global@1.0.15": ("on_navigator", NOBODY, LIBRARY),
}
"""The same where it has none."""

_FACT = (
    "measured: of the polyfill 5 and 3 step aside for the native object and 2 stands beside it; of the global library"
    " 5 replaces the native object and mirrors the tools into it, 2 and 1 stand beside it"
)


def _library(name: str) -> Route:
    def route(request: Request) -> Reply:
        return javascript(source_of(name))

    return route


def _only_in_library(name: str) -> Tool:
    return Tool(name, kind=None, listing=None, listing_cause="library_only", callable=False)


def _expect(polyfill: str | None, reach: Reach, tool: Tool) -> Expect:
    found = {CALLABLE: (tool,), LIBRARY: (_only_in_library(tool.name),), NOBODY: ()}[reach]
    # What a library's own text names is its own business: of the names that are gone nothing is said here.
    expect = captured(*found, polyfill=polyfill, old_api=UNCHECKED)
    counts = {"tools_callable": len(found), "tools_listed": len(found), "tools_unlisted": 0}
    if reach is LIBRARY:
        counts = dict.fromkeys(counts, 0)
    return replace(expect, page={**expect.page, **counts})


def without_api(expect: Expect, api: str = "none") -> Expect:
    """The same record where the browser has no API to offer."""
    frames = (Frame("top", "top", UNCHECKED, None, "no_api"),)
    return replace(expect, page={**expect.page, "api": api, "page_view": "no_api"}, frames=frames)


def _page(library: str, through: str, expect: Expect, prefix: str) -> GoldPage:
    package, _, version = library.removeprefix("@mcp-b/").rpartition("@")
    return GoldPage(
        f"{prefix}{package}-{version.replace('.', '-')}-by-{through}",
        f"{library}, and a tool registered through `{through}`",
        expect,
        _FACT,
        {"/": document("Harbour", _BY % through), "/library.js": _library(library)},
    )


def _pages(truth: dict[str, tuple[str | None, Reach, Reach]], prefix: str) -> tuple[GoldPage, ...]:
    (tool,) = scripts("find_berth")
    return tuple(
        _page(library, through, _expect(polyfill, reach, tool), prefix)
        for library, (polyfill, *reaches) in truth.items()
        for through, reach in zip(("document", "navigator"), reaches, strict=True)
    )


def _form(name: str, title: str, expect: Expect, fact: str) -> GoldPage:
    library = "@mcp-b/webmcp-polyfill@5.1.0"
    return GoldPage(name, title, expect, fact, {"/": document("Harbour", _FORM), "/library.js": _library(library)})


PAGES = (
    *_pages(_WITH_NATIVE, ""),
    _form(
        "webmcp-polyfill-form",
        "@mcp-b/webmcp-polyfill@5.1.0, which reads forms itself, beside a browser that does",
        _expect(None, CALLABLE, Tool("book_berth", kind="form")),
        "measured: the polyfill steps aside for the native object; a form is one tool",
    ),
)
"""With the API in the browser."""

PAGES_WITHOUT_API = tuple(
    replace(page, expect=without_api(page.expectations[0]))
    for page in (
        *_pages(_WITHOUT_NATIVE, "no-api-"),
        _form(
            "no-api-webmcp-polyfill-form",
            "@mcp-b/webmcp-polyfill@5.1.0 reads a form itself where the browser does not",
            _expect("on_document", LIBRARY, Tool("book_berth")),
            "measured: 5.1.0 also emulates forms; what a library holds no agent is offered",
        ),
    )
)
"""Without it."""
