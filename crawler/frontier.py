"""The frontier's contract: what keeps a crawl from losing a target or visiting one twice."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from census.target import Target
from census.vocabulary import Outcome, Pass


class Fault(StrEnum):
    """Whose fault it is that an attempt was not a target's last one; each kind is counted apart."""

    SITE = "site"
    OURS = "ours"
    """The browser's, the network's, a control visit's: it says nothing of the target."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to visit one target now; its site belongs to the holder until the lease ends."""

    target_id: int
    target: Target
    pass_: Pass
    attempt: int
    """Counted at the claim: a page that takes its crawler down still uses its attempts up."""
    fence: int
    """Grows with each claim of the site; what an older lease reports is refused."""
    lost: int = 0
    """Attempts that went down with their crawler: one of those that were under way may be why."""
    failed: int = 0
    """Earlier attempts that ended by the site's fault."""
    ours: int = 0
    """Earlier attempts that ended by ours, and visits that were reopened."""


@dataclass(frozen=True, slots=True)
class Report:
    """How an attempt ended, with the evidence that was saved before."""

    visit_id: str
    outcome: Outcome
    evidence: str
    """SHA-256 of the visit record in the evidence store."""
    retry_after: float | None
    """Seconds until the next attempt; None makes this the target's final visit."""
    then: tuple[Pass, ...] = ()
    """Further passes over the target that a final visit asks for."""
    inner: tuple[Target, ...] = ()
    """Inner pages that a final visit leads to, of the target's site; those that are targets already are left out."""
    inner_most: int = 0
    """How many inner pages a site may have in all."""
    site_rest: float = 0.0
    """Seconds for which the server asked to be left alone (`Retry-After`): a wish of the site, not of the page."""
    asked: bool = True
    """Whether the site was asked for anything; when it was not, it need not rest."""
    fault: Fault | None = None
    """Why there is another attempt; None for a final visit."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How far a crawl is."""

    targets: int
    finished: int
    leased: int
    """Visits under way, of any pass."""
    outcomes: dict[str, int]
    """Of the main pass's final visits."""
    observations: int = 0
    """Visits of other passes that are wanted, and how many of them are made."""
    observations_finished: int = 0

    @property
    def complete(self) -> bool:
        """Whether nothing is left to visit."""
        return self.finished == self.targets and self.observations_finished == self.observations


class StaleLease(Exception):
    """The lease was taken over by somebody else meanwhile; the report was not recorded."""


class Frontier(Protocol):
    """A crawl's targets and what became of them. Times are seconds since the epoch, by the frontier's own clock."""

    def add(self, targets: Iterable[Target], first: int = 0) -> int:
        """Add targets that are not there yet, all or none; returns how many were new.

        The first so many come before the others of their site, and their sites before other sites that nobody tried.
        """

    def claim(self) -> Lease | None:
        """Lease a site that is free and due, and its next target; None when there is none now.

        Sites that nobody tried come first, and of them those with most targets: they take the longest.
        """

    def acknowledge(self, lease: Lease, report: Report, delay: float) -> None:
        """Record the visit and end the lease in one transaction.

        The site is due again after the longest of `delay`, its own delay and the report's `site_rest`, or at once when
        it was not asked for anything.

        Raises StaleLease.
        """

    def release(self, lease: Lease) -> None:
        """Give a target back unvisited (an interrupted crawl): the attempt does not count."""

    def recover(self) -> None:
        """Take back the leases of crawlers that died; their attempts count as lost.

        With one crawler a frontier, which is starting, these are all; with many, those whose time has run out.
        """

    def next_lost(self, limit: int) -> Lease | None:
        """Lease a target that lost `limit` attempts with its crawler, to be given up."""

    def reopen(self, visit_ids: Iterable[str]) -> int:
        """Make final visits not final, by our fault: they are to be done again. Returns how many."""

    def set_delay(self, site: str, delay: float) -> None:
        """The site's own wish (crawl-delay): visits of it are at least this many seconds apart."""

    def next_due(self) -> float | None:
        """When there may be something to claim again; None when nothing waits, nor may come back from elsewhere."""

    def record_control(self, record: str, vouched: Iterable[str]) -> None:
        """Keep a control visit's record, and the ids of the visits that it vouches for, recorded by then or not."""

    def counts(self) -> Counts:
        """How far the crawl is."""
