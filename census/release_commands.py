"""`webmcp-census release verify` and `webmcp-census optout apply`."""

import json
from pathlib import Path

import click

from census.optout import OptOut, opt_out_option

_VERIFY_EXAMPLE = "\b\nExample, after `webmcp-census build run --out release`:\n  webmcp-census release verify release"
_APPLY_EXAMPLE = (
    "\b\nExample, with a line in datasets/optout.txt:\n  webmcp-census optout apply release --out release-hotfix"
)
_RELEASE = click.argument("release", type=click.Path(path_type=Path, file_okay=False))
_OPT_OUT = opt_out_option("Sites that must not be in a release")


@click.group(
    "release",
    epilog=_VERIFY_EXAMPLE,
)
def release_group() -> None:
    """Look after releases."""


@release_group.command(
    "verify",
    epilog=_VERIFY_EXAMPLE,
)
@_RELEASE
@_OPT_OUT
@click.option(
    "--previous",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="RELEASE",
    help="The release that it was compared with: what it keeps of that one must be true.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the violations as JSON.")
def verify_command(release: Path, opt_out: Path | None, previous: Path | None, as_json: bool) -> int:
    """Hold a release against every gate, compute its numbers again, and check its files.

    Exits 0 when all of it holds, 1 when a gate failed, 2 when the release cannot be read.
    """
    from census.opened_release import open_release
    from census.verification import verify_release

    violations = verify_release(release, OptOut.named_or_default(opt_out), open_release(previous) if previous else None)
    if as_json:
        click.echo(json.dumps([violation._asdict() for violation in violations], indent=2))
    elif violations:
        for violation in violations:
            click.echo(f"{violation.rule}: {violation.message}")
    else:
        click.echo(f"{release} holds: files, schema, keys, accounts, privacy, bands, and every number from its tables")
    return 1 if violations else 0


@click.group(
    "optout",
    epilog=_APPLY_EXAMPLE,
)
def optout_group() -> None:
    """Take sites out of what was published."""


@optout_group.command(
    "apply",
    epilog=_APPLY_EXAMPLE,
)
@_RELEASE
@click.option(
    "--out", required=True, metavar="RELEASE", type=click.Path(path_type=Path), help="Release folder to make."
)
@_OPT_OUT
def apply_command(release: Path, out: Path, opt_out: Path | None) -> None:
    """Make the next hotfix of a release (YYYY.MM.N+1) without the sites of the opt-out list.

    Exits 0 when it is made, 2 when nothing of the list is in the release or it cannot be made.
    """
    from census.hotfix import apply_opt_out
    from census.opened_release import open_release

    version, removed = apply_opt_out(open_release(release), OptOut.named_or_default(opt_out), out)
    click.echo(f"{version} without {removed:,} targets of sites that opted out: {out}")
