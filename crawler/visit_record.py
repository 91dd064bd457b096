"""The record of one visit: what was asked for, what is known when it ends, and what of it is kept."""

import asyncio
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from census.recheck import Validator
from census.target import Target
from census.visit import Browser, OriginTrial, ScriptEvidence, Visit
from census.vocabulary import BrowserView, LoadEvent, Outcome, Pass, Settled
from crawler.limits import MAX_TEXT, clean
from crawler.reading import Views
from crawler.settle import Decision
from crawler.tab import Tab


@dataclass(frozen=True, slots=True)
class Job:
    """A visit to make: the attempt's identity and its target."""

    visit_id: str
    target: Target
    attempt: int
    pass_: Pass = Pass.MAIN
    abandoned: asyncio.Event = field(default_factory=asyncio.Event, compare=False, repr=False)
    """Set when the visit is ours no longer; it is ended at once."""


@dataclass(slots=True)
class Found:
    """What is known so far; a visit that is cut short keeps it."""

    outcome: Outcome = Outcome.TIMEOUT
    detail: str | None = "visit_deadline"
    decision: Decision | None = None
    settle_ms: int | None = None
    evidence: ScriptEvidence | None = None
    views: Views | None = None
    trials: tuple[OriginTrial, ...] = ()
    links: tuple[str, ...] = ()
    validators: tuple[Validator, ...] | None = None

    def end(self, outcome: Outcome, detail: str | None = None) -> None:
        """Give the visit its outcome."""
        self.outcome, self.detail = outcome, detail


_CHALLENGE = re.compile(
    r"just a moment|attention required|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you a robot|security check|ddos protection|access denied|captcha",
    re.IGNORECASE,
)


def visit_record(job: Job, browser: Browser, started: datetime, tab: Tab | None, found: Found) -> Visit:
    """The record of a visit that is over; without a tab the browser gave none."""
    fields: dict[str, Any] = {}
    if tab is not None:
        url = tab.tree.top.url if tab.committed_at is not None else None
        fields |= {
            "final_url": clean(url, MAX_TEXT)[0] if url else None,
            "http_status": tab.http_status,
            "headers": tab.headers,
            "navigated_during_read": tab.navigations,
            "dialogs": tab.dialogs,
            "popups": tab.popups,
            "downloads_blocked": tab.downloads,
            "challenge_suspected": "cf-mitigated" in tab.headers,
            "events": tuple(tab.events),
        }
    if tab is not None and found.outcome is Outcome.CAPTURED and found.views is not None:
        fields |= _captured(tab, found, found.views)
    return Visit(
        visit_id=job.visit_id,
        target=job.target,
        attempt=job.attempt,
        pass_=job.pass_,
        visited_at=started,
        browser=browser,
        outcome=found.outcome,
        outcome_detail=clean(found.detail, 500)[0] if found.detail else None,
        **fields,
    )


def _captured(tab: Tab, found: Found, views: Views) -> dict[str, Any]:
    assert found.decision is not None
    return {
        "final_url": views.documents[0].url,
        "load_event": LoadEvent.FIRED if tab.loaded_at is not None else LoadEvent.NEVER,
        "load_ms": int(tab.loaded_at * 1000) if tab.loaded_at is not None else None,
        "settled": found.decision.settled or Settled.DEADLINE,
        "settle_reason": found.decision.reason,
        "settle_ms": found.settle_ms,
        "views_stable": views.stable,
        "browser_view": BrowserView.UNAVAILABLE if tab.view_error else BrowserView.READ,
        "browser_view_error": tab.view_error,
        "documents": views.documents,
        "browser_tools": () if tab.view_error else views.browser_tools,
        "documents_dropped": views.documents_dropped,
        "tools_dropped": views.tools_dropped,
        "script_evidence": found.evidence,
        "origin_trials": found.trials,
        "validators": found.validators,
        "links": found.links,
        "challenge_suspected": bool(_CHALLENGE.search(views.title)) or "cf-mitigated" in tab.headers,
        "login_suspected": views.login,
    }
