"""`webmcp-census utterances`."""

import json
from pathlib import Path

import click

from measure.utterances.check import LEAST_CONTROLS, LEAST_UTTERANCES, Least, Problem, problems
from measure.utterances.digest import frozen
from measure.utterances.draft_command import draft_command
from measure.utterances.tools_file import read_tools
from measure.utterances.utterance_set import UtteranceSet, read_set, write_set

_FILE = click.Path(dir_okay=False, path_type=Path)
_TOOLS = click.option(
    "--tools", "manifest", type=_FILE, metavar="FILE", help="The page's tools, to check names and arguments against."
)
_LEAST = (
    click.option(
        "--least-utterances",
        type=click.IntRange(0),
        default=LEAST_UTTERANCES,
        show_default=True,
        help="Of each tool.",
    ),
    click.option(
        "--least-controls", type=click.IntRange(0), default=LEAST_CONTROLS, show_default=True, help="Of the set."
    ),
)


@click.group(
    "utterances",
    short_help="Draft, check and freeze utterance sets.",
    epilog="\b\nExample:\n  webmcp-census utterances check datasets/utterances/pizza.json --tools pizza-tools.json",
)
def utterances_group() -> None:
    """Keep utterance sets: what is said to a judge, frozen before it is measured with."""


@utterances_group.command(
    "check",
    short_help="Say what is wrong with a set.",
    epilog="\b\nExample:\n  webmcp-census utterances check datasets/utterances/pizza.json --tools pizza-tools.json",
)
@click.argument("file", type=_FILE)
@_TOOLS
@_LEAST[0]
@_LEAST[1]
@click.option("--json", "as_json", is_flag=True, help="Print the problems as JSON.")
def check_command(file: Path, manifest: Path | None, least_utterances: int, least_controls: int, as_json: bool) -> int:
    """Find duplicates, missing controls, unknown tools, and arguments that no call could have.

    Exits 0 when there is nothing to mend, 1 when there is, 2 when FILE is no utterance set.
    """
    utterances = read_set(file)
    found = problems(utterances, read_tools(manifest), Least(least_utterances, least_controls))
    if as_json:
        click.echo(json.dumps([problem._asdict() for problem in found], indent=2))
    else:
        _show(file, utterances, found, checked_tools=manifest is not None)
    return 1 if found else 0


@utterances_group.command(
    "freeze",
    short_help="Check a set and stamp it.",
    epilog="\b\nExample:\n  webmcp-census utterances freeze datasets/utterances/pizza.json --tools pizza-tools.json",
)
@click.argument("file", type=_FILE)
@_TOOLS
@_LEAST[0]
@_LEAST[1]
def freeze_command(file: Path, manifest: Path | None, least_utterances: int, least_controls: int) -> int:
    """Write a set's digest into its FILE, when nothing is wrong with it; rates are measured with frozen sets only.

    A frozen set that was changed is refused: it needs a new version. Exits 0 when FILE is frozen, 1 when there is
    something to mend, 2 when FILE is no utterance set or may not be frozen.
    """
    utterances = read_set(file)
    stamped = frozen(utterances)
    found = problems(utterances, read_tools(manifest), Least(least_utterances, least_controls))
    if found:
        _show(file, utterances, found, checked_tools=manifest is not None)
        click.echo("Not frozen.", err=True)
        return 1
    if stamped != utterances:
        write_set(file, stamped)
    click.echo(f"{utterances.name} {utterances.version} is frozen: {stamped.digest}")
    return 0


utterances_group.add_command(draft_command)


def _show(file: Path, utterances: UtteranceSet, found: list[Problem], *, checked_tools: bool) -> None:
    for problem in found:
        click.echo(f"{problem.where}: {problem.message}")
    tools = {each.tool for each in utterances.utterances}
    click.echo(
        f"{file}: {utterances.name} {utterances.version}, {len(utterances.utterances)} utterances of {len(tools)} "
        f"tools, {len(utterances.controls)} controls; {len(found)} to mend"
        + ("" if checked_tools else " (names and arguments not checked: give the page's tools with --tools)")
    )
