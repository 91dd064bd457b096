"""When a page has settled: one pure rule, with its reasons.

A page registers tools while it parses, at load, after a fetch, on a timer, or when a library that polls for
the API finds it. Waiting for a fixed time is wrong for all of them, `networkidle` says nothing about timers,
and a page that re-registers for ever is never quiet (all measured). So the rule waits for
quiet, and the page's own script texts say how long a quiet is long enough.
"""

from dataclasses import dataclass

from census.visit import ScriptEvidence
from census.vocabulary import Settled


@dataclass(frozen=True, slots=True)
class SettleLimits:
    """All in seconds; the defaults are what a crawl uses unless told otherwise."""

    brief: float = 1.2
    """After the last change of a page that has tools, when nothing in its scripts waits for a time."""
    quiet: float = 2.0
    """After the last change of any other page, when no script text asks for more."""
    first: float = 4.0
    """For a first tool, when a script names the API: it may wait for a fetch or a library."""
    late: float = 10.0
    """The longest wait that script texts can ask for: a script that polls, or a long timer."""
    margin: float = 0.7
    """Added to a timer's delay: a timer of 3 s that starts with a late script fires later than load + 3 s."""
    load: float = 12.0
    """After the commit, how long the load event is waited for before its absence stops mattering."""
    busy: float = 4.0
    """How much longer a quiet page is given while requests are still under way."""
    cap: float = 22.0
    """After the commit, the moment a page is read however busy it is."""


@dataclass(frozen=True, slots=True)
class PageState:
    """What is known of a page that settles; times in seconds since the commit of its first document."""

    now: float
    loaded_at: float | None
    """When the top document's load event fired; None while it has not."""
    changed_at: float
    """The last change: a tool added or removed, or a document replaced (0 at the commit)."""
    tools: int
    network_idle: bool
    evidence: ScriptEvidence | None
    """None until the script texts have been looked at."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Read now (`settled` says how well), or look again at `look_again_at` at the latest."""

    settled: Settled | None
    reason: str
    look_again_at: float = 0.0


def decide(state: PageState, limits: SettleLimits) -> Decision:
    """Whether to read the page now, and why."""
    if state.now >= limits.cap:
        return Decision(Settled.DEADLINE, "hard_cap")
    if state.loaded_at is None and state.now < limits.load:
        return _wait(limits.load, "load_event", limits)
    start = state.loaded_at if state.loaded_at is not None else limits.load
    quiet_since = max(start, state.changed_at)
    if state.now < quiet_since + limits.brief:
        return _wait(quiet_since + limits.brief, "quiet", limits)
    if state.evidence is None:
        return Decision(None, "script_texts", state.now)
    wanted, reason = _wanted_quiet(state.tools, state.evidence, limits)
    until = quiet_since + wanted
    if state.now < until:
        return _wait(until, reason, limits)
    if not state.network_idle and state.now < until + limits.busy:
        return _wait(until + limits.busy, "network", limits)
    return Decision(Settled.YES, reason)


def _wanted_quiet(tools: int, evidence: ScriptEvidence, limits: SettleLimits) -> tuple[float, str]:
    """How long a quiet is long enough, and why: the longest wait that any of the reasons asks for."""
    if not evidence.names_api:
        # Only forms made these tools, or a script whose text could not be had.
        return (limits.quiet if tools == 0 or evidence.unread else limits.brief), "quiet"
    if tools == 0 and evidence.polls:
        return limits.late, "script_polls"
    timer = evidence.longest_timer_ms / 1000 + limits.margin if evidence.longest_timer_ms else 0.0
    if tools == 0:
        least, reason = limits.first, "api_named"
    else:
        # A script that polls at intervals which it spells out is waited for like any timer.
        unknown = evidence.unread or (evidence.polls and not evidence.longest_timer_ms)
        least, reason = (limits.quiet if unknown else limits.brief), "quiet"
    if timer > least:
        return min(timer, limits.late), "timer_in_script"
    return least, reason


def _wait(until: float, reason: str, limits: SettleLimits) -> Decision:
    return Decision(None, reason, min(until, limits.cap))
