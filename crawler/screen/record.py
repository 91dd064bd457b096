"""What the screen keeps of a page, and what becomes of it."""

from pydantic import BaseModel, ConfigDict

from census.vocabulary import Screen
from crawler.passes import sampled
from crawler.screen.signs import Sign


class Screening(BaseModel):
    """One target's screening; how far its source was read, and the signs in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    signs: tuple[Sign, ...] = ()
    """Sorted. The screening ends at the first text that has one, so there may be more."""
    unread: int = 0
    """Documents, and scripts of the page's own site, that could not be read."""
    why: str | None = None
    """Why the first of them could not."""
    status: int | None = None
    final_url: str | None = None
    documents: int = 0
    scripts: int = 0
    """How many were read."""
    retry_after: str = ""

    def verdict(self, key: str, share: float, seed: str) -> Screen:
        """What the crawl does with the target: the same for the same sample and seed, in any order."""
        if self.signs:
            return Screen.EVIDENCE
        if self.unread:
            return Screen.UNREAD
        return Screen.NONE_SAMPLED if sampled(key, share, f"screen {seed}") else Screen.NONE_NOT_VISITED
