"""Which further passes a page is due after its main visit. A pure decision."""

import hashlib

from census.visit import Visit
from census.vocabulary import Outcome, Pass
from crawler.settings import CrawlSettings

_REGISTERING = frozenset(
    {"navigator.modelContext", "modelContextTesting", "provideContext", "registerTools", "window.agent"}
)
"""Old names that a tool can come by; the others only take tools away."""


def further_passes(visit: Visit, settings: CrawlSettings, run_id: str) -> tuple[Pass, ...]:
    """The passes that a final main visit asks for; none after any other pass or outcome."""
    if visit.pass_ is not Pass.MAIN or visit.outcome is not Outcome.CAPTURED:
        return ()
    passes = []
    evidence = visit.script_evidence
    if settings.legacy and evidence is not None and not _REGISTERING.isdisjoint(evidence.old_names):
        passes.append(Pass.LEGACY)
    if sampled(visit.target.key, settings.audit, run_id):
        passes.append(Pass.AUDIT)
    return tuple(passes)


def sampled(key: str, share: float, seed: str) -> bool:
    """Whether a target is in a random sample of the given share: the same one for the same run, in any order."""
    digest = hashlib.sha256(f"{seed} {key}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64 < share
