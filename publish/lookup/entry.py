"""The entry of a page: what a release says of it, with the columns of the tables under their own names."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from census.finding import Severity
from census.listing import ListingCause
from census.vocabulary import Api, BrowserView, Kind, Listing, Outcome, PageView, Relation, Settled, ToolsPolicy
from publish.lookup.no_tools import NoTools


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class EntryPage(_Part):
    """A row of `pages`; docs/columns.md says what each column means."""

    target_url: str
    final_url: str | None = None
    site: str
    project: str | None = None
    repository: str | None = None
    source: str | None = None
    visited_at: datetime
    browser: str | None = None
    build: str | None = None
    shell: bool | None = None
    outcome: Outcome
    outcome_detail: str | None = None
    http_status: int | None = None
    unmeasured: str | None = None
    settled: Settled | None = None
    settle_ms: int | None = None
    page_view: PageView | None = None
    page_view_error: str | None = None
    browser_view: BrowserView | None = None
    browser_view_error: str | None = None
    views_stable: bool | None = None
    api: Api | None = None
    old_api: tuple[str, ...] | None = None
    polyfill: str | None = None
    origin_trial: str | None = None
    frames: int | None = None
    frames_unread: int | None = None
    tools_callable: int | None = None
    tools_listed: int | None = None
    tools_unlisted: int | None = None
    tools_dropped: int | None = None
    challenge_suspected: bool | None = None
    login_suspected: bool | None = None
    linted: bool | None = None


class EntryFrame(_Part):
    """A row of `frames`."""

    frame: str
    parent: str | None = None
    url: str
    origin: str | None = None
    relation: Relation | None = None
    allow: str | None = None
    sandbox: str | None = None
    tools_policy: ToolsPolicy | None = None
    error: str | None = None
    page_view: PageView | None = None


class EntryTool(_Part):
    """A row of `tools`, with schema and annotations read."""

    frame: str
    name: str
    title: str | None = None
    description: str | None = None
    input_schema: JsonValue = None
    annotations: JsonValue = None
    kind: Kind | None = None
    registered_by: str | None = None
    callable: bool | None = None
    listing: Listing | None = None
    listing_cause: ListingCause | None = None
    cut: bool | None = None


class EntryFinding(_Part):
    """A row of `findings`."""

    rule: str
    severity: Severity
    tool: str | None = None
    frame: str | None = None
    pointer: str = ""
    message: str
    remedy: str


class Earlier(_Part):
    """What another release says of the page."""

    release: str
    outcome: Outcome
    tools_callable: int | None = None


class Standing(_Part):
    """Where a page stands among the n pages of its release that have the same thing."""

    of: Literal["tools", "problems"]
    """`tools`: callable tools; `problems`: findings that are errors or warnings."""
    value: int
    less: int
    """Pages with less of it."""
    same: int
    """Pages with as much, this one included."""
    n: int
    """`tools`: measured pages with a callable tool; `problems`: these, of those that were linted."""


class Entry(_Part):
    """All that a release says of one page."""

    release: str
    page: EntryPage
    why: tuple[NoTools, ...] = ()
    """Why it has no tool for an agent, the likeliest reason first."""
    frames: tuple[EntryFrame, ...] = ()
    tools: tuple[EntryTool, ...] = ()
    findings: tuple[EntryFinding, ...] = ()
    problems: dict[Severity, int] = {}
    """How many findings of each severity there are, those that were left out included."""
    earlier: tuple[Earlier, ...] = ()
    """The newest first."""
    standing: tuple[Standing, ...] = ()
    left_out: dict[str, int] = {}
    """How many rows of a list were left out because there were too many, and texts that were cut (`texts`)."""
