"""Rules on which API a visited page talks to: the browser's, one that is gone, or one of its own."""

from collections.abc import Iterator
from typing import Any

from census.finding import Severity
from census.vocabulary import Api
from measure.lint.analysis import Analysis
from measure.lint.examples import tool, visited
from measure.lint.manifest import Manifest, PageFacts
from measure.lint.rule import Hit, Rule
from measure.lint.text import listed

_ONLY_REMOVE = frozenset({"unregisterTool", "clearContext"})
"""Names that took tools away: a script that uses no other one declares nothing."""
_REGISTER = "`document.modelContext.registerTool()`"


def _facts(analysis: Analysis) -> Iterator[PageFacts]:
    if analysis.page is not None:
        yield analysis.page


def _dead_api(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        registering = [name for name in page.old_api if name not in _ONLY_REMOVE]
        if registering and not analysis.offered and page.api in (Api.NATIVE, None):
            yield Hit(
                None,
                (),
                f"The page's scripts use {listed(registering)}, which browsers no longer have, and no tool is there.",
                f"Register with {_REGISTER}, one tool a call; remove a tool by aborting the `signal` it was registered"
                " with. Chromium dropped `navigator.modelContext` in 152.",
            )


def _mixed_api(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.old_api and analysis.offered:
            yield Hit(
                None,
                (),
                f"The page's scripts also use {listed(page.old_api)}, which browsers no longer have: what is done only"
                " there is not done.",
                f"Move it to {_REGISTER}; if the old name is only a fall-back for old browsers, this is no fault.",
            )


def _polyfill(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.polyfill in ("replaces_native", "on_document"):
            yield Hit(
                None,
                (),
                "A script puts an object of its own in the place of the browser's `document.modelContext`.",
                "Load the polyfill only where there is none: `if (!('modelContext' in document)) await"
                " import('…')`; update it if it should step aside by itself and does not.",
            )


def _page(**facts: Any) -> Manifest:
    return visited(tool("pay_order", "Pays the open order. Use when the user wants to finish it."), **facts)


RULES = (
    Rule(
        "page/dead-api",
        Severity.ERROR,
        "The page declares its tools to an API that is gone, and nothing says so.",
        "Measured: `navigator.modelContext` is gone in Chromium 152, `provideContext()` and `unregisterTool()` before"
        " that; the commonest state of ordinary sites that name WebMCP.",
        "Register with `document.modelContext.registerTool()`.",
        fires=visited(old_api=("navigator.modelContext",)),
        silent=_page(old_api=("navigator.modelContext",)),
        check=_dead_api,
    ),
    Rule(
        "page/mixed-api",
        Severity.NOTE,
        "Some tools are there and others may go to an API that is gone: a count above zero is no proof that all were"
        " seen.",
        "Measured on real pages: forms work while the scripts' tools are missing.",
        "Move all to `document.modelContext.registerTool()`.",
        fires=_page(old_api=("provideContext",)),
        silent=visited(old_api=("provideContext",)),
        check=_mixed_api,
    ),
    Rule(
        "page/polyfill-replaces-native",
        Severity.WARNING,
        "What the page registers goes to the polyfill first, and to agents only as far as it passes it on.",
        "Measured with the public polyfills on Chromium 156: some step aside, some replace the object and mirror.",
        "Load the polyfill only where the API is missing.",
        fires=_page(polyfill="replaces_native"),
        silent=_page(polyfill="beside_native"),
        check=_polyfill,
    ),
)
