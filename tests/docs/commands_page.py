"""The page with the help of every command, made from the commands themselves."""

from collections.abc import Iterator

import click

from crawler.verbs import CommandWithVerbs
from webmcp_census import cli

WIDTH = 110
"""Columns of the text, on any terminal."""


def commands_page() -> str:
    """`docs/commands.md` as Markdown."""
    parts = [
        "# The commands",
        "What `--help` says of each, made by `make docs`. Exit codes are the same everywhere: 0 answered and good,"
        " 1 answered and a gate failed, 2 could not answer.",
    ]
    for name, text in _helps(cli, "webmcp-census"):
        parts += [f"## {name}", f"```text\n{text}\n```"]
    return "\n\n".join(parts) + "\n"


def _helps(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    context = click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        **command.context_settings,
    )
    yield context.command_path, command.get_help(context)
    for each in _below(command, context):
        yield from _helps(each, each.name or "", context)


def _below(command: click.Command, context: click.Context) -> list[click.Command]:
    if isinstance(command, click.Group):
        found = (command.get_command(context, name) for name in command.list_commands(context))
        return [each for each in found if each is not None and not each.hidden]
    return list(command.verbs.values()) if isinstance(command, CommandWithVerbs) else []


if __name__ == "__main__":
    print(commands_page(), end="")
