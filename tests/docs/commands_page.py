"""The page with the help of every command, made from the commands themselves."""

from collections.abc import Iterator

import click

from crawler.verbs import CommandWithVerbs
from webmcp_census import cli

WIDTH = 110
"""Columns of the text, on any terminal."""


INTRODUCTION = """# The commands

What `--help` says of each, made by `make docs`. Exit codes are the same everywhere: 0 answered and good, 1 answered and
a gate failed, 2 could not answer.
"""


def commands_page() -> str:
    """`docs/commands.md` as Markdown."""
    sections = (f"\n## {name}\n\n```text\n{text}\n```\n" for name, text in _helps(cli, "webmcp-census"))
    return INTRODUCTION + "".join(sections)


def _helps(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    settings = {"terminal_width": WIDTH, "max_content_width": WIDTH} | command.context_settings
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from _helps(found, below, context)
    elif isinstance(command, CommandWithVerbs):
        for verb, found in command.verbs.items():
            yield from _helps(found, f"{name} {verb}", parent)


if __name__ == "__main__":
    print(commands_page(), end="")
