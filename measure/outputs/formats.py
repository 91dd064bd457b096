"""Which outputs a command writes, and where: `--format`, `--json`, `--output`."""

import sys
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console

from census.errors import CensusError
from measure.outputs import terminal
from measure.outputs.document import write_json
from measure.outputs.github import write_github
from measure.outputs.markdown import write_markdown
from measure.outputs.report import Report
from measure.outputs.sarif import write_sarif

TEXT = "text"
Show = Callable[[Report, Console], None]
"""Prints a report for a person."""


def _write_junit(report: Report) -> str:
    # The library is not needed by those who do not ask for it.
    from measure.outputs.junit import write_junit

    return write_junit(report)


WRITERS: dict[str, Callable[[Report], str]] = {
    "json": write_json,
    "sarif": write_sarif,
    "junit": _write_junit,
    "github": write_github,
    "markdown": write_markdown,
}
FORMATS = (TEXT, *WRITERS)
_WIDTH = 120
"""Columns of text that goes into a file."""


class Output(NamedTuple):
    """One output: its format, and the file that it goes to; None for standard output."""

    format: str
    path: Path | None


_OPTIONS = (
    click.option(
        "--format", "formats", multiple=True, metavar="FORMAT[=FILE]",
        help=f"How to write the result: {', '.join(FORMATS)}. May be given several times, each but one with a FILE:"
        " `--format github --format sarif=lint.sarif`.",
    ),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    click.option(
        "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Write what would go to standard output into FILE.",
    ),
)  # fmt: skip


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a result is written."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def outputs_of(formats: Sequence[str], as_json: bool, output: Path | None) -> tuple[Output, ...]:
    """What the options mean. Raises CensusError for a format that there is not, and for two on standard output."""
    asked = [*formats, *(["json"] if as_json else [])]
    found: list[Output] = []
    for each in asked:
        name, equals, file = each.partition("=")
        if name not in FORMATS or (equals and not file):
            raise CensusError(f"--format {each!r}: write one of {', '.join(FORMATS)}, or one of them with =FILE")
        found.append(Output(name, Path(file) if file else None))
    plain = [each for each in found if each.path is None]
    if len(plain) > 1:
        raise CensusError(
            f"--format {plain[0].format} and {plain[1].format} cannot both go to standard output;"
            f" give one a file: --format {plain[1].format}=FILE"
        )
    if not plain and (output is not None or not found):
        found.append(Output(TEXT, None))
    outputs = tuple(each._replace(path=output) if each.path is None else each for each in found)
    _refuse_one_file_twice(outputs)
    return outputs


def _refuse_one_file_twice(outputs: Sequence[Output]) -> None:
    seen: set[Path] = set()
    for path in (each.path.resolve() for each in outputs if each.path is not None):
        # A device takes as much as it is given; a file would keep the last output alone.
        if path in seen and (path.is_file() or not path.exists()):
            raise CensusError(f"two outputs would go to {path}, and only the last would stay; give each its own file")
        seen.add(path)


def keep_source(outputs: Sequence[Output], source: Path) -> None:
    """Raise CensusError when an output would be written over the file that is read."""
    for path in (each.path for each in outputs if each.path is not None):
        if path.exists() and path.samefile(source):
            raise CensusError(f"{path} is what is read, and the output would replace it; name another file")


def write_outputs(report: Report, outputs: Sequence[Output], show: Show = terminal.show) -> None:
    """Write every output; files first, so that a reader of standard output finds them.

    Raises CensusError when a file cannot be written.
    """
    for output in sorted(outputs, key=lambda each: each.path is None):
        if output.path is None:
            _print(report, output.format, show)
            continue
        try:
            text = _as_text(report, show) if output.format == TEXT else WRITERS[output.format](report)
            output.path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise CensusError(f"{output.path} cannot be written: {error.strerror}; name another file") from error


def _print(report: Report, format_: str, show: Show) -> None:
    if format_ == TEXT:
        # Where nobody's window has a width, lines are left whole.
        show(report, Console(file=sys.stdout, highlight=False, markup=False, soft_wrap=not sys.stdout.isatty()))
    else:
        click.echo(WRITERS[format_](report), nl=False)


def _as_text(report: Report, show: Show) -> str:
    file = StringIO()
    show(report, Console(file=file, width=_WIDTH, highlight=False, markup=False, force_terminal=False))
    return file.getvalue()
