"""The private scorecard of a page, in Markdown: what an agent gets, and a remedy for every finding."""

from collections.abc import Iterator

from census.signature import parameters
from census.text import escape_markdown, markdown_table
from census.vocabulary import Outcome
from publish.lookup.answer import Answer
from publish.lookup.entry import Entry, EntryFinding, EntryTool
from publish.lookup.finding_groups import finding_groups
from publish.lookup.sayings import (
    GET_IN,
    NOT_IN_CENSUS,
    counted,
    details,
    headline,
    left_out_says,
    listing_says,
    measure_yourself,
    shown_url,
    standing_says,
    why_unlisted,
)

_LONGEST = 300


def scorecard(answer: Answer) -> str:
    """Write an answer as Markdown, with every string of a page inert."""
    if not answer.found:
        reasons = "\n".join(f"- {reason}" for reason in NOT_IN_CENSUS)
        said = f"Not in release {answer.release}. That can be because:"
        return f"# {_shown(answer.text)}\n\n{said}\n\n{reasons}\n\n{GET_IN}\n"
    parts = [part for entry in answer.entries for part in _entry(entry)]
    if answer.others:
        rows = (
            (
                _shown(shown_url(line.url)),
                line.outcome,
                _count(line.tools_callable),
            )
            for line in answer.others
        )
        parts += ["## Other pages", markdown_table(("Page", "Outcome", "Tools"), rows)]
        if answer.others_count > len(answer.others):
            parts.append(f"The first {len(answer.others):,} of {answer.others_count:,}.")
    return "\n\n".join(parts) + "\n"


def _entry(entry: Entry) -> Iterator[str]:
    page = entry.page
    yield f"# {_shown(shown_url(page.target_url))}"
    browser = f" with {_shown(page.browser or '?')} {_shown(page.build)}" if page.build else ""
    yield f"Release {entry.release}, visited {page.visited_at:%Y-%m-%d}{browser}: `{page.outcome}`."
    yield f"**{headline(entry)}**"
    said = [f"- {_prose(sentence)}" for sentence in details(entry)]
    if said:
        yield "\n".join(said)
    if entry.tools:
        yield f"## Tools ({len(entry.tools):,})"
        yield markdown_table(("Tool", "Parameters", "Says", "Both views"), map(_tool, entry.tools))
    yield from _findings(entry)
    if entry.standing:
        yield "## Compared with the other pages that have tools"
        yield "\n".join(f"- {standing_says(standing)}" for standing in entry.standing)
    if entry.earlier:
        yield "## Other releases"
        yield markdown_table(
            ("Release", "Outcome", "Tools"),
            ((each.release, each.outcome, _count(each.tools_callable)) for each in entry.earlier),
        )
    if left_out := left_out_says(entry):
        yield left_out
    yield "## Measure it yourself"
    yield f"    {measure_yourself(page.target_url).translate(_ONE_LINE)}"


_ONE_LINE = {ord(each): " " for each in "\r\n\u2028\u2029"}


def _tool(tool: EntryTool) -> tuple[str, str, str, str]:
    schema = "(no schema)" if tool.input_schema is None else parameters(tool.input_schema) or "(none)"
    views = " ".join(filter(None, (f"{listing_says(tool)}.", why_unlisted(tool))))
    frame = "" if tool.frame == "top" else f" ({_shown(tool.frame)})"
    return _shown(tool.name) + frame, _shown(schema), _shown(tool.description or ""), views.replace("|", "\\|")


def _findings(entry: Entry) -> Iterator[str]:
    if entry.page.outcome is not Outcome.CAPTURED:
        return
    yield "## What to fix"
    if entry.page.linted is False:
        yield "Lint was not run on this visit, so nothing is said of findings."
    elif not entry.findings:
        yield "Lint found nothing."
    for group in finding_groups(entry.findings):
        members = [finding for finding in entry.findings if finding.rule == group.first.rule]
        yield f"### {group.first.severity}: `{group.first.rule}` ({counted(group.size, 'finding')})"
        yield "\n".join(map(_finding, members))


def _finding(finding: EntryFinding) -> str:
    return f"- {_shown(finding.message, 600)}\n  **Do:** {_shown(finding.remedy, 600)}"


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _shown(text: str, limit: int = _LONGEST) -> str:
    return escape_markdown(text, limit)


def _prose(sentence: str) -> str:
    """A sentence of ours, in which a page's words can stand: code marks stay."""
    return "`".join(_shown(part, 600) for part in sentence.split("`"))
