"""Looking a page up in a release's Parquet files, wherever they are: only what is asked for is read.

Rows are sorted by site and each row group has the least and the greatest value of its columns, so one site's rows are
one or two row groups; for comparisons only the columns that are compared are read.
"""

from collections.abc import Callable

import polars as pl

from census.columns import TABLES
from census.errors import CensusError
from census.optout import OptOut
from census.site import site_of
from census.takedown import without_sites
from publish.lookup.answer import Answer, PageLine, answer
from publish.lookup.entry import Entry
from publish.lookup.entry_rows import FINDING_COLUMNS, FRAME_COLUMNS, PAGE_COLUMNS, TOOL_COLUMNS, entry_of
from publish.lookup.question import Address, Question, is_at, is_of_host
from publish.lookup.standing import FINDING_COLUMNS as COMPARED_FINDINGS
from publish.lookup.standing import PAGE_COLUMNS as COMPARED_PAGES
from publish.lookup.standing import Standings

Scan = Callable[[str], pl.LazyFrame]
"""Gives a table by its name, unread."""

_MOST_ENTRIES = 5
_LINE_COLUMNS = ("visit_id", "target_url", "final_url", "project", "outcome", "tools_callable")


class ReleaseTables:
    """The tables of one release, asked for one page at a time."""

    def __init__(self, version: str, scan: Scan, optout: OptOut) -> None:
        self._version, self._scan, self._optout = version, scan, optout

    def look_up(self, asked: Question) -> Answer:
        """Find the pages that are meant. Raises CensusError when a table cannot be read."""
        try:
            return self._by_address(asked, asked.address) if asked.address else self._by_name(asked)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise CensusError(
                f"a table of release {self._version} cannot be read ({error}); is the release whole?"
                " `webmcp-census release verify` says"
            ) from error

    def _by_address(self, asked: Question, address: Address) -> Answer:
        lines = self._lines_of_site(address)
        exact = [
            line for line in lines.iter_rows(named=True) if is_at((line["target_url"], line["final_url"]), address)
        ]
        if not exact:
            elsewhere = self._lines_led_to(address)
            exact = [
                line
                for line in elsewhere.iter_rows(named=True)
                if is_at((line["target_url"], line["final_url"]), address)
            ]
        of_host = [line for line in lines.iter_rows(named=True) if is_of_host(line["target_url"], address)]
        chosen = exact or (of_host if len(of_host) == 1 else [])
        if not chosen and not of_host:
            return self._by_name(asked)
        ids = [str(line["visit_id"]) for line in chosen]
        others = [_line(line) for line in of_host if line not in chosen]
        return answer(self._version, asked.text, self._entries(ids[:_MOST_ENTRIES]), others)

    def _by_name(self, asked: Question) -> Answer:
        name = asked.text.lower()
        if not name:
            return answer(self._version, asked.text, (), ())
        pages = self._scan("pages").select(*_LINE_COLUMNS, "site")
        has_tool = self._scan("tools").filter(pl.col("name").str.to_lowercase() == name).select("visit_id").unique()
        named = pl.col("project").str.to_lowercase().str.contains(name, literal=True)
        found = pages.filter(named).collect()
        by_tool = pages.join(has_tool, on="visit_id", how="semi").collect()
        both = self._published(pl.concat([found, by_tool]).unique("visit_id", maintain_order=True))
        rows = both.to_dicts()
        exact = [row for row in rows if str(row["project"] or "").lower() == name]
        chosen = exact if len(exact) == 1 else rows if len(rows) == 1 else []
        others = [_line(row) for row in rows if row not in chosen]
        return answer(self._version, asked.text, self._entries([str(row["visit_id"]) for row in chosen]), others)

    def _lines_of_site(self, address: Address) -> pl.DataFrame:
        port = f":{address.port}" if address.port else ""
        sites = {site_of(f"{scheme}://{_bracketed(address.host)}{port}/") for scheme in ("http", "https")}
        return self._published(self._scan("pages").filter(pl.col("site").is_in(sites)).select(*_LINE_COLUMNS).collect())

    def _lines_led_to(self, address: Address) -> pl.DataFrame:
        led_to = pl.col("final_url").str.to_lowercase().str.contains(address.shard_host, literal=True)
        return self._published(self._scan("pages").filter(led_to).select(*_LINE_COLUMNS).collect())

    def _published(self, lines: pl.DataFrame) -> pl.DataFrame:
        hidden = [
            self._optout.covers(url) or bool(led_to and self._optout.covers(led_to))
            for url, led_to in lines.select("target_url", "final_url").iter_rows()
        ]
        return lines.filter(~pl.Series(hidden, dtype=pl.Boolean))

    def _entries(self, visit_ids: list[str]) -> list[Entry]:
        if not visit_ids:
            return []
        tables = self._rows(visit_ids)
        standings = Standings(
            self._scan("pages").select(COMPARED_PAGES).collect(),
            self._scan("findings").select(COMPARED_FINDINGS).collect(),
        )
        by_visit = {
            name: table.select(columns).rows_by_key("visit_id", named=True, include_key=True)
            for name, table, columns in (
                ("frames", tables["frames"], FRAME_COLUMNS),
                ("tools", tables["tools"], TOOL_COLUMNS),
                ("findings", tables["findings"], FINDING_COLUMNS),
            )
        }
        pages = {str(row["visit_id"]): row for row in tables["pages"].iter_rows(named=True)}
        return [
            entry_of(
                self._version,
                {name: pages[visit_id][name] for name in PAGE_COLUMNS},
                *(by_visit[name].get(visit_id, []) for name in ("frames", "tools", "findings")),
                standings=standings,
            )
            for visit_id in visit_ids
        ]

    def _rows(self, visit_ids: list[str]) -> dict[str, pl.DataFrame]:
        """All rows of some visits, without what opted-out sites have in them."""
        pages = self._scan("pages").filter(pl.col("visit_id").is_in(visit_ids)).collect()
        sites = pages["site"].unique().to_list()
        ours = pl.col("site").is_in(sites), pl.col("visit_id").is_in(visit_ids)
        tables = {name: self._scan(name).filter(*ours).collect() for name in ("frames", "tools", "findings")}
        unasked = {name: self._scan(name).head(0).collect() for name in TABLES if name not in ("pages", *tables)}
        return without_sites({"pages": pages, **unasked, **tables}, self._optout).tables


def _line(row: dict[str, object]) -> PageLine:
    tools = row["tools_callable"]
    project = row["project"]
    return PageLine(
        str(row["target_url"]),
        None if project is None else str(project),
        str(row["outcome"]),
        tools if isinstance(tools, int) else None,
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
