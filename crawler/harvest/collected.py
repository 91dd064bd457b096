"""What a harvest has got: the walks write it while the spider runs, the command reads it at the end."""

from dataclasses import dataclass, field

from census.target import target_key
from crawler.harvest.gallery import GalleryEntry, GalleryPage, ProjectPage
from crawler.target_list import TargetList


@dataclass(frozen=True)
class Shortfall:
    """A reason why a harvest is incomplete, and the page it is about."""

    url: str
    reason: str


@dataclass
class Collected:
    """What was got so far, in the source's order, and where it fell short."""

    pages: int = 0
    """Gallery pages, sitemap files or lists read."""
    announced: int | None = None
    entries: dict[str, GalleryEntry] = field(default_factory=dict)
    """By the key of the project page's URL."""
    projects: dict[str, ProjectPage] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    """Entries whose project page could not be read."""
    addresses: list[tuple[str, str]] = field(default_factory=list)
    """Page URLs from sitemaps, each with the sitemap that lists it."""
    listed: TargetList | None = None
    limited: bool = False
    """Whether the walk ended because `--max-pages` told it to."""
    shortfalls: list[Shortfall] = field(default_factory=list)

    def fall_short(self, url: str, reason: str) -> None:
        """Note that the harvest is incomplete."""
        self.shortfalls.append(Shortfall(url, reason))

    def add_page(self, page: GalleryPage) -> list[tuple[str, GalleryEntry]]:
        """Add a gallery page; returns the entries that no earlier page had, with their keys."""
        self.pages += 1
        if page.announced is not None:
            # The gallery may grow or shrink meanwhile; the larger number is the one to be held to.
            self.announced = max(page.announced, self.announced or 0)
        fresh = []
        for entry in page.entries:
            key = target_key(entry.url)
            if key not in self.entries:
                self.entries[key] = entry
                fresh.append((key, entry))
        return fresh

    def close(self, source: str, how: str) -> None:
        """Note what the end of the crawl shows: entries never asked for, an announced count not reached.

        `how` is Scrapy's reason for the end of the crawl; `finished` is the good one.
        """
        if how != "finished":
            self.fall_short(source, f"the harvest was stopped: {how}")
        unasked = self.entries.keys() - self.projects.keys() - self.failed
        if unasked:
            self.fall_short(source, f"{len(unasked)} project pages were not read")
        if self.announced is not None and len(self.entries) < self.announced and not self.limited:
            self.fall_short(
                source,
                f"the gallery announces {self.announced} entries, {len(self.entries)} were seen",
            )
        if not self.pages and not self.shortfalls:
            self.fall_short(source, "nothing could be read")
