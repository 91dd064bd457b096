"""Which links of a page are visited as inner pages: of its own site, another document or another route."""

import asyncio
import re
from collections.abc import Iterable
from importlib.resources import files
from urllib.parse import urlsplit

from pydantic import ValidationError

from census.target import Target, target_key
from census.visit import Visit
from census.vocabulary import Outcome, Pass, Screen
from crawler.reading import call_isolated
from crawler.sessions import ProtocolError
from crawler.settings import CrawlSettings
from crawler.tab import Tab

_LINKS = files("crawler").joinpath("links.js").read_text()
MOST = 500
"""Links of a document that are looked at."""
TIMEOUT = 2.0
_NO_PAGE = re.compile(
    r"\.(?:pdf|zip|gz|tgz|dmg|exe|msi|apk|png|jpe?g|gif|webp|avif|svg|ico|mp[34]|webm|mov|wav|ogg|css|m?js|json|xml|rss"
    r"|txt|csv|xlsx?|docx?|pptx?|woff2?)$",
    re.IGNORECASE,
)
_LEAVES = re.compile(r"\b(?:log-?out|sign-?out|logoff|unsubscribe|delete)\b", re.IGNORECASE)
"""A GET changes nothing at a site that keeps to HTTP; some do not, and these links would show it."""


async def links_of(tab: Tab) -> tuple[str, ...]:
    """Where the top document's links lead; none when it does not answer in time."""
    try:
        async with asyncio.timeout(TIMEOUT):
            found = await call_isolated(tab.tree.top, _LINKS, {"most": MOST})
    except (TimeoutError, ProtocolError):
        return ()
    return tuple(dict.fromkeys(str(each) for each in found))


def inner_pages(visit: Visit, settings: CrawlSettings) -> tuple[Target, ...]:
    """The inner pages that a final main visit leads to, in the document's order.

    The frontier knows which of them are targets already, and takes so many of the others as the site may have.

    Only pages with evidence lead on: tools, or the API's names in their scripts, or a sign for the screen. Links are
    taken that stay on the target's site and are other pages than it: a route behind `#/` or `#!` is one.
    """
    if not settings.depth or visit.pass_ is not Pass.MAIN or visit.outcome is not Outcome.CAPTURED:
        return ()
    if not _evidence(visit):
        return ()
    here = {visit.target.key, target_key(visit.final_url or visit.target.url)}
    found: dict[str, Target] = {}
    for target in _targets(visit.links, visit.target.key):
        if target.key not in here and target.site == visit.target.site:
            found.setdefault(target.key, target)
    return tuple(found.values())


def _evidence(visit: Visit) -> bool:
    scripts = visit.script_evidence
    named = scripts is not None and (scripts.names_api or bool(scripts.old_names))
    return bool(visit.browser_tools) or named or visit.target.screen is Screen.EVIDENCE


def _targets(links: Iterable[str], found_on: str) -> Iterable[Target]:
    for link in links:
        try:
            path = urlsplit(link).path
            if not _NO_PAGE.search(path) and not _LEAVES.search(link):
                yield Target(url=link, source=found_on, found_on=found_on)
        except (ValueError, ValidationError):
            continue
