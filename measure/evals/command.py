"""`webmcp-census eval`."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from pydantic import JsonValue
from rich.console import Console
from rich.progress import Progress

from census.errors import CensusError
from measure.evals.lint_command import eval_lint_command
from measure.evals.live_options import check_mode, live_options, live_stages
from measure.judges.opening import JudgeOptions
from measure.judges.options import judge_options


class _WithLint(click.Command):
    """A command whose first word may be `lint`, which is a command of its own. A file of that name is `./lint`."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["lint"]:
            return eval_lint_command.make_context(f"{info_name} lint", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        return super().invoke(ctx) if ctx.command is self else ctx.command.invoke(ctx)


@click.command("eval", cls=_WithLint, short_help="Run suites of evals: does a judge make the expected calls?")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--tools",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The tools that the judge is offered, in any notation that `lint` reads [default: the suite's own].",
)
@click.option(
    "--matcher",
    type=click.Choice(["default", "compat"]),
    default="default",
    show_default=True,
    help="How calls are held against the expected ones: our partial order, or exactly the public runner's walk.",
)
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="How often each case is run.")
@click.option(
    "--max-steps",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="Answers that a judge may give to what the user says.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Cases that are run at the same time; the answers and their order stay the same.",
)
@click.option(
    "--clock",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]),
    help="What the judge is told that the time is, where a suite does not say it [default: nothing].",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="Exit with 1 when a smaller share of the cases passed in every repeat.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON, with every call that was made.")
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the outcome as JUnit XML too.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a report for people too, in one file; with --url with pictures of the page.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep each repeat in this file of JSON lines; the same command goes on where it was interrupted.",
)
@live_options
@judge_options
def eval_command(
    files: tuple[Path, ...],
    tools: Path | None,
    matcher: str,
    repeats: int,
    max_steps: int,
    concurrency: int,
    clock: datetime | None,
    fail_under: float,
    as_json: bool,
    junit: Path | None,
    html: Path | None,
    checkpoint: Path | None,
    judge_spec: str,
    judge_options: JudgeOptions,
    **options: Any,
) -> int:
    """Run suites of evals: a judge is asked, and its calls are held against the expected ones.

    With --tools nothing is opened: what the tools answer is what the suite says. With --url they are the page's, and
    are run there, each case in a fresh browser context. docs/evals.md explains the format. `eval lint FILE...` says
    what is wrong with a suite, without a judge.

    \b
    Examples:
      webmcp-census eval evals.json --tools schema.json --judge oracle
      webmcp-census eval evals.json --tools schema.json --judge openai:MODEL --repeats 5 --fail-under 0.9
      webmcp-census eval evals.json --url http://localhost:3000/ --allow-private --allow-writes --smoke
      webmcp-census eval lint evals.json --tools schema.json

    Exits 0 when at least --fail-under of the cases passed, 1 when fewer did, 2 when a case could not be measured.
    """
    check_mode(options, tools=tools is not None, compat=matcher == "compat")
    from measure.evals.checkpoint import Checkpoint
    from measure.evals.checkpoint_conditions import conditions_of
    from measure.evals.compat_verdict import check_compat
    from measure.evals.files import read_live_suites, read_suites
    from measure.evals.judging import Matcher
    from measure.evals.outcome import Mode, Outcome
    from measure.evals.running import Judges, Settings, run_suites
    from measure.evals.stamps import stamps_of

    chosen = Matcher(matcher)
    mode = Mode.STATIC if options["url"] is None else Mode.SMOKE if options["smoke"] else Mode.LIVE
    suites = read_suites(files, tools) if mode is Mode.STATIC else read_live_suites(files)
    if chosen is Matcher.COMPAT:
        for suite, _ in suites:
            check_compat(suite.cases, suite.source)
    stages = None if mode is Mode.STATIC else live_stages(options, pictures=html is not None)
    judge = "oracle" if mode is Mode.SMOKE else judge_spec
    judges = Judges(judge, judge_options, live=stages is not None)
    stamps = stamps_of(files, tools, live=stages is not None, browser=options["browser"])
    kept = None
    if checkpoint is not None:
        asked: dict[str, JsonValue] = {
            "judge": judges.name,
            "mode": mode.value,
            "matcher": matcher,
            "max_steps": max_steps,
            "clock": clock.isoformat() if clock else None,
            "pictures": stages is not None and html is not None,
        }
        kept = Checkpoint.open(checkpoint, asked | conditions_of(stamps, options if stages else {}))
        judges = Judges(judge, replace(judge_options, spent=kept.spent()), live=stages is not None)
    settings = Settings(chosen, repeats, max_steps, clock, concurrency, smoke=mode is Mode.SMOKE)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Running cases", total=sum(len(suite.cases) for suite, _ in suites))
        cases = run_suites(
            suites, judges, settings, done=lambda _: progress.advance(task), stages=stages, checkpoint=kept
        )
    outcome = Outcome(judges.name, chosen, max_steps, clock, fail_under, cases, mode, options["url"], stamps)
    _write(outcome, as_json, junit, html)
    return outcome.exit_code


def _write(outcome: Any, as_json: bool, junit: Path | None, html: Path | None) -> None:
    from measure.evals.outcome_json import outcome_json
    from measure.evals.outcome_text import outcome_text

    if junit is not None:
        from measure.evals.outcome_junit import outcome_junit

        _write_file(junit, outcome_junit(outcome))
    if html is not None:
        from measure.evals.outcome_html import outcome_html

        _write_file(html, outcome_html(outcome))
    # JSON in ASCII: whatever a suite or a judge says survives any pipe.
    click.echo(json.dumps(outcome_json(outcome), indent=1) + "\n" if as_json else outcome_text(outcome), nl=False)


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CensusError(f"{path} cannot be written: {error.strerror}; name another file") from error
