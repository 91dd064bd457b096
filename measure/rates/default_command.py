"""A group of commands, one of which may go without its name: `rate URL` is `rate run URL`."""

from importlib import import_module
from typing import Any

import click


class DefaultRun(click.Group):
    """Takes `run` for the command when the first word is none of the others."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put in the word that was left out."""
        if args and args[0] not in self.list_commands(ctx) and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands; `run` is imported when it is asked for."""
        return ["run", *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name != "run":
            return super().get_command(ctx, cmd_name)
        command: Any = import_module("measure.trials.run_command").run_command
        assert isinstance(command, click.Command)
        return command
