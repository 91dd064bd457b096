"""`webmcp-census rate`: its commands; the one that measures is in `measure.trials`, and stands for `rate` alone."""

import json

import click

from census.errors import CensusError
from measure.rate_report.commands import compare_command, report_command
from measure.rates.default_command import DefaultRun

_SHARE = click.FloatRange(0, 1)


@click.group(
    "rate",
    cls=DefaultRun,
    short_help="Invocation rates: plan them, measure them.",
    epilog="\b\nExamples:\n"
    "  webmcp-census rate plan --from 0.8 --to 0.6\n"
    "  webmcp-census rate https://shop.example/ --set shop.json --judge lexical",
)
def rate_group() -> None:
    """Measure how often a judge picks the right tool: `rate URL... --set FILE` is `rate run URL... --set FILE`."""


@rate_group.command(
    "plan",
    short_help="Say how many utterances a difference or a width needs.",
    epilog="\b\nExample:\n  webmcp-census rate plan --from 0.8 --to 0.6 --tools 8 --sessions 3 --repeats 2",
)
@click.option("--from", "rate_a", type=_SHARE, required=True, help="The rate of the first run, such as 0.8.")
@click.option("--to", "rate_b", type=_SHARE, help="The rate that is to be told from it.")
@click.option(
    "--width", type=click.FloatRange(0, 0.5, min_open=True), help="Instead: how far an interval may reach to each side."
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, True, True),
    default=0.8,
    show_default=True,
    help="Chance of finding the difference.",
)
@click.option(
    "--level", type=click.FloatRange(0, 1, True, True), default=0.05, show_default=True, help="Of the two-sided test."
)
@click.option("--tools", type=click.IntRange(1), default=1, show_default=True, help="Tools compared at once (Holm).")
@click.option(
    "--correlation",
    type=click.FloatRange(-1, 1),
    default=0.0,
    show_default=True,
    help="Of an utterance's results in the two runs; 0 needs the most utterances.",
)
@click.option("--sessions", type=click.IntRange(1), default=1, show_default=True, help="Sessions of each run.")
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="Repeats in each session.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
def plan_command(
    rate_a: float,
    rate_b: float | None,
    width: float | None,
    power: float,
    level: float,
    tools: int,
    correlation: float,
    sessions: int,
    repeats: int,
    as_json: bool,
) -> None:
    """Say how many utterances of a tool it takes to tell two rates apart, or to know one so well.

    Two runs of the same utterances are compared by McNemar's exact test, an utterance being one pair: repeats and
    sessions make a pair surer and cost more, and replace no utterance. Exits 0, or 2 where no plan can be.
    """
    # SciPy takes a second to import; `--help` need not wait for it.
    from measure.rates.plan import Difference, least_discordant, plan, utterances_for_width

    if (rate_b is None) == (width is None):
        raise CensusError("rate plan: give --to RATE (a difference to find) or --width HALF (an interval to reach)")
    each = sessions * repeats
    if width is not None:
        utterances = utterances_for_width(rate_a, width)
        wide: dict[str, object] = {
            "rate": rate_a,
            "half_width": width,
            "utterances": utterances,
            "trials": utterances * each,
        }
        text = (
            f"{utterances:,} utterances: a 95 % Wilson interval about {rate_a:g} is then at most {2 * width:g} wide; "
            f"{utterances * each:,} trials of each tool"
        )
        click.echo(json.dumps(wide) if as_json else text)
        return
    assert rate_b is not None
    found = plan(Difference(rate_a, rate_b, power, level, tools, correlation))
    trials = found.utterances * each
    least = least_discordant(level / tools)
    said: dict[str, object] = {
        "rate_a": rate_a,
        "rate_b": rate_b,
        "utterances": found.utterances,
        "power": found.power,
        "level": level / tools,
        "discordant": list(found.discordant),
        "least_discordant": least,
        "trials_a_run": trials,
    }
    text = (
        f"{found.utterances:,} utterances of each tool, the same in both runs: McNemar's exact test at level "
        f"{level / tools:.4g} then finds {rate_a:g} against {rate_b:g} with a chance of {100 * found.power:.1f} %\n"
        f"{trials:,} trials of each tool a run: utterances x sessions ({sessions}) x repeats ({repeats})\n"
        f"Whatever the rates, at least {least} utterances must change, all the same way."
    )
    click.echo(json.dumps(said) if as_json else text)


rate_group.add_command(report_command)
rate_group.add_command(compare_command)
