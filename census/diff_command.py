"""`webmcp-census diff`."""

from pathlib import Path

import click


@click.command(
    "diff",
    short_help="What changed between two releases.",
    epilog="\b\nExample, with two releases:\n  webmcp-census diff release-2026.10.0 release-2026.11.0",
)
@click.argument("before", type=click.Path(path_type=Path, file_okay=False))
@click.argument("after", type=click.Path(path_type=Path, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, with every page and tool.")
def diff_command(before: Path, after: Path, as_json: bool) -> None:
    """Say what changed between two releases: pages and tools added, removed, renamed and changed, and adoption.

    Adoption is compared like for like, over the pages that both measured. What was made differently (schema, code,
    settings, browser) comes first. Exits 0, or 2 when a release cannot be read.
    """
    from census.bands import bands
    from census.changes import changes_between, changes_page
    from census.opened_release import open_release, rates_of
    from census.release_diff import diff_releases

    old, new = open_release(before), open_release(after)
    changes = changes_between(
        (old.manifest.release_version, new.manifest.release_version),
        diff_releases((old.manifest, old.tables), (new.manifest, new.tables)),
        bands(rates_of(old.summary), rates_of(new.summary)),
        limit=None,
    )
    click.echo(changes.model_dump_json(indent=2) if as_json else changes_page(changes), nl=as_json)
