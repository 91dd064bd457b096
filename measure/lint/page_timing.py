"""Rules on when a visited page has its tools, and whether it keeps them."""

from collections.abc import Iterator
from typing import Any

from census.finding import Severity
from census.vocabulary import Settled
from measure.lint.analysis import Analysis
from measure.lint.examples import tool, visited
from measure.lint.manifest import Manifest, PageFacts
from measure.lint.rule import Hit, Rule
from measure.lint.text import listed

_LATE_MS = 3_000
"""Milliseconds after the commit of the page: a reader that waits for a quiet time of two to three seconds has left."""


def _facts(analysis: Analysis) -> Iterator[PageFacts]:
    if analysis.page is not None:
        yield analysis.page


def _late(analysis: Analysis) -> Iterator[Hit]:
    if analysis.page is None:
        return
    seen = [(each.tool.first_seen_ms, each) for each in analysis.offered if each.tool.first_seen_ms is not None]
    late = [(at, each) for at, each in seen if at > _LATE_MS]
    if late:
        names = [each.name for _, each in late]
        yield Hit(
            None,
            (),
            f"{listed(names)} came {max(at for at, _ in late) / 1000:.1f} s after the page; an agent that reads the"
            " page when it looks finished misses what comes later.",
            "Register while the page loads, before its data is there, and let the tool wait for the data when it runs.",
        )


def _unstable(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.views_stable is False:
            yield Hit(
                None,
                (),
                "The page registers and removes tools without end: its list was never the same twice.",
                "Register each tool once, when the page starts (in React: an effect with an empty dependency list), and"
                " abort its signal only when it goes away.",
            )


def _never_settled(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.settled is Settled.DEADLINE and page.views_stable is not False:
            after = f" after {page.settle_ms / 1000:.0f} s" if page.settle_ms is not None else ""
            yield Hit(
                None,
                (),
                f"The page did not come to rest; it was read{after} all the same, so tools may be missing here.",
                "Register the tools before what keeps the page busy (polling, animation, streaming).",
            )


def _dialogs(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.dialogs:
            what = "a dialog" if page.dialogs == 1 else f"{page.dialogs} dialogs"
            yield Hit(
                None,
                (),
                f"The page opened {what} (alert, confirm, prompt) without being touched; scripts stand still until it"
                " is answered.",
                "Show it as a part of the page.",
            )


def _reloads(analysis: Analysis) -> Iterator[Hit]:
    for page in _facts(analysis):
        if page.navigated_during_read:
            times = "once" if page.navigated_during_read == 1 else f"{page.navigated_during_read} times"
            yield Hit(
                None,
                (),
                f"The page left itself {times} after it had loaded; tools of the document before are gone each time.",
                "Redirect on the server, and let a service worker take over without a reload.",
            )


def _page(**facts: Any) -> Manifest:
    return visited(tool("pay_order", "Pays the open order. Use when the user wants to finish it."), **facts)


def _at(milliseconds: int) -> Manifest:
    return visited(tool("pay_order", "Pays the open order. Use at the end.", first_seen_ms=milliseconds))


RULES = (
    Rule(
        "page/late",
        Severity.WARNING,
        "An agent that looks when the page seems finished does not see the tool.",
        "Measured: tools of ordinary pages are there with the load, at the latest 1.6 s after it.",
        "Register while the page loads.",
        fires=_at(6_000),
        silent=_at(1_600),
        check=_late,
    ),
    Rule(
        "page/re-registers",
        Severity.WARNING,
        "Between two looks the tool is gone, so calls fail with “Tool not found” by chance.",
        "Measured on a real page: 300 to 600 additions and removals a second, without end.",
        "Register once.",
        fires=_page(views_stable=False),
        silent=_page(views_stable=True),
        check=_unstable,
    ),
    Rule(
        "page/never-settles",
        Severity.NOTE,
        "What registers after the page was read is not in the findings.",
        "The settling rule of the census and its hard cap, both in the settings of the run.",
        "Register before what keeps the page busy.",
        fires=_page(settled=Settled.DEADLINE, settle_ms=15_000),
        silent=_page(settled=Settled.YES),
        check=_never_settled,
    ),
    Rule(
        "page/dialogs",
        Severity.WARNING,
        "A dialog stops the page's scripts, tools included, until somebody answers it.",
        "HTML, simple dialogs: the event loop pauses.",
        "Show it as a part of the page.",
        fires=_page(dialogs=1),
        silent=_page(dialogs=0),
        check=_dialogs,
    ),
    Rule(
        "page/reloads-itself",
        Severity.NOTE,
        "Each new document starts without tools; an agent that has begun loses what it was about to call.",
        "Measured: the browser sends no toolsRemoved on navigation, and a call in flight ends with nothing.",
        "Redirect on the server.",
        fires=_page(navigated_during_read=1),
        silent=_page(navigated_during_read=0),
        check=_reloads,
    ),
)
