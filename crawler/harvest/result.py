"""From what was collected to targets, skipped entries and ambiguous ones. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from census.target import Target
from crawler.harvest.collected import Collected
from crawler.harvest.gallery import GalleryEntry
from crawler.harvest.links import classify_links


class Skipped(BaseModel):
    """An entry that gave no target of its own.

    `reason` is `duplicate` (an earlier entry has the same target), `project_page_failed`, `not_http`,
    `unreadable`, or what `classify_links` says; `source` is the entry's page, or the list's line.
    """

    model_config = ConfigDict(frozen=True)

    project: str | None
    source: str
    reason: str
    links: tuple[str, ...] = ()


class Ambiguous(BaseModel):
    """A project with several links that might be its demo."""

    model_config = ConfigDict(frozen=True)

    project: str | None
    source: str
    repository: str | None
    candidates: tuple[str, ...]


class HarvestCounts(BaseModel):
    """Every entry seen is in one of `targets`, `duplicates`, `skipped` and `ambiguous`."""

    model_config = ConfigDict(frozen=True)

    pages_fetched: int
    """Gallery pages, sitemap files or lists."""
    project_pages_fetched: int
    entries_announced: int | None
    entries_seen: int
    targets: int
    duplicates: int
    skipped: dict[str, int]
    """By reason."""
    ambiguous: int


@dataclass
class HarvestResult:
    """What the files are written from."""

    targets: dict[str, Target] = field(default_factory=dict)
    """By key, in the source's order."""
    skipped: list[Skipped] = field(default_factory=list)
    ambiguous: list[Ambiguous] = field(default_factory=list)

    def add(self, target: Target) -> None:
        """Add a target, or note it as a duplicate when its key is there."""
        if target.key in self.targets:
            self.skipped.append(
                Skipped(
                    project=target.project,
                    source=target.source or target.url,
                    reason="duplicate",
                    links=(target.url,),
                )
            )
        else:
            self.targets[target.key] = target


def result_of(collected: Collected, source: str) -> HarvestResult:
    """Decide for each entry what becomes of it. A target's `source` is its gallery entry, sitemap or list."""
    result = HarvestResult()
    for key, entry in collected.entries.items():
        _decide(result, collected, key, entry)
    for url, sitemap in collected.addresses:
        try:
            result.add(Target(url=url, source=sitemap))
        except ValidationError:
            result.skipped.append(Skipped(project=None, source=sitemap, reason="not_http", links=(url,)))
    if collected.listed is not None:
        for target in collected.listed.targets:
            result.add(target if target.source else target.model_copy(update={"source": source}))
        result.skipped += _listed_problems(collected)
    return result


def counts_of(collected: Collected, result: HarvestResult) -> HarvestCounts:
    """Count what became of the entries."""
    listed = collected.listed.counts if collected.listed else None
    reasons = Counter(entry.reason for entry in result.skipped)
    # A list leaves its duplicates out before the result sees them.
    duplicates = reasons.pop("duplicate", 0) + (listed.duplicates if listed else 0)
    return HarvestCounts(
        pages_fetched=collected.pages,
        project_pages_fetched=len(collected.projects),
        entries_announced=collected.announced,
        entries_seen=len(result.targets) + duplicates + reasons.total() + len(result.ambiguous),
        targets=len(result.targets),
        duplicates=duplicates,
        skipped=dict(sorted(reasons.items())),
        ambiguous=len(result.ambiguous),
    )


def _decide(result: HarvestResult, collected: Collected, key: str, entry: GalleryEntry) -> None:
    page = collected.projects.get(key)
    if page is None:
        result.skipped.append(Skipped(project=entry.title or None, source=entry.url, reason="project_page_failed"))
        return
    project = page.title or entry.title or None
    decision = classify_links(page.links)
    if decision.demo is not None:
        result.add(Target(url=decision.demo, project=project, repository=decision.repository, source=entry.url))
    elif decision.candidates:
        result.ambiguous.append(
            Ambiguous(
                project=project,
                source=entry.url,
                repository=decision.repository,
                candidates=decision.candidates,
            )
        )
    else:
        links = tuple(link.url for link in page.links)
        result.skipped.append(Skipped(project=project, source=entry.url, reason=decision.reason, links=links))


def _listed_problems(collected: Collected) -> Iterator[Skipped]:
    for problem in collected.listed.problems if collected.listed else ():
        reason = "not_http" if problem.not_http else "unreadable"
        yield Skipped(project=None, source=str(problem), reason=reason)
