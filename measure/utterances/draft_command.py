"""`webmcp-census utterances draft`."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from census.errors import CensusError
from measure.judges.opening import JudgeOptions, open_judge
from measure.judges.options import judge_options
from measure.lint.manifest import ManifestTool
from measure.utterances.check import LEAST_CONTROLS, LEAST_UTTERANCES, Least
from measure.utterances.draft import Drafted, draft
from measure.utterances.tools_file import read_tools
from measure.utterances.utterance_set import Author, UtteranceSet, write_set

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(
    "draft",
    short_help="Have a model write a first draft of a set.",
    epilog="\b\nExample:\n  webmcp-census utterances draft --tools tools.json --page pizza/index.html "
    "--judge openai:MODEL --out pizza.json",
)
@click.option("--tools", "manifest", type=_FILE, required=True, metavar="FILE", help="The page's tools.")
@click.option("--page", required=True, help="The page's URL, or its path in the folder that is served.")
@click.option("--out", type=_FILE, required=True, help="The set to write; its name is the set's.")
@click.option("--utterances", type=click.IntRange(1), default=LEAST_UTTERANCES, show_default=True, help="Of each tool.")
@click.option("--controls", type=click.IntRange(1), default=LEAST_CONTROLS, show_default=True, help="Of the set.")
@judge_options
def draft_command(
    manifest: Path,
    page: str,
    out: Path,
    utterances: int,
    controls: int,
    judge_spec: str,
    judge_options: JudgeOptions,
) -> int:
    """Ask a model for utterances of each tool and controls of each kind; it may then not judge the set.

    Exits 0 when the draft is written with as many as were asked for, 1 when it has fewer, 2 when there is none. What
    could not be used is told on standard error. Read the draft, mend it, `check` it, `freeze` it.
    """
    if not judge_spec.startswith(("openai:", "anthropic:")):
        raise CensusError(f"--judge {judge_spec} writes nothing: name a model (openai:MODEL, anthropic:MODEL)")
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,79}", out.stem):
        raise CensusError(f"--out {out}: its name is the set's, so a-z, 0-9, dots, dashes and underscores")
    if out.exists():
        raise CensusError(f"{out} exists: name another file, or remove it")
    tools = read_tools(manifest) or ()
    author = Author(kind="model", name=judge_spec)
    drafted = asyncio.run(_drafted(judge_spec, judge_options, author, tools, Least(utterances, controls)))
    for refused in drafted.refused:
        click.echo(refused, err=True)
    if not drafted.utterances:
        raise CensusError(f"{judge_spec} wrote no utterance that can be used: try another model")
    content = UtteranceSet(
        format=1,
        name=out.stem,
        version="0.1.0",
        page=page,
        utterances=tuple(drafted.utterances),
        controls=tuple(drafted.controls),
    )
    write_set(out, content)
    asked = utterances * len(tools)
    click.echo(
        f"{out}: {len(drafted.utterances)} of {asked} utterances, {len(drafted.controls)} of {controls} controls, "
        f"written by {author.name}; {len(drafted.refused)} proposals refused"
    )
    return 0 if len(drafted.utterances) >= asked and len(drafted.controls) >= controls else 1


async def _drafted(
    spec: str, options: JudgeOptions, author: Author, tools: Sequence[ManifestTool], least: Least
) -> Drafted:
    # The choice of a tool is not asked for here, so the mode that asks for one in the prompt is not used.
    source = open_judge(spec, replace(options, mode="native"))
    try:
        return await draft(source.for_draw("draft"), author, tools, least)
    finally:
        await source.aclose()
