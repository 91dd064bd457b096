"""The options that decide whether a build fails: `--fail-on`, `--suppressions`, `--allow-empty`, `--anchor`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from census.finding import Severity
from measure.suppressions import SUPPRESSIONS

NEVER = "never"

_OPTIONS = (
    click.option(
        "--fail-on", type=click.Choice(["error", "warning", NEVER]),
        help="Exit with 1 when a finding is as bad as this or worse [default: error; for a RUN: never].",
    ),
    click.option(
        "--suppressions", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help=f"Accepted findings, each with its reason [default: {SUPPRESSIONS}, if there].",
    ),
    click.option("--allow-empty", is_flag=True, help="No tools is an answer: do not exit with 2 for it."),
    click.option(
        "--anchor", metavar="FILE",
        help="File of your repository that SARIF and GitHub annotations show a page's findings at.",
    ),
)  # fmt: skip


def gate_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide whether a build fails."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def gate_of(fail_on: str | None, default: Severity | None = Severity.ERROR) -> Severity | None:
    """The severity from which on a finding fails the build; None when none does."""
    if fail_on is None:
        return default
    return None if fail_on == NEVER else Severity(fail_on)
