"""`webmcp-census rate report` and `rate compare`: what runs say, without opening a page."""

from pathlib import Path

import click

from measure.rate_report.thresholds import threshold_options

REPORT_FOLDER = "report"
_RUN = click.Path(path_type=Path, file_okay=False)


@click.command(
    "report",
    short_help="Report on a run: rates, figures, badge, gate.",
    epilog="\b\nExample:\n  webmcp-census rate report rate-run --fail-under 0.8 --fail-controls-over 0.1",
)
@click.argument("run", type=_RUN)
@click.option(
    "--out",
    type=_RUN,
    metavar="FOLDER",
    help=f"Where report.json, report.md, figures, badge and JUnit go [default: RUN/{REPORT_FOLDER}].",
)
@click.option(
    "--into",
    type=_RUN,
    metavar="RUN",
    help="Put the trials and rates into this RUN of a crawl too, for the tables that `build` makes.",
)
@threshold_options
@click.option("--json", "as_json", is_flag=True, help="Print report.json instead of the text.")
def report_command(
    run: Path,
    out: Path | None,
    into: Path | None,
    fail_under: tuple[str, ...],
    fail_controls_over: float | None,
    as_json: bool,
) -> int:
    """Write what a RUN of `rate` says, again from its trials.

    Exits 0 when the run is complete and every threshold holds, 1 when one does not, 2 when the run is incomplete:
    then there is no rate and no badge.
    """
    # Polars and Altair take seconds to import; `--help` need not wait for them.
    from measure.rate_report.gate import gated, thresholds_of
    from measure.rate_report.making import report_of
    from measure.rate_report.release_rows import keep_in_run
    from measure.rate_report.terminal import report_text
    from measure.rate_report.writing import report_json, write_report
    from measure.rates.rate_run import read_rate_run

    thresholds = thresholds_of(fail_under, fail_controls_over)
    measured = read_rate_run(run)
    report = gated(report_of(measured), thresholds)
    folder = out or run / REPORT_FOLDER
    write_report(report, folder)
    if into is not None:
        keep_in_run(measured, report, into)
    click.echo(report_json(report) if as_json else report_text(report), nl=False)
    click.echo(f"Report: {folder}", err=True)
    return report.exit_code


@click.command(
    "compare",
    short_help="Say whether two runs, or two variants, differ.",
    epilog="\b\nExamples:\n  webmcp-census rate compare monday friday\n"
    "  webmcp-census rate compare 'rate-run#clean' 'rate-run#vague'",
)
@click.argument("a", metavar="RUN[#VARIANT]")
@click.argument("b", metavar="RUN[#VARIANT]")
@click.option("--page", help="The page, where a run has several.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the bootstrap.")
@click.option("--fail-on-worse", is_flag=True, help="Exit with 1 when a tool is worse in the second, after Holm.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare_command(a: str, b: str, page: str | None, seed: int, fail_on_worse: bool, as_json: bool) -> int:
    """Compare two runs, or two variants of one page, over the same frozen utterances, tool by tool.

    An utterance is one pair: McNemar's exact test, Holm's correction over the tools, and a paired bootstrap of the
    difference. Exits 0, or 1 with --fail-on-worse, or 2 when there is nothing to compare: an incomplete run, other
    utterances, a variant that is not there.
    """
    from measure.rate_report.comparison import compared, opened, part_of
    from measure.rate_report.comparison_text import comparison_text
    from measure.rates.rate_run import read_rate_run

    sides = []
    for name in (a, b):
        folder, variant = opened(name)
        sides.append(part_of(read_rate_run(folder), name, variant, page))
    found = compared(sides[0], sides[1], seed)
    click.echo(found.model_dump_json(indent=1) if as_json else comparison_text(found).rstrip("\n"))
    return 1 if fail_on_worse and found.worse else 0
