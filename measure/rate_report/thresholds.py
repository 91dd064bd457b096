"""The options that decide whether a measurement of rates fails a build."""

from collections.abc import Callable
from typing import Any

import click

_OPTIONS = (
    click.option(
        "--fail-under", multiple=True, metavar="SHARE or TOOL=SHARE",
        help="Exit with 1 when the rate of a tool is under this, such as 0.8; may be repeated for single tools.",
    ),
    click.option(
        "--fail-controls-over", type=click.FloatRange(0, 1), metavar="SHARE",
        help="Exit with 1 when the controls of any kind are answered with a call in more than this share.",
    ),
)  # fmt: skip


def threshold_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what fails a build."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
