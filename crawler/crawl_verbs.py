"""What `crawl` says and does of a crawl that many workers share: status, requeue, drain, collect."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from census.errors import CensusError
from census.vocabulary import OURS, Outcome
from crawler.postgres.address import ENVIRONMENT, FrontierAddress, given_address

_LOOK = 2.0


def frontier_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--frontier`."""
    return click.option(
        "--frontier",
        metavar="URL",
        help=f"Database of a crawl that many workers share: postgresql://USER@HOST/DATABASE [default: ${ENVIRONMENT}].",
    )(command)


def optional_address(frontier: str | None) -> FrontierAddress | None:
    """The address, if one is given. Raises CensusError when it cannot be read, or the driver for it is missing."""
    address = given_address(frontier)
    if address is not None:
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise CensusError("--frontier postgresql://… needs `pip install 'webmcp-census[workers]'`") from None
    return address


def needed_address(frontier: str | None) -> FrontierAddress:
    """The address. Raises CensusError when none is given too."""
    address = optional_address(frontier)
    if address is None:
        raise CensusError(f"say which crawl: --frontier postgresql://USER@HOST/DATABASE, or {ENVIRONMENT}")
    return address


@click.command("status")
@frontier_option
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status_command(frontier: str | None, as_json: bool) -> int:
    """How far a shared crawl is: outcomes, workers, rate, time left, leases, what was buried.

    Exits 0 when every target has its outcome, 2 when some have none.

    \b
    Example:
      webmcp-census crawl status --frontier postgresql://census@db.example.org/census
    """
    address = needed_address(frontier)
    from crawler.postgres.operations import status as status_of
    from crawler.postgres.status_text import in_words

    status = status_of(address)
    click.echo(json.dumps(asdict(status), indent=1) if as_json else in_words(status))
    return 0 if status.counts.complete else 2


@click.command("requeue")
@frontier_option
@click.option(
    "--outcome",
    "outcomes",
    multiple=True,
    type=click.Choice([each.value for each in Outcome if each is not Outcome.CAPTURED]),
    help=f"Visit targets with this final outcome again; may be repeated [default: {', '.join(sorted(OURS))}].",
)
def requeue_command(frontier: str | None, outcomes: tuple[str, ...]) -> int:
    """Have targets visited once more whose outcome says nothing of the page, or is worth another look.

    \b
    Example:
      webmcp-census crawl requeue --frontier postgresql://census@db.example.org/census --outcome gave_up
    """
    address = needed_address(frontier)
    from crawler.postgres.operations import visit_again

    number = visit_again(address, list(outcomes) or sorted(OURS))
    click.echo(f"{number} targets are visited again")
    return 0


@click.command("drain")
@frontier_option
@click.option("--off", is_flag=True, help="Let workers claim again; those that have ended must be started again.")
@click.option("--wait", is_flag=True, help="Come back when no visit is under way.")
def drain_command(frontier: str | None, off: bool, wait: bool) -> int:
    """Have every worker finish its visits, claim no more, and end: before an upgrade or a backup.

    \b
    Example:
      webmcp-census crawl drain --wait --frontier postgresql://census@db.example.org/census
    """
    address = needed_address(frontier)
    from crawler.postgres.operations import drain, under_way

    drain(address, draining=not off)
    leased = under_way(address)
    while wait and not off and leased:
        time.sleep(_LOOK)
        leased = under_way(address)
    click.echo("workers claim again" if off else f"no more targets are claimed; {leased} visits are under way")
    return 0


@click.command("collect")
@frontier_option
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Folder that gets the crawl as it is now.",
)
def collect_command(frontier: str | None, out: Path) -> int:
    """Bring a shared crawl into RUN, for `lint` and `build`: settings, targets, visits, evidence.

    Exits 0 when every target has its outcome, 2 when some have none.

    \b
    Example:
      webmcp-census crawl collect --frontier postgresql://census@db.example.org/census --out run
    """
    address = needed_address(frontier)
    from crawler.collecting import collect

    counts = collect(address, out)
    click.echo(f"{counts.finished} of {counts.targets} targets have their outcome, in {out}")
    click.echo(
        f"next: webmcp-census build {out} --out RELEASE"
        if counts.complete
        else "the crawl goes on; collect again later"
    )
    return 0 if counts.complete else 2
