"""Sites that asked to be left out: nobody there is asked anything, and nothing of theirs is published."""

from pathlib import Path

from census.errors import CensusError
from census.site import registrable_domain, site_of


class OptOut:
    """A list of sites. Each line: the site (or a host under it), the date, the reason's class."""

    def __init__(self, sites: frozenset[str] = frozenset()) -> None:
        self.sites = sites

    @classmethod
    def read(cls, path: Path) -> "OptOut":
        """Read a list; blank lines and `#` comments are skipped. Raises CensusError naming a line that is no site."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CensusError(f"opt-out list {path} cannot be read: {error}") from error
        sites = set()
        for number, line in enumerate(lines, 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            name = words[0].lower()
            if "/" in name or not name.strip("."):
                raise CensusError(
                    f"{path}, line {number}: {words[0]!r} is no site; write `example.org 2026-11-30 owner`"
                )
            sites.add(registrable_domain(name) or name)
        return cls(frozenset(sites))

    def covers(self, url: str) -> bool:
        """Whether the URL's site is on the list."""
        site = site_of(url)
        return site in self.sites or site.rpartition(":")[0] in self.sites
