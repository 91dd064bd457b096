"""An answer for a terminal."""

import textwrap
from collections.abc import Iterator

from census.signature import signature
from census.text import inert
from census.vocabulary import Outcome
from publish.lookup.answer import Answer, PageLine
from publish.lookup.entry import Entry, EntryTool
from publish.lookup.finding_groups import FindingGroup, finding_groups
from publish.lookup.question import question
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

_WIDTH = 120
_MOST_TOOLS = 40
_LONGEST = 200


def answer_text(answer: Answer) -> str:
    """Write an answer; every string of a page is inert."""
    if not answer.found:
        return "\n".join(_not_found(answer))
    parts = ["\n".join(_entry(entry)) for entry in answer.entries]
    if answer.others:
        parts.append("\n".join(_others(answer)))
    return "\n\n".join(parts)


def _not_found(answer: Answer) -> Iterator[str]:
    yield f"{inert(answer.text, _LONGEST)} is not in release {answer.release}. That can be because:"
    for reason in NOT_IN_CENSUS:
        yield _wrapped(f"- {reason}", "  ")
    yield _wrapped(GET_IN, "")
    if (asked := question(answer.text)).url:
        yield f"  {inert(measure_yourself(asked.url))}"


def _entry(entry: Entry) -> Iterator[str]:
    page = entry.page
    yield inert(shown_url(page.target_url))
    browser = f" with {inert(page.browser or '?')} {inert(page.build)}" if page.build else ""
    yield f"  release {entry.release}, visited {page.visited_at:%Y-%m-%d}{browser}: {page.outcome}"
    if page.final_url and page.final_url != page.target_url:
        yield f"  led to {inert(shown_url(page.final_url))}"
    yield ""
    yield _wrapped(headline(entry), "")
    for sentence in details(entry):
        yield _wrapped(f"  {inert(sentence)}", "  ")
    yield from _tools(entry)
    yield from _findings(entry)
    if entry.standing:
        yield ""
        yield "Compared with the other pages that have tools"
        for standing in entry.standing:
            yield f"  {standing_says(standing)}"
    if entry.earlier:
        yield ""
        yield "Other releases"
        for each in entry.earlier:
            tools = "" if each.tools_callable is None else f", {counted(each.tools_callable, 'tool')}"
            yield f"  {each.release}  {each.outcome}{tools}"
    if said := left_out_says(entry):
        yield ""
        yield said
    yield ""
    yield f"Measure it yourself: {inert(measure_yourself(page.target_url))}"


def _tools(entry: Entry) -> Iterator[str]:
    for tool in entry.tools[:_MOST_TOOLS]:
        yield from _tool(tool)
    if len(entry.tools) > _MOST_TOOLS:
        yield f"  … and {len(entry.tools) - _MOST_TOOLS:,} more (--json has all)"


def _tool(tool: EntryTool) -> Iterator[str]:
    frame = "" if tool.frame == "top" else f" in frame {inert(tool.frame)}"
    yield f"  {inert(signature(tool.name, tool.input_schema), _LONGEST)}  {tool.kind or 'page object'}{frame}"
    if tool.description:
        yield f"      “{inert(tool.description, _LONGEST)}”"
    cause = why_unlisted(tool)
    if cause is not None:
        yield _wrapped(f"      {listing_says(tool)}: {cause}", "      ")


def _findings(entry: Entry) -> Iterator[str]:
    if entry.page.outcome is not Outcome.CAPTURED:
        return
    yield ""
    if entry.page.linted is False:
        yield "Lint was not run on this visit, so nothing is said of findings."
        return
    if not entry.findings:
        yield "Lint found nothing."
        return
    yield "What to fix, what matters most first"
    for number, group in enumerate(finding_groups(entry.findings), 1):
        yield from _group(number, group)


def _group(number: int, group: FindingGroup) -> Iterator[str]:
    first = group.first
    yield _wrapped(f"  {number}. {first.severity} {inert(first.message)} [{first.rule}]", "     ")
    yield _wrapped(f"       do: {inert(first.remedy)}", "           ")
    if group.likewise:
        yield _wrapped(f"       likewise: {inert(', '.join(group.likewise), _LONGEST)}", "           ")


def _others(answer: Answer) -> Iterator[str]:
    yield "Other pages of the host" if answer.entries else f"Pages that fit {inert(answer.text, _LONGEST)!r}"
    yield from map(_line, answer.others)
    if answer.others_count > len(answer.others):
        yield f"  … and {answer.others_count - len(answer.others):,} more"


def _line(line: PageLine) -> str:
    tools = line.outcome if line.tools_callable is None else counted(line.tools_callable, "tool")
    project = f"  ({inert(line.project, 60)})" if line.project else ""
    return f"  {inert(shown_url(line.url))}  {tools}{project}"


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
