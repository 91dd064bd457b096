"""`webmcp-census eval lint`."""

from pathlib import Path
from typing import Any

import click

from measure.gate import NEVER, gate_of
from measure.outputs.formats import output_options, outputs_of, write_outputs
from measure.outputs.report import Report, Subject


@click.command("lint", short_help="Say what is wrong with suites of evals, without a judge.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--tools",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The tools that the cases are about [default: the suite's own; without, names and arguments are not judged].",
)
@click.option(
    "--fail-on", type=click.Choice(["error", "warning", NEVER]), default="error", show_default=True,
    help="Exit with 1 when a finding is as bad as this or worse.",
)  # fmt: skip
@output_options
def eval_lint_command(files: tuple[Path, ...], tools: Path | None, fail_on: str, **options: Any) -> int:
    """Say what is wrong with suites of evals: tools that are not there, arguments that cannot be, dates that pass.

    \b
    Example:
      webmcp-census eval lint evals.json --tools schema.json

    Exits 0 when no finding is at or above --fail-on, 1 when one is, 2 when a file is no suite.
    """
    from measure.evals.files import read_tools
    from measure.evals.lint import lint_suite
    from measure.evals.lint_rule import rule_texts
    from measure.evals.place_lines import PlaceLines
    from measure.evals.suite import read_suite
    from measure.lint_source import read_text

    outputs = outputs_of(options["formats"], options["as_json"], options["output"])
    offered = None if tools is None else read_tools(tools)
    subjects: list[Subject] = []
    notices: list[str] = []
    for file in files:
        text = read_text(str(file))
        suite = read_suite(text, str(file))
        known = offered or suite.tools
        if known is None:
            notices.append(f"{file}: names and arguments were not judged; name the tools with --tools")
        lines = PlaceLines(text)
        results = tuple(each.result(lines) for each in lint_suite(suite, known))
        names = tuple(case.name for case in suite.cases)
        subjects.append(Subject(str(file), str(file), names, results, part="case", whole="suite"))
    report = Report("eval lint", tuple(subjects), rule_texts(), fail_on=gate_of(fail_on), notices=tuple(notices))
    write_outputs(report, outputs)
    return report.exit_code
