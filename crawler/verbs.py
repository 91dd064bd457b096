"""A command that has verbs beside its own argument: `crawl TARGETS` and `crawl status`."""

from collections.abc import Sequence
from typing import Any

import click


class CommandWithVerbs(click.Command):
    """A first argument that is a verb's name is that verb; a file of the same name is given as `./status`."""

    def __init__(self, *args: Any, verbs: Sequence[click.Command] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.verbs = {verb.name or "": verb for verb in verbs}

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Make the verb's context when one is named, else the command's own."""
        verb = self.verbs.get(args[0]) if args else None
        if verb is None:
            return super().make_context(info_name, args, parent, **extra)
        return verb.make_context(f"{info_name} {verb.name}", args[1:], parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run what the context was made for."""
        return super().invoke(ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs below the options."""
        with formatter.section("Verbs, for a crawl that many workers share"):
            formatter.write_dl([(name, verb.get_short_help_str(100)) for name, verb in self.verbs.items()])
