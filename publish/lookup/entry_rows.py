"""From rows of a release's tables to entries."""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from census.finding import Severity
from publish.lookup.entry import Earlier, Entry, EntryFinding, EntryFrame, EntryPage, EntryTool
from publish.lookup.no_tools import why_no_tools
from publish.lookup.standing import Standings, problems_of

Row = Mapping[str, object]

PAGE_COLUMNS = tuple(EntryPage.model_fields)
FRAME_COLUMNS = ("visit_id", *EntryFrame.model_fields)
TOOL_COLUMNS = ("visit_id", *EntryTool.model_fields)
FINDING_COLUMNS = ("visit_id", *EntryFinding.model_fields)

_JSON_COLUMNS = ("input_schema", "annotations")


def entry_of(
    release: str,
    page: Row,
    frames: Sequence[Row],
    tools: Sequence[Row],
    findings: Sequence[Row],
    *,
    standings: Standings,
    earlier: Sequence[Earlier] = (),
) -> Entry:
    """Make the entry of one row of `pages` and the rows that it joins."""
    read = EntryPage.model_validate(page)
    found = tuple(EntryFinding.model_validate(_without_nulls(row)) for row in findings)
    problems = problems_of(finding.severity for finding in found) if read.linted else None
    return Entry(
        release=release,
        page=read,
        why=why_no_tools(page),
        frames=tuple(EntryFrame.model_validate(row) for row in frames),
        tools=tuple(EntryTool.model_validate({**row, **_read_json(row)}) for row in tools),
        findings=found,
        problems={Severity(word): number for word, number in severities(findings).items()},
        earlier=tuple(earlier),
        standing=standings.of(read.tools_callable, problems),
    )


def severities(findings: Sequence[Row]) -> dict[str, int]:
    """How many findings of each severity, the worst first; those without any are left out."""
    words = [Severity(str(row["severity"])) for row in findings]
    return {word.value: words.count(word) for word in Severity if word in words}


def _read_json(row: Row) -> dict[str, JsonValue]:
    texts = {column: row.get(column) for column in _JSON_COLUMNS}
    return {column: json.loads(text) if isinstance(text, str) else None for column, text in texts.items()}


def _without_nulls(row: Row) -> dict[str, object]:
    return {name: value for name, value in row.items() if value is not None}
