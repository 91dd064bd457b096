"""What a visit leaves behind: both views as they were read, so that a changed definition is a rebuild."""

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

from census.recheck import Validator
from census.target import Target
from census.vocabulary import (
    BrowserView,
    Kind,
    LoadEvent,
    Outcome,
    PageView,
    Pass,
    Relation,
    Settled,
    ToolsPolicy,
)

TOP = "top"
"""The name of the top document; a child is `top.0`, `top.1`, a grandchild `top.1.0` (frame tree order)."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Browser(_Record):
    """The client that made a visit: every record names the build."""

    name: str
    """Product: `Chromium`, `Chrome`, `Edge`, ..."""
    build: str
    """Full version, for example `156.0.8078.114`."""
    shell: bool
    """True for `chromium-headless-shell`, which has no site isolation."""


class BrowserTool(_Record):
    """A tool that the browser offers an agent (the `WebMCP` DevTools domain), keyed by (frame, name)."""

    frame: str
    name: str
    description: str
    input_schema: JsonValue = None
    """None when the browser gives none: no schema, not an object, or nested too deep (measured)."""
    annotations: dict[str, bool] | None = None
    kind: Kind
    registered_by: str | None = None
    """URL of the script whose call registered it; None for a form."""
    first_seen_ms: int
    """Milliseconds from the commit of the top document to the first event that named it."""
    cut: bool = False
    """True when a string or the schema was longer than the stated limits and was cut."""


class PageTool(_Record):
    """An item of a document's `getTools()`."""

    frame: str | None
    """The document it belongs to, by the identity of the item's `window`; None when no frame matched."""
    name: str
    title: str = ""
    description: str
    input_schema: JsonValue = None
    annotations: dict[str, bool] | None = None
    origin: str
    cut: bool = False


class Document(_Record):
    """A frame's document at the time of reading, with its page view (read in an isolated world)."""

    frame: str
    parent: str | None
    url: str
    origin: str
    """Serialised origin; `null` when opaque."""
    relation: Relation
    allow: str | None = None
    """The frame element's `allow` attribute."""
    sandbox: str | None = None
    """The frame element's `sandbox` attribute; None when absent, empty when present without tokens."""
    secure: bool | None = None
    tools_policy: ToolsPolicy | None = None
    own_process: bool = False
    page_view: PageView
    error: str | None = None
    """Why the page view failed: the error's name (`NotAllowedError`, `SecurityError`, ...) or `timeout`."""
    tools: tuple[PageTool, ...] = ()
    """What `getTools()` returned here. For the top document that covers its same-origin frames too."""
    on_request: tuple[PageTool, ...] = ()
    """Top document only: what `getTools({fromOrigins})` adds, asked with the origins of its frames."""
    own_list: tuple[PageTool, ...] = ()
    """Top document only: what an object of the page's own lists, asked in the page's own world."""
    polyfill: str | None = None
    """The object that a script of the page put in the place of, or beside, the native one: `replaces_native`,
    `beside_native`; where there is no native one, `on_document` or `on_navigator`."""


class OriginTrial(_Record):
    """A WebMCP origin-trial token of the top document, as `Page.getOriginTrials` judges it."""

    feature: str
    status: str
    """`Success`, `Expired`, `WrongOrigin`, `InvalidSignature`, ..."""
    origin: str | None = None
    expires_at: AwareDatetime | None = None


class ScriptEvidence(_Record):
    """What the texts of the documents' own scripts say of the API; nothing in the page is touched for it."""

    names_api: bool = False
    """Some script names the current API (`modelContext`, reached otherwise than through `navigator`)."""
    old_names: tuple[str, ...] = ()
    """Names of the API that this browser no longer has, sorted: `navigator.modelContext`, ..."""
    longest_timer_ms: int = 0
    """Longest delay, in ms, written as a number in a script that names the API."""
    polls: bool = False
    """A script that names the API looks for something again and again, or waits for a time it does not spell out."""
    unread: int = 0
    """Scripts whose text was not looked at (over the caps, or not to be had)."""


class Event(_Record):
    """Something that happened during a visit, in order; the list is bounded."""

    at_ms: int
    what: str
    detail: str = ""


class Visit(_Record):
    """One opening of one target with one browser build; it ends in exactly one outcome."""

    visit_id: str
    target: Target
    attempt: int = Field(ge=1)
    pass_: Pass = Pass.MAIN
    visited_at: AwareDatetime
    browser: Browser | None
    """None when the visit ended before a browser was needed (robots.txt, opt-out)."""
    outcome: Outcome
    outcome_detail: str | None = None
    final_url: str | None = None
    http_status: int | None = None
    headers: dict[str, str] = {}
    """The response headers that decide what a document may do, lower-case names."""
    load_event: LoadEvent | None = None
    load_ms: int | None = None
    """Milliseconds from the commit of the top document to the load event of the one that was read."""
    settled: Settled | None = None
    settle_reason: str | None = None
    settle_ms: int | None = None
    """Milliseconds from the commit of the top document to the start of the reading."""
    navigated_during_read: int = 0
    """How often the top document was replaced after it had begun to settle."""
    views_stable: bool | None = None
    """Whether the browser view was the same before and after the page views; None when not read."""
    browser_view: BrowserView | None = None
    browser_view_error: str | None = None
    documents: tuple[Document, ...] = ()
    browser_tools: tuple[BrowserTool, ...] = ()
    documents_dropped: int = 0
    """Documents beyond the stated number per page; they were not asked, and their tools' listing is not known."""
    tools_dropped: int = 0
    """Tools beyond the stated number per page; their names are not kept."""
    script_evidence: ScriptEvidence | None = None
    origin_trials: tuple[OriginTrial, ...] = ()
    dialogs: int = 0
    popups: int = 0
    downloads_blocked: int = 0
    challenge_suspected: bool = False
    login_suspected: bool = False
    events: tuple[Event, ...] = ()
    validators: tuple[Validator, ...] | None = None
    """By what the page's document and all its scripts can be asked for again; None when one of them cannot."""
    links: tuple[str, ...] = ()
    """Where the top document's links lead, each once, bounded; read only when inner pages are visited."""


class ControlVisit(_Record):
    """A visit to the crawler's own page that registers nothing: both views must read zero."""

    visited_at: AwareDatetime
    browser: Browser
    read: bool
    """Whether it says anything: a control page that could not be visited is no sign of a leak."""
    good: bool
    detail: str
    vouches_for: int
    """Visits of this browser since the last good control."""
