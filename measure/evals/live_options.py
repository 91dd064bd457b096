"""The options of `eval` that say on which page a suite is played, and how."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from census.errors import CensusError
from crawler.options import visit_options
from measure.evals.stages import Stages

_OPTIONS = (
    click.option(
        "--url", metavar="URL", help="Play the suite on this page: its own tools are offered, and run. It is yours."
    ),
    click.option(
        "--smoke", is_flag=True, help="With --url: no judge; the expected calls are made, results and page checked."
    ),
    click.option(
        "--allow-writes", is_flag=True, help="With --url: run tools too that do not say that they are read-only."
    ),
    click.option(
        "--bound", default=30.0, show_default=True, type=click.FloatRange(0.1), metavar="S",
        help="With --url: seconds for a tool to answer.",
    ),
)  # fmt: skip


def live_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a page, and those of how it is opened."""
    command = visit_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_mode(options: Mapping[str, Any], *, tools: bool, compat: bool = False) -> None:
    """Raise CensusError for options that do not go together."""
    if options["url"] is None and (options["smoke"] or options["allow_writes"]):
        name = "--smoke" if options["smoke"] else "--allow-writes"
        raise CensusError(f"{name} is about a page: name it with --url")
    if options["smoke"] and compat:
        raise CensusError(
            "--smoke holds what a page does against a suite, which `compat` does not; leave --matcher out"
        )
    if options["url"] is not None and tools:
        raise CensusError("--tools and --url name two lists of tools; give one of them")


def live_stages(options: Mapping[str, Any], *, pictures: bool) -> Stages:
    """The stages on the page. Raises CensusError for what is no URL, and without a browser."""
    from census.optout import OptOut
    from crawler.options import chosen_browser, visit_settings
    from measure.check.live_page import target_of
    from measure.evals.live_stages import Live, LiveStages

    target_of(options["url"])
    path, browser = chosen_browser(options["browser"])
    settings = visit_settings(browser, dict(options), contact_needed=False)
    optout = OptOut.named_or_default(options["opt_out"])
    return LiveStages(
        Live(
            options["url"], path, browser, settings, optout, options["bound"],
            writes=options["allow_writes"], pictures=pictures,
        )
    )  # fmt: skip
