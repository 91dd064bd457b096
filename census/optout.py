"""Sites that asked to be left out: nobody there is asked anything, and nothing of theirs is published."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from census.errors import CensusError
from census.site import ascii_host, registrable_domain, site_of

OPT_OUT_LIST = Path("datasets/optout.txt")
"""The project's own list, from the working directory."""


def opt_out_option(sites: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the option `--opt-out`, with what it does to these sites there."""
    return click.option(
        "--opt-out",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"{sites} [default: {OPT_OUT_LIST}, if there].",
    )


def warn_without_list(named: Path | None) -> None:
    """Say on stderr when neither a list was named nor the project's own is there."""
    if named is None and not OPT_OUT_LIST.exists():
        click.echo(f"no opt-out list: there is no {OPT_OUT_LIST} here and --opt-out names none", err=True)


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
            raise CensusError(f"opt-out list {path} cannot be read ({error}); give --opt-out another file") from error
        sites = set()
        for number, line in enumerate(lines, 1):
            words = line.partition("#")[0].replace(",", " ").split()
            if not words:
                continue
            name = words[0].lower()
            if "/" in name or not name.strip("."):
                raise CensusError(
                    f"{path}, line {number}: {words[0]!r} is no site; write `example.org 2026-11-30 owner`"
                )
            sites.add(registrable_domain(name) or ascii_host(name))
        return cls(frozenset(sites))

    @classmethod
    def named_or_default(cls, path: Path | None) -> "OptOut":
        """The list that was named, else the project's own where it is there, else an empty one."""
        if path is not None:
            return cls.read(path)
        return cls.read(OPT_OUT_LIST) if OPT_OUT_LIST.exists() else cls()

    def covers(self, url: str) -> bool:
        """Whether the URL's site is on the list; never for a URL without a host."""
        try:
            site = site_of(url)
        except ValueError:
            return False
        return site in self.sites or site.rpartition(":")[0] in self.sites
