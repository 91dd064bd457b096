"""The options that `rate` and `trial` share: what is executed, in which order, how much at a time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_OPTIONS = (
    click.option(
        "--no-execute", is_flag=True,
        help="Call no tool of a page: trials end with the choice and the check of its arguments.",
    ),
    click.option(
        "--allow-writes", is_flag=True,
        help="Execute tools that are not marked read-only too: orders are placed, mails are sent.",
    ),
    click.option(
        "--bound", "bound_s", type=click.FloatRange(0.1), default=10.0, show_default=True, metavar="S",
        help="Seconds that an executed tool has to answer.",
    ),
    click.option("--seed", type=int, default=1, show_default=True, help="Of the order of tools and trials."),
)  # fmt: skip

SETS = click.option(
    "--set", "set_files", multiple=True, required=True, metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False), help="A frozen utterance set; may be given several times.",
)  # fmt: skip


def trial_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a trial is made."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
