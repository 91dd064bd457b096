"""The option `--builds` of `check` and `lint`; what answers it takes longer to import."""

from collections.abc import Callable
from typing import Any

import click


def builds_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--builds` to a command."""
    return click.option(
        "--builds",
        metavar="BUILD,...",
        help="Say what each of these builds makes of it, by the published matrix: its labels or major versions"
        " (156,150), or `all`.",
    )(command)
