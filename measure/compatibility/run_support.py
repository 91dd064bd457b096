"""How many pages of a RUN work in the builds that a user cares about."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from census.visit import Visit
from census.vocabulary import Outcome
from measure.browsers.build import Build
from measure.compatibility.in_builds import chosen_builds, published_matrix
from measure.compatibility.page_support import BuildSupport, Support, support
from measure.compatibility.page_use import use_of_visit
from measure.lint.visit_manifest import manifest_of_visit

_MOST_REASONS = 3


@dataclass
class BuildTally:
    """The captured pages with tools of a RUN, in one build."""

    build: Build
    pages: Counter[Support] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    """Pages by what is missing there; a page can be among several."""

    def add(self, found: BuildSupport) -> None:
        """Count one page."""
        self.pages[found.support] += 1
        self.reasons.update({f"{reason.text} [{reason.behaviour}: {reason.value}]" for reason in found.reasons})

    def sentence(self) -> str:
        """`Chromium 150 (cr150): 30 pages with tools: 28 works, 2 silent (2 because …)`."""
        total = self.pages.total()
        parts = [f"{self.pages[each]:,} {each.value.replace('_', ' ')}" for each in Support if self.pages[each]]
        why = [f"{pages:,} because {reason}" for reason, pages in self.reasons.most_common(_MOST_REASONS)]
        more = len(self.reasons) - len(why)
        head = f"{self.build.name} {self.build.major} ({self.build.label}): {total:,} pages with tools"
        said = "; ".join([*why, *([f"{more} more reasons"] if more > 0 else [])])
        return f"{head}: {', '.join(parts) or 'none to say anything of'}{f' ({said})' if said else ''}"


class RunSupport:
    """Counts pages as they go by."""

    def __init__(self, builds: str) -> None:
        """Raises CensusError when no matrix was published, or it has no such build."""
        self._matrix = published_matrix()
        self.tallies = [BuildTally(build) for build in chosen_builds(builds, self._matrix)]

    def counting(self, visits: Iterable[Visit]) -> Iterator[Visit]:
        """Pass the visits on; those of captured pages with tools are counted."""
        for visit in visits:
            manifest = manifest_of_visit(visit) if visit.outcome is Outcome.CAPTURED else None
            if manifest and manifest.tools:
                use = use_of_visit(visit, manifest)
                for tally in self.tallies:
                    tally.add(support(use, self._matrix, tally.build))
            yield visit
