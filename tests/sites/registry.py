"""The one list of gold pages."""

from collections.abc import Iterable

from tests.sites.gold import GoldPage
from tests.sites.pages import (
    bulk,
    contexts,
    crashes,
    endless,
    escapes,
    faults,
    faults_network,
    forms,
    frames,
    frames_moving,
    frames_odd,
    hostile,
    navigation,
    odd_tools,
    old_api,
    ordinary,
    origin_trials,
    outcomes,
    shops,
    small_apps,
    tampering,
    timing,
    timing_limits,
)
from tests.sites.server import Site

TOPICS: dict[str, tuple[GoldPage, ...]] = {
    "small apps": ordinary.PAGES + small_apps.PAGES + shops.PAGES,
    "forms": forms.PAGES,
    "names that are gone": old_api.PAGES,
    "when tools come": timing.PAGES + timing_limits.PAGES,
    "pages that move": navigation.PAGES,
    "frames": frames.PAGES + frames_moving.PAGES + frames_odd.PAGES,
    "contexts and policies": contexts.PAGES + origin_trials.PAGES,
    "odd tools": odd_tools.PAGES,
    "hostile pages": hostile.PAGES + tampering.PAGES + endless.PAGES + escapes.PAGES + bulk.PAGES,
    "faults": faults.PAGES + faults_network.PAGES + crashes.PAGES,
    "answers that are no page": outcomes.PAGES,
}
"""The pages by what they are about."""

HEAVY: tuple[GoldPage, ...] = endless.PAGES + bulk.PAGES
"""Pages that keep a machine busy; a crawl of them is for the long tests."""

PAGES: tuple[GoldPage, ...] = tuple(page for pages in TOPICS.values() for page in pages)


def demo_pages() -> tuple[GoldPage, ...]:
    """The pages of the demonstration: what a census of a gallery meets, without the long waits."""
    return tuple(page for page in PAGES if page.in_demo)


def sites_of(pages: Iterable[GoldPage]) -> list[Site]:
    """The sites that serve these pages; a page that lives on another page's site needs that page here too."""
    return [site for page in pages for site in page.sites]
