"""A report for a person at a terminal: by tool, the worst first, each with its remedy."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from census.finding import Severity
from census.text import inert
from measure.outputs.report import RANK, Report, Result, Subject, counts_text, ordered

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def indented(console: Console, text: Text, columns: int) -> None:
    """Print text so many columns in; on a terminal its further lines too."""
    if console.soft_wrap:
        console.print(Text(" " * columns) + text)
    else:
        console.print(Padding(text, (0, 0, 0, columns), expand=False))


def show(report: Report, console: Console) -> None:
    """Print a report. What a page says is text: neither markup nor a code that the terminal obeys."""
    for subject in report.subjects:
        show_subject(subject, console)
    show_notices(report, console)
    console.print(Text(_verdict(report), style="bold"))


def show_subject(subject: Subject, console: Console) -> None:
    """Print what was found of one page or manifest."""
    console.print(Text(inert(subject.source), style="bold underline"))
    if subject.unanswered:
        indented(console, unanswered_text(subject.unanswered), 2)
    elif not subject.results:
        indented(console, Text(f"{_parts([subject])}, no findings"), 2)
    for tool, results in _by_tool(subject):
        indented(
            console, Text(f"the {subject.whole}" if tool is None else inert(tool) or "(empty name)", style="bold"), 2
        )
        for result in results:
            show_result(result, console)
    console.print()


def unanswered_text(why: str) -> Text:
    """Why there is no answer, its first words standing out: `no tools: …`."""
    head, colon, rest = inert(why).partition(":")
    return Text.assemble((head + colon, "bold red"), rest)


def show_result(result: Result, console: Console) -> None:
    """Print one finding: what is wrong, then what to do."""
    finding = result.finding
    style = STYLES[finding.severity] if result.accepted is None else "dim"
    word = finding.severity.value if result.accepted is None else "accepted"
    line = f", line {result.line}" if result.line else ""
    head = Text.assemble((f"{word:<8}", style), f" {inert(finding.message)} ", (f"[{finding.rule}{line}]", "dim"))
    indented(console, head, 4)
    tail = f"do: {finding.remedy}" if result.accepted is None else f"because: {result.accepted}"
    indented(console, Text(inert(tail)), 13)


def show_notices(report: Report, console: Console) -> None:
    """Print what the user should know besides."""
    for notice in report.notices:
        console.print(Text.assemble(("notice   ", "cyan"), inert(notice)))


def _verdict(report: Report) -> str:
    measured = not any(subject.unanswered for subject in report.subjects) or any(s.tools for s in report.subjects)
    return f"{counts_text(report)} in {_parts(report.subjects)}" if measured else counts_text(report)


def _parts(subjects: Sequence[Subject]) -> str:
    count = sum(len(subject.tools) for subject in subjects)
    part = subjects[0].part if subjects else "tool"
    return f"1 {part}" if count == 1 else f"{count:,} {part}s"


def _by_tool(subject: Subject) -> Iterable[tuple[str | None, list[Result]]]:
    """The page's own findings, then the tools' by their worst finding, then as the tools come."""
    groups: dict[str | None, list[Result]] = {}
    for result in ordered(subject.results):
        groups.setdefault(result.finding.tool, []).append(result)
    place = {tool: number for number, tool in reversed(list(enumerate(subject.tools)))}

    def worst(tool: str | None) -> tuple[int, bool, int, int]:
        first = groups[tool][0]
        rank = len(RANK) if first.accepted is not None else RANK[first.finding.severity]
        return 0 if tool is None else 1, first.accepted is not None, rank, place.get(tool or "", len(place))

    return ((tool, groups[tool]) for tool in sorted(groups, key=worst))
