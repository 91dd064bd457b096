"""Opens pages as `measure` does, quickly: these tests' pages have all their tools at load."""

from pathlib import Path

from census.visit import Browser
from crawler.options import chosen_browser
from crawler.settings import VisitSettings, user_agent
from crawler.settle import SettleLimits
from measure.live.browser import LiveBrowser
from tests.sites.server import RESOLVER_RULES

AT_ONCE = SettleLimits(brief=0.1, quiet=0.1, first=0.1, late=0.1, busy=0.1)


def quick_visits(*, allow_private: bool = True) -> tuple[Path, Browser, VisitSettings]:
    """The browser's path and identity, and settings that read a page as soon as it has loaded."""
    path, browser = chosen_browser(None)
    visit = VisitSettings(
        user_agent=user_agent(browser.build, "test"),
        allow_private=allow_private,
        host_resolver_rules=RESOLVER_RULES,
        settle=AT_ONCE,
        navigation_timeout=120.0,
        visit_deadline=240.0,
    )
    return path, browser, visit


def live_browser(*, allow_private: bool = True) -> LiveBrowser:
    """A browser that reads a page as soon as it has loaded."""
    return LiveBrowser(*quick_visits(allow_private=allow_private))
