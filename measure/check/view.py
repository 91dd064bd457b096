"""`check` for a person: the record in a few lines, what an agent is shown, and what to fix in which order."""

from collections.abc import Iterable
from itertools import islice

from rich.console import Console
from rich.text import Text

from census.finding import Finding
from census.listing import ListingCause
from census.tables import api_of
from census.text import inert
from census.visit import TOP, Visit
from census.vocabulary import Listing, Outcome
from measure.check.agent_view import signature
from measure.lint.manifest import Manifest, ManifestTool
from measure.outputs.report import RANK, Report, Result, counts_text
from measure.outputs.terminal import STYLES, indented, unanswered_text

_SHOWN = 300
"""Characters of a description that fit in a terminal; `--json` has all of it."""
_MOST_TOOLS = 40
_MOST_NAMES = 5
_MOST_FRAMES = 10

_LISTING = {
    Listing.ON_REQUEST: "an agent can call it; the page's own getTools() has it only with fromOrigins",
    Listing.OWN_DOCUMENT: "an agent can call it; only its own frame lists it",
    Listing.NOWHERE: "an agent can call it; no getTools() lists it",
}
_CAUSE = {
    ListingCause.NOT_EXPOSED_TO_HOST: "the frame does not expose it to the page: exposedTo",
    ListingCause.OPAQUE_ORIGIN: "the frame's origin is opaque, which fromOrigins cannot name",
    ListingCause.SCHEMA_NOT_AN_OBJECT: "its inputSchema is no object",
    ListingCause.LIBRARY_ONLY: "only an object of the page's own has it",
    ListingCause.NOT_IN_BROWSER_VIEW: "a list has it, the browser does not offer it",
}


def show_check(visit: Visit, manifest: Manifest, report: Report, console: Console) -> None:
    """Print a check. What the page says is text: neither markup nor a code that the terminal obeys."""
    _head(visit, console)
    (subject,) = report.subjects
    if subject.unanswered:
        indented(console, unanswered_text(subject.unanswered), 2)
    if visit.outcome is not Outcome.CAPTURED:
        return
    for notice in report.notices:
        indented(console, Text.assemble(("note: ", "cyan"), inert(notice)), 2)
    if manifest.tools:
        _tools(manifest.tools, console)
    _closed_frames(visit, console)
    _fixes(report, subject.results, console)
    if subject.unanswered is None or subject.results:
        console.print()
        console.print(Text(f"{counts_text(report)}", style="bold"))


def _head(visit: Visit, console: Console) -> None:
    console.print(Text(inert(visit.target.url), style="bold"))
    if visit.final_url and visit.final_url != visit.target.url:
        indented(console, Text(f"led to {inert(visit.final_url)}"), 2)
    if visit.outcome is not Outcome.CAPTURED:
        return
    client = f", with {visit.browser.name} {visit.browser.build}" if visit.browser else ""
    indented(console, Text(inert(f"captured{client}")), 2)
    top = next((document for document in visit.documents if document.frame == TOP), None)
    api = api_of(top) if top else None
    settled = f"; settled: {visit.settled.value}" if visit.settled else ""
    indented(console, Text(f"API: {api.value if api else 'unknown'}; documents: {len(visit.documents)}{settled}"), 2)


def _tools(tools: tuple[ManifestTool, ...], console: Console) -> None:
    offered = [tool for tool in tools if tool.callable is not False]
    unlisted = sum(tool.listing in _LISTING for tool in offered)
    text = f"An agent is shown {_number(len(offered)) if offered else 'nothing'}"
    if unlisted:
        text += f"; {unlisted} of them unlisted: the page's own getTools() lacks them"
    console.print()
    console.print(Text(text, style="bold"))
    for tool in offered[:_MOST_TOOLS]:
        _tool(tool, console)
    if len(offered) > _MOST_TOOLS:
        indented(console, Text(f"… and {len(offered) - _MOST_TOOLS:,} more; --json has all of them"), 2)
    dead = [tool for tool in tools if tool.callable is False]
    if dead:
        console.print()
        console.print(Text(f"Declared, and no agent is shown {'it' if len(dead) == 1 else 'them'}", style="bold"))
        for tool in dead[:_MOST_TOOLS]:
            indented(console, Text(f"{inert(tool.name)}  ({_cause(tool) or 'not in the browser view'})"), 2)


def _closed_frames(visit: Visit, console: Console) -> None:
    """Frames that reject every call. Most are none of the page's business, so that lint has no finding for each."""
    closed = [document for document in visit.documents if document.frame != TOP and document.error]
    if not closed:
        return
    console.print()
    console.print(Text('Frames that cannot register tools; those that should need allow="tools"', style="bold"))
    for document in closed[:_MOST_FRAMES]:
        indented(console, Text(f"{document.frame}  {inert(document.url, _SHOWN)}  ({inert(document.error or '')})"), 2)
    if len(closed) > _MOST_FRAMES:
        indented(console, Text(f"… and {len(closed) - _MOST_FRAMES:,} more"), 2)


def _tool(tool: ManifestTool, console: Console) -> None:
    facts = [tool.kind.value if tool.kind else "script"]
    if tool.frame not in (None, TOP):
        facts.append(f"in {tool.frame}")
    facts.append(tool.listing.value if tool.listing else "listing unknown")
    if tool.listing_cause:
        facts[-1] += f" ({tool.listing_cause})"
    head = Text.assemble((inert(signature(tool), 2 * _SHOWN), "bold"), (f"  {', '.join(facts)}", "dim"))
    indented(console, head, 2)
    # In quotes, so that no word of the page's begins a line.
    indented(console, Text(f"“{inert(' '.join(tool.description.split()), _SHOWN)}”"), 6)
    if tool.listing in _LISTING:
        why = _cause(tool)
        indented(console, Text(f"{_LISTING[tool.listing]}{f' ({why})' if why else ''}", "dim"), 6)


def _cause(tool: ManifestTool) -> str | None:
    return next((text for cause, text in _CAUSE.items() if cause.value == tool.listing_cause), None)


def _number(tools: int) -> str:
    return "1 tool" if tools == 1 else f"{tools:,} tools"


def _fixes(report: Report, results: tuple[Result, ...], console: Console) -> None:
    groups = fix_order(results)
    if not groups:
        return
    console.print()
    console.print(Text("What to fix, what matters most first", style="bold"))
    for number, group in enumerate(groups, 1):
        first = group[0].finding
        head = Text.assemble(
            f"{number:>3}. ", (first.severity.value, STYLES[first.severity]), f" {inert(first.message)} ",
            (f"[{first.rule}]", "dim"),
        )  # fmt: skip
        indented(console, head, 0)
        indented(console, Text(f"do: {inert(first.remedy)}"), 7)
        named = [_named(each.finding) for each in group if each.finding.tool is not None]
        # A rule may fire on several texts of one tool, which is no tool more.
        others = [name for name in named[1:] if name != named[0]]
        if others:
            indented(console, Text(f"likewise: {_names(others)}", "dim"), 7)
    indented(console, Text("`webmcp-census lint --explain RULE` says more of a rule.", "dim"), 2)


def _named(finding: Finding) -> str:
    """One name in two frames is two tools."""
    return f"{finding.tool} in {finding.frame}" if finding.frame not in (None, TOP) else f"{finding.tool}"


def _names(names: list[str]) -> str:
    distinct = list(dict.fromkeys(names))
    shown = ", ".join(inert(name) for name in islice(distinct, _MOST_NAMES))
    return shown if len(distinct) <= _MOST_NAMES else f"{shown} and {len(distinct) - _MOST_NAMES} more"


def fix_order(results: Iterable[Result]) -> list[list[Result]]:
    """Findings by rule, in the order in which to put them right.

    By severity; within one, what concerns the page as a whole first, since it hides every tool, then the rule that
    fires on most tools. Accepted findings need no fix.
    """
    groups: dict[tuple[str, int], list[Result]] = {}
    for result in results:
        if result.accepted is None:
            groups.setdefault((result.finding.rule, RANK[result.finding.severity]), []).append(result)
    return sorted(
        groups.values(),
        key=lambda group: (RANK[group[0].finding.severity], group[0].finding.tool is not None, -len(group)),
    )
