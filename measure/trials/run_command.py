"""`webmcp-census rate URL…`: measure invocation rates."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from census.errors import CensusError
from crawler.options import chosen_browser, visit_options, visit_settings
from measure.judges.opening import JudgeOptions
from measure.judges.options import judge_options
from measure.rate_report.commands import REPORT_FOLDER
from measure.rate_report.thresholds import threshold_options
from measure.trials.options import SETS, trial_options
from measure.trials.spacing import Spacing

_LOCK = "run.lock"


@click.command(
    "run",
    short_help="Measure the rates of pages (what `rate URL…` does).",
    epilog="\b\nExamples:\n"
    "  webmcp-census rate https://shop.example/ --set shop.json --judge openai:MODEL --sessions 3 --spacing 6h\n"
    "  webmcp-census rate --serve shop/ --set shop.json --judge lexical --no-execute",
)
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option(
    "--pages",
    "page_list",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="LIST",
    help="Pages to measure, in any form that `crawl` takes as targets.",
)
@click.option(
    "--serve",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Serve a folder on loopback and measure the page of each set in it, and in each of its sub-folders: variants.",
)
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="With --serve: only these sub-folders.")
@SETS
@click.option(
    "--sessions", type=click.IntRange(1), default=3, show_default=True, help="Each with a browser of its own."
)
@click.option(
    "--repeats", type=click.IntRange(1), default=1, show_default=True, help="Trials of an utterance a session."
)
@click.option(
    "--spacing",
    type=Spacing(),
    default="0s",
    show_default=True,
    metavar="TIME",
    help="From the beginning of one session to that of the next, such as 6h: rates drift over a day.",
)
@click.option(
    "--predictions",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="What is expected, registered before anything is measured.",
)
@click.option(
    "--concurrency", type=click.IntRange(1), default=8, show_default=True, help="Questions to the judge at once."
)
@click.option(
    "--pages-ahead",
    type=click.IntRange(0),
    default=12,
    show_default=True,
    help="Pages that are opened while no judge is free for them; each takes about 25 MB.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="rate-run",
    show_default=True,
    metavar="RUN",
    help="Folder of the run; the same command goes on with it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was measured as JSON.")
@trial_options
@threshold_options
@judge_options
@visit_options
def run_command(
    urls: tuple[str, ...],
    page_list: Path | None,
    serve: Path | None,
    variants: tuple[str, ...],
    set_files: tuple[Path, ...],
    sessions: int,
    repeats: int,
    spacing: timedelta,
    predictions: Path | None,
    concurrency: int,
    pages_ahead: int,
    out: Path,
    as_json: bool,
    no_execute: bool,
    allow_writes: bool,
    bound_s: float,
    seed: int,
    fail_under: tuple[str, ...],
    fail_controls_over: float | None,
    judge_spec: str,
    judge_options: JudgeOptions,
    **visit: Any,
) -> int:
    """Put every utterance of frozen sets to a judge, on the pages that are named, and keep what came of it in RUN.

    The page is opened once for each trial: measure pages of your own. docs/rates.md says what is executed and when.

    The report goes into RUN/report; `rate report RUN` writes it again. Exits 0 when every planned trial was measured
    and every threshold holds, 1 when one does not, 2 when a trial is missing: then there is no rate.
    """
    urls = _addresses(urls, page_list, serve)
    if variants and serve is None:
        raise CensusError("--variant names a sub-folder of a served folder: give --serve DIR too")
    # Polars and the browser's driver take a second to import: after the arguments are known to be good.
    from census.folder_lock import held
    from measure.rate_report.gate import gated, thresholds_of
    from measure.rate_report.making import report_of
    from measure.rate_report.terminal import report_text
    from measure.rate_report.writing import write_report
    from measure.rates.rate_run import read_rate_run
    from measure.trials.answer import as_json as answer_json
    from measure.trials.answer import said
    from measure.trials.beginning import begin
    from measure.trials.judges import judge_name
    from measure.trials.planning import Wanted, plan_of, read_predictions, read_sets
    from measure.trials.running import run_sessions
    from measure.trials.session_process import SessionTask

    thresholds = thresholds_of(fail_under, fail_controls_over)
    if serve is not None:
        # Who names a folder of their own means the loopback address that it is served on.
        visit["allow_private"] = True
    path, browser = chosen_browser(visit["browser"])
    settings = visit_settings(browser, visit, contact_needed=False)
    judge = judge_name(judge_spec, judge_options)
    sets = read_sets(set_files, judge)
    thresholds.refuse_unknown(each.tool for one in sets for each in one.utterances)
    wanted = Wanted(
        judge=judge, browser=browser, visit=settings, urls=urls, serve=serve, variants=variants, sessions=sessions,
        repeats=repeats, seed=seed, spacing=spacing, execute=not no_execute, allow_writes=allow_writes,
        bound_s=bound_s, predictions=read_predictions(predictions),
    )  # fmt: skip
    with held(out, _LOCK, "run"):
        plan = begin(out, plan_of(wanted, sets), sets)
        for each in plan.sets:
            if each.left_out:
                _note(f"{each.id}: {len(each.left_out)} need calls before them and are left out; see --allow-writes")
        task = SessionTask(
            folder=out, session=1, judge=judge_spec, judge_options=judge_options, browser_path=path, browser=browser,
            visit=settings, opt_out=visit["opt_out"], serve=serve, judges_at_once=concurrency,
            open_pages=concurrency + pages_ahead,
        )  # fmt: skip
        stopped = run_sessions(task, _note)
        run = read_rate_run(out)
        report = gated(report_of(run), thresholds)
        write_report(report, out / REPORT_FOLDER)
    if as_json:
        click.echo(json.dumps({**answer_json(run, stopped), "exit_code": report.exit_code}, indent=1))
    else:
        click.echo(report_text(report).rstrip("\n") if report.complete else said(run, stopped))
    return report.exit_code


def _addresses(urls: tuple[str, ...], page_list: Path | None, serve: Path | None) -> tuple[str, ...]:
    """The pages that are named, each once; none for a folder. Raises CensusError unless there is one kind of them."""
    if sum((bool(urls), page_list is not None, serve is not None)) != 1:
        raise CensusError("name what is to be measured: URL..., or --pages LIST, or --serve DIR, and one of them only")
    from crawler.target_list import read_target_list
    from measure.check.live_page import target_of

    if page_list is not None:
        listed = read_target_list(page_list)
        if listed.problems:
            raise CensusError(f"--pages {page_list}: {listed.problems[0]}: mend it, so that no page is left out unseen")
        urls = tuple(target.url for target in listed.targets)
    return tuple(dict.fromkeys(target_of(url).url for url in urls))


def _note(text: str) -> None:
    click.echo(text, err=True)
