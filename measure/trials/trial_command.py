"""`webmcp-census trial`: one utterance, one judge, one page."""

import asyncio
from pathlib import Path
from typing import Any

import click

from crawler.options import chosen_browser, visit_options, visit_settings
from measure.judges.opening import JudgeOptions
from measure.judges.options import judge_options
from measure.trials.options import SETS, trial_options


@click.command(
    "trial",
    short_help="Put one utterance to a judge on one page.",
    epilog="\b\nExample:\n"
    "  webmcp-census trial https://shop.example/ --set shop.json --utterance add-01 --judge lexical",
)
@click.argument("url")
@SETS
@click.option("--utterance", required=True, metavar="ID", help="Of the utterance or control.")
@click.option("--json", "as_json", is_flag=True, help="Print the trial's whole record as JSON.")
@trial_options
@judge_options
@visit_options
def trial_command(
    url: str,
    set_files: tuple[Path, ...],
    utterance: str,
    as_json: bool,
    no_execute: bool,
    allow_writes: bool,
    bound_s: float,
    seed: int,
    judge_spec: str,
    judge_options: JudgeOptions,
    **visit: Any,
) -> int:
    """Make one trial and say how it ended: what the judge was offered, what it called, and what came of it.

    Nothing is kept. Exits 0 when the outcome is `ok`, 1 when it is another one, 2 when there is none.
    """
    from measure.check.live_page import target_of
    from measure.trials.judges import judge_name
    from measure.trials.planning import Wanted, plan_of, read_sets
    from measure.trials.single import make_single, shown_trial

    target_of(url)
    path, browser = chosen_browser(visit["browser"])
    judge = judge_name(judge_spec, judge_options)
    sets = read_sets(set_files, judge)
    wanted = Wanted(
        judge=judge, browser=browser, visit=visit_settings(browser, visit, contact_needed=False), urls=(url,),
        seed=seed, execute=not no_execute, allow_writes=allow_writes, bound_s=bound_s,
    )  # fmt: skip
    made = asyncio.run(
        make_single(plan_of(wanted, sets), sets, utterance, judge_spec, judge_options, path, wanted, visit["opt_out"])
    )
    click.echo(made.trial.model_dump_json(indent=1) if as_json else shown_trial(made.trial))
    if made.trial.outcome is None:
        return 2
    return 0 if made.trial.outcome.value == "ok" else 1
