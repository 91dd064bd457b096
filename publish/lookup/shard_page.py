"""A page as a shard has it: small, with what a page without tools needs for its entry."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from census.vocabulary import Api, Outcome
from publish.lookup.entry_rows import Row, severities
from publish.lookup.no_tools import NoTools, why_no_tools

MOST_NAMES = 12
_MOST_FINDINGS = 6
_LONGEST_TEXT = 400
_LONGEST_URL = 2_000


class ShardFinding(BaseModel):
    """A finding of a page without tools."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    severity: str
    rule: str
    message: str
    remedy: str


class ShardPage(BaseModel):
    """A page in a shard. What is absent has the default that is stated, or is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: Annotated[str, Field(description="The URL that was visited; cut when it is over 2,000 characters.")]
    final_url: Annotated[str | None, Field(description="Where it led to, when that is another URL.")] = None
    project: str | None = None
    visited: Annotated[date | None, Field(description="Day of the visit, UTC; absent: that of index.json.")] = None
    outcome: Annotated[Outcome, Field(description="How the visit ended; absent: `captured`.")] = Outcome.CAPTURED
    detail: Annotated[str | None, Field(description="What the outcome rests on.")] = None
    tools: Annotated[int | None, Field(description="Callable tools; absent: not measured.")] = None
    unlisted: Annotated[int, Field(description="Of these, not in the page's own list; absent: 0 or not decided.")] = 0
    names: Annotated[
        tuple[str, ...], Field(description=f"Names of tools, at most {MOST_NAMES} distinct ones, in order.")
    ] = ()
    api: Annotated[Api, Field(description="What the page is offered; absent: `native`, or not known.")] = Api.NATIVE
    why: Annotated[
        tuple[NoTools, ...],
        Field(description="Why there is no tool; index.json has the texts; absent: no reason is known."),
    ] = ()
    problems: Annotated[
        dict[str, int], Field(description="How many findings by severity; absent: none, or lint was not run.")
    ] = {}
    findings: Annotated[
        tuple[ShardFinding, ...], Field(description="The first of them, for a page without an entry of its own.")
    ] = ()
    earlier: Annotated[
        tuple[tuple[str, Outcome, int | None], ...],
        Field(description="Earlier releases that have another outcome or count of tools: release, outcome, tools."),
    ] = ()
    entry: Annotated[
        str | None, Field(description="Its own entry: `entries/ENTRY.json.gz` here, `entry/EN/ENTRY.html` on the site.")
    ] = None


def shard_page(
    row: Row,
    names: Sequence[str],
    findings: Sequence[Row],
    earlier: Sequence[tuple[str, str, int | None]],
    entry: str | None,
    day: date,
) -> dict[str, object]:
    """Make the record of a `pages` row as plain JSON values, without what has its default; `day` is the default one."""
    visited = f"{row['visited_at']:%Y-%m-%d}"
    values: dict[str, object] = {
        "url": cut(str(row["target_url"]), _LONGEST_URL),
        "final_url": _text(row["final_url"], _LONGEST_URL) if row["final_url"] != row["target_url"] else None,
        "project": _text(row["project"], _LONGEST_TEXT),
        "visited": None if visited == f"{day}" else visited,
        "outcome": None if row["outcome"] == Outcome.CAPTURED else row["outcome"],
        "detail": _text(row["outcome_detail"], _LONGEST_TEXT),
        "tools": row["tools_callable"],
        "unlisted": row["tools_unlisted"] or None,
        "names": [cut(name, 128) for name in dict.fromkeys(names)][:MOST_NAMES],
        "api": None if row["api"] == Api.NATIVE else row["api"],
        "why": [word.value for word in why_no_tools(row) if word is not NoTools.NOTHING_REGISTERED],
        "problems": severities(findings),
        "findings": [] if entry else [_finding(each) for each in findings[:_MOST_FINDINGS]],
        "earlier": [list(each) for each in earlier],
        "entry": entry,
    }
    return {name: value for name, value in values.items() if value is not None and value not in ([], {})}


def without_findings(page: Mapping[str, object]) -> dict[str, object]:
    """The record without the texts that make it long."""
    return {name: value for name, value in page.items() if name not in ("findings", "detail", "names", "earlier")}


def cut(text: str, limit: int) -> str:
    """The text, with an ellipsis in place of what is over `limit` characters."""
    return text if len(text) <= limit else text[:limit] + "…"


def _text(value: object, limit: int) -> str | None:
    return None if value is None else cut(str(value), limit)


def _finding(row: Row) -> dict[str, str]:
    return {name: cut(str(row[name]), _LONGEST_TEXT) for name in ("severity", "rule", "message", "remedy")}
