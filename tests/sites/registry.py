"""The one list of gold pages."""

from collections.abc import Iterable

from tests.sites.gold import GoldPage
from tests.sites.pages import (
    bulk,
    contexts,
    crashes,
    endless,
    endless_work,
    escapes,
    faults,
    faults_network,
    forms,
    frames,
    frames_moving,
    frames_odd,
    hostile,
    journeys,
    libraries,
    measured_apps,
    navigation,
    odd_tools,
    old_api,
    ordinary,
    origin_trials,
    origin_trials_judged,
    outcomes,
    shops,
    small_apps,
    tampering,
    timing,
    timing_limits,
)
from tests.sites.server import Site

TOPICS: dict[str, tuple[GoldPage, ...]] = {
    "small apps": ordinary.PAGES + small_apps.PAGES + shops.PAGES + measured_apps.PAGES,
    "journeys": journeys.PAGES,
    "forms": forms.PAGES,
    "names that are gone": old_api.PAGES,
    "when tools come": timing.PAGES + timing_limits.PAGES,
    "pages that move": navigation.PAGES,
    "frames": frames.PAGES + frames_moving.PAGES + frames_odd.PAGES,
    "contexts and policies": contexts.PAGES,
    "origin trials": origin_trials.PAGES
    + origin_trials_judged.PAGES_ELSEWHERE
    + origin_trials_judged.PAGES_OF_REAL_SITES
    + origin_trials_judged.PAGES_WITH_OWN_KEY,
    "libraries that stand in for the API": libraries.PAGES + libraries.PAGES_WITHOUT_API,
    "odd tools": odd_tools.PAGES,
    "hostile pages": hostile.PAGES
    + tampering.PAGES
    + endless.PAGES
    + endless_work.PAGES
    + escapes.PAGES
    + bulk.PAGES
    + endless_work.GREEDY
    + bulk.GREEDY,
    "faults": faults.PAGES + faults_network.PAGES + crashes.PAGES,
    "answers that are no page": outcomes.PAGES,
}
"""The pages by what they are about."""

HEAVY: tuple[GoldPage, ...] = endless.PAGES + endless_work.PAGES + bulk.PAGES
"""Pages that keep a machine busy; a crawl of them is for the long tests."""

GREEDY: tuple[GoldPage, ...] = endless_work.GREEDY + bulk.GREEDY
"""Pages that take the whole machine from those beside them: for the long tests, and one at a time."""

WITH_LIBRARIES: tuple[GoldPage, ...] = libraries.PAGES
"""Pages that need npm, which brings the libraries that they load."""

WITH_LIBRARIES_WITHOUT_API: tuple[GoldPage, ...] = libraries.PAGES_WITHOUT_API
"""The same, for a browser without the feature switch."""

WITH_OWN_KEY: tuple[GoldPage, ...] = origin_trials_judged.PAGES_WITH_OWN_KEY
"""Pages for a browser without the feature switch that takes our key for the one which signs trial tokens."""

WITH_REAL_TRIALS: tuple[GoldPage, ...] = origin_trials_judged.PAGES_OF_REAL_SITES
"""Pages for a browser without the feature switch, at addresses of real sites that lead to this machine."""

PAGES: tuple[GoldPage, ...] = tuple(page for pages in TOPICS.values() for page in pages)

LIGHT: tuple[GoldPage, ...] = tuple(
    page
    for page in PAGES
    if page not in HEAVY + GREEDY + WITH_LIBRARIES + WITH_LIBRARIES_WITHOUT_API + WITH_OWN_KEY + WITH_REAL_TRIALS
)
"""Pages that any census browser takes quickly, without anything from elsewhere."""


def demo_pages() -> tuple[GoldPage, ...]:
    """The pages of the demonstration: what a census of a gallery meets, without the long waits."""
    return tuple(page for page in PAGES if page.in_demo)


def sites_of(pages: Iterable[GoldPage]) -> list[Site]:
    """The sites that serve these pages; a page that lives on another page's site needs that page here too."""
    return [site for page in pages for site in page.sites]
