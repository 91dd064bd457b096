"""The pages of the newest release: those with tools get an entry of their own, the others live in the shards."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from publish.lookup.entry import Earlier, Entry, EntryTool
from publish.lookup.entry_rows import FINDING_COLUMNS, FRAME_COLUMNS, PAGE_COLUMNS, TOOL_COLUMNS, Row, entry_of
from publish.lookup.shard_page import cut, shard_page
from publish.lookup.site_files import NamedPage
from publish.lookup.standing import Standings
from publish.site.content import Content
from publish.site.measurements import RateRow, rate_rows

_MOST_TOOLS, _MOST_FINDINGS, _MOST_FRAMES = 400, 400, 100
_LONGEST_TEXT, _LONGEST_SCHEMA = 1_000, 4_000
_MOST_NAMES = 60

_Rows = Mapping[str, Sequence[Row]]


@dataclass(frozen=True)
class SitePages:
    """What the shards, the search and the entries are made from."""

    shard_pages: list[dict[str, object]]
    named: list[NamedPage]
    day: date
    """Of most visits."""
    _content: Content
    _ids: dict[str, str]
    """Of the entries, by visit."""
    _rows: tuple[_Rows, _Rows, _Rows]
    """Of frames, tools and findings, by visit."""

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """The id and the whole entry of each page with tools."""
        content = self._content
        tables = content.newest.tables
        standings = Standings(tables["pages"], tables["findings"])
        frames, tools, findings = self._rows
        for row in _with_entry(tables["pages"], self._ids).iter_rows(named=True):
            visit_id = row["visit_id"]
            entry = entry_of(
                content.newest.manifest.release_version,
                row,
                frames.get(visit_id, ()),
                tools.get(visit_id, ()),
                findings.get(visit_id, ()),
                standings=standings,
                earlier=content.history.get(row["target_key"], ()),
            )
            yield self._ids[visit_id], entry

    def rates(self) -> dict[str, tuple[RateRow, ...]]:
        """The measured rates of each page that has any, by the id of its entry."""
        tables = self._content.newest.tables
        measured = tables.get("rates")
        if measured is None:
            return {}
        keys = tables["pages"].filter(pl.col("target_key").is_in(measured["target_key"].drop_nulls().implode()))
        return {
            self._ids[visit_id]: rate_rows(measured, target_key=key)
            for visit_id, key in keys.select("visit_id", "target_key").iter_rows()
            if visit_id in self._ids
        }


def site_pages(content: Content) -> SitePages:
    """Read the pages of the newest release."""
    tables = content.newest.tables
    pages, tools = tables["pages"], tables["tools"]
    ids = _entry_ids(pages, tools)
    frames_of = _by_visit(tables["frames"].filter(pl.col("visit_id").is_in(ids.keys())), FRAME_COLUMNS)
    tools_of = _by_visit(tools, TOOL_COLUMNS)
    findings_of = _by_visit(tables["findings"], FINDING_COLUMNS)
    shard_pages, named, day = [], [], _day(pages)
    columns = [*PAGE_COLUMNS, "visit_id", "target_key"]
    for row in pages.select(columns).iter_rows(named=True):
        visit_id = row["visit_id"]
        names = list(dict.fromkeys(str(tool["name"]) for tool in tools_of.get(visit_id, ())))
        entry = ids.get(visit_id)
        shard_pages.append(
            shard_page(
                row,
                names,
                findings_of.get(visit_id, ()),
                _other(row, content.history.get(row["target_key"], ())),
                entry,
                day,
            )
        )
        if entry is not None:
            named.append(_named(row, names, entry))
    return SitePages(shard_pages, named, day, content, ids, (frames_of, tools_of, findings_of))


def cut_entry(entry: Entry) -> Entry:
    """The entry with bounded lists and texts; `left_out` says what went."""
    tools = tuple(_cut_tool(tool) for tool in entry.tools[:_MOST_TOOLS])
    left_out = {
        "frames": len(entry.frames) - _MOST_FRAMES,
        "tools": len(entry.tools) - _MOST_TOOLS,
        "findings": len(entry.findings) - _MOST_FINDINGS,
        "texts": sum(tool != whole for tool, whole in zip(tools, entry.tools, strict=False)),
    }
    findings = tuple(
        finding.model_copy(
            update={"message": cut(finding.message, _LONGEST_TEXT), "remedy": cut(finding.remedy, _LONGEST_TEXT)}
        )
        for finding in entry.findings[:_MOST_FINDINGS]
    )
    return entry.model_copy(
        update={
            "tools": tools,
            "findings": findings,
            "frames": entry.frames[:_MOST_FRAMES],
            "left_out": {name: number for name, number in left_out.items() if number > 0},
        }
    )


def _cut_tool(tool: EntryTool) -> EntryTool:
    texts: dict[str, object] = {
        name: cut(text, _LONGEST_TEXT)
        for name in ("title", "description")
        if (text := getattr(tool, name)) is not None and len(text) > _LONGEST_TEXT
    }
    if len(repr(tool.input_schema)) > _LONGEST_SCHEMA:
        # The schema that says nothing, which a reader sees as `name(…)`.
        texts["input_schema"] = True
    return tool.model_copy(update={**texts, "cut": True}) if texts else tool


def _entry_ids(pages: pl.DataFrame, tools: pl.DataFrame) -> dict[str, str]:
    """The id of each page with a tool in either view: the same in every release, and safe in a path."""
    with_tools = pages.join(tools.select("visit_id").unique(), on="visit_id", how="semi", maintain_order="left")
    ids, seen = {}, Counter[str]()
    for visit_id, key in with_tools.select("visit_id", "target_key").iter_rows():
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        seen[digest] += 1
        # Redaction can make two keys one.
        ids[visit_id] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    return ids


def _day(pages: pl.DataFrame) -> date:
    """The day of most visits, the earliest of several; any other would do in a release without a page."""
    days = pages["visited_at"].dt.date().value_counts().sort("count", "visited_at", descending=[True, False])
    return days["visited_at"][0] if days.height else date(1970, 1, 1)


def _with_entry(pages: pl.DataFrame, ids: Mapping[str, str]) -> pl.DataFrame:
    return pages.filter(pl.col("visit_id").is_in(ids.keys())).select(*PAGE_COLUMNS, "visit_id", "target_key")


def _by_visit(table: pl.DataFrame, columns: Sequence[str]) -> _Rows:
    rows: _Rows = table.select(columns).rows_by_key("visit_id", named=True)
    return rows


def _other(row: Row, history: Sequence[Earlier]) -> list[tuple[str, str, int | None]]:
    """Earlier releases that say something else of the page."""
    now = (row["outcome"], row["tools_callable"])
    return [
        (each.release, each.outcome.value, each.tools_callable)
        for each in history
        if (each.outcome, each.tools_callable) != now
    ]


def _named(row: Row, names: Sequence[str], entry: str) -> NamedPage:
    tools = row["tools_callable"]
    return NamedPage(
        url=cut(str(row["target_url"]), 500),
        project=cut(str(row["project"]), 200) if row["project"] else None,
        names=tuple(cut(name, 128) for name in names[:_MOST_NAMES]),
        tools=tools if isinstance(tools, int) else None,
        entry=entry,
    )
