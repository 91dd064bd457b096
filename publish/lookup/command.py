"""`webmcp-census lookup`."""

import json
from pathlib import Path

import click

from census.optout import OptOut, opt_out_option

_FORMATS = ("text", "markdown", "json")


@click.command(
    "lookup",
    short_help="What a release says of one page, and how to put it right.",
    epilog=(
        "\b\nExamples, after `webmcp-census build run --out release`:\n"
        "  webmcp-census lookup https://shop.example/\n"
        "  webmcp-census lookup shop.example --release https://census.example/ --format markdown"
    ),
)
@click.argument("page", metavar="URL")
@click.option(
    "--release",
    "source",
    default="release",
    envvar="WEBMCP_CENSUS_RELEASE",
    show_envvar=True,
    show_default=True,
    metavar="WHERE",
    help="A release folder, the URL of a site that `webmcp-census site` made, s3://BUCKET/PREFIX or hf:OWNER/NAME.",
)
@opt_out_option("Sites of which nothing is shown")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="How to say it.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def lookup_command(page: str, source: str, opt_out: Path | None, form: str, as_json: bool) -> int:
    """Look up URL, a host, or the name of a project or a tool in a release; only what is asked for is read.

    `--format markdown` is the page's scorecard, with a remedy for every finding. Exits 0 when there is an entry, 1 when
    the page is not in the release, 2 when that cannot be told.
    """
    from publish.lookup.answer_text import answer_text
    from publish.lookup.question import question
    from publish.lookup.scorecard import scorecard
    from publish.lookup.sources import open_source

    answer = open_source(source, OptOut.named_or_default(opt_out)).look_up(question(page))
    if as_json or form == "json":
        values = {
            "release": answer.release,
            "asked": answer.text,
            "entries": [entry.model_dump(mode="json", exclude_none=True) for entry in answer.entries],
            "others": [line._asdict() for line in answer.others],
            "others_count": answer.others_count,
        }
        click.echo(json.dumps(values, indent=2))
    else:
        click.echo(scorecard(answer).rstrip("\n") if form == "markdown" else answer_text(answer))
    return 0 if answer.found else 1
