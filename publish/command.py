"""`webmcp-census publish`."""

import json
from pathlib import Path

import click

from census.optout import OptOut, opt_out_option, warn_without_list


@click.command(
    "publish",
    short_help="Put a release where others can load it: a directory, a hub, an object store.",
    epilog="\b\nExample, after `webmcp-census build run --out release`:\n"
    "  webmcp-census publish release --to dir:published --dry-run\n"
    "  webmcp-census publish release --to hf:OWNER/NAME --sample",
)
@click.argument("release", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--to",
    required=True,
    metavar="PLACE",
    help="dir:PATH, hf:OWNER/NAME (token in HF_TOKEN) or s3://BUCKET/PREFIX (keys as other clients find them).",
)
@click.option("--sample", is_flag=True, help="Add 1,000 pages drawn at random, as configs `sample_pages` and so on.")
@click.option("--dry-run", is_flag=True, help="Run the gates, look at PLACE, change nothing there.")
@opt_out_option("Sites that must not be in what leaves")
@click.option(
    "--previous",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="RELEASE",
    help="The release that it was compared with: what it keeps of that one must be true.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what became of it as JSON.")
def publish_command(
    release: Path, to: str, sample: bool, dry_run: bool, opt_out: Path | None, previous: Path | None, as_json: bool
) -> int:
    """Publish a release that passes every gate, as a whole, once; a version never changes.

    Exits 0 when the version is there with these bytes, now or before; 1 when a gate failed and nothing was sent; 2 when
    it could not be published: the version is there with other bytes, another publisher won, PLACE does not answer.
    After a stop of any kind the same command goes on.
    """
    # Polars takes a second to import; `--help` need not wait for it.
    from census.opened_release import open_release
    from publish.gates import altered_files, as_published, violations_of, way_out
    from publish.payload import read_payload
    from publish.places.place import check_place, open_place
    from publish.publication import in_words

    check_place(to)
    optout = OptOut.named_or_default(opt_out)
    warn_without_list(opt_out)
    violations = altered_files(release) if sample else []
    if not violations:
        with as_published(release, sample=sample) as folder:
            violations = violations_of(folder, optout, open_release(previous) if previous else None)
            if not violations:
                place = open_place(to)
                payload = read_payload(folder)
                done = place.plan(payload) if dry_run else place.publish(payload)
                click.echo(_as_json(done._asdict()) if as_json else in_words(done))
                return 0
    if as_json:
        click.echo(_as_json({"status": "refused", "violations": [each._asdict() for each in violations]}))
    else:
        for violation in violations:
            click.echo(f"{violation.rule}: {violation.message}")
    click.echo(f"{release} was not published: {len(violations)} of its gates do not hold", err=True)
    advice = way_out(violations, release)
    if advice:
        click.echo(advice, err=True)
    return 1


def _as_json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
