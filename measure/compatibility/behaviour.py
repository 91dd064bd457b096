"""A behaviour: one question about WebMCP that a build answers with one short word, and how it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from census.vocabulary import Word
from measure.compatibility.probing import Dialogue, Origin

ANSWERING = '<!doctype html><title>Answering</title><script src="/probe.js"></script>'
"""A document that `probe.ask(frame, …)` can put questions to from another origin.

A page of a behaviour that is to answer holds this text, or the same script element.
"""


class Topic(StrEnum):
    """What a behaviour is about: the module of `behaviours` that declares it, and its rows in the matrix, in order."""

    EXPOSURE = "exposure"
    CONTEXTS = "contexts"
    REGISTRATION = "registration"
    NAMES = "names"
    SCHEMAS = "schemas"
    LISTING = "listing"
    EXECUTION = "execution"
    ERRORS = "errors"
    EVENTS = "events"
    FORMS = "forms"
    FRAMES_AND_POLICY = "frames_and_policy"
    DEVTOOLS = "devtools"
    LIFETIME = "lifetime"
    SCALE = "scale"
    CRASHES = "crashes"


class Switch(Word):
    """How the browser is started. Behaviours with the same switch share one start of a build."""

    WEBMCP = (
        "webmcp",
        "`--enable-features=WebMCP,DevToolsWebMCPSupport`: on in page and protocol; Firefox: its preference.",
    )
    NONE = "none", "As it comes; Firefox: no preference set."
    FEATURE = "feature", "`--enable-features=WebMCP` and nothing else."
    TESTING = "testing", "`--enable-features=WebMCPTesting`; Firefox: both of its preferences."
    BLINK = "blink", "`--enable-blink-features=WebMCP`."
    EXPERIMENTAL = "experimental", "`--enable-experimental-web-platform-features`."
    DEVTOOLS = "devtools", "`--enable-features=DevToolsWebMCPSupport` and nothing else."


@dataclass(frozen=True)
class Page:
    """A document of a behaviour. It is served on every origin, at the path it is declared under.

    `{{https}}`, `{{other_site}}` and so on (an `Origin`'s word) in the body and in the headers become that
    origin: `https://host.test:8443`.
    """

    body: str = "<!doctype html><title>A page</title>"
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/html; charset=utf-8"
    status: int = 200


@dataclass(frozen=True)
class Script:
    """Asked by the body of an async function that runs in the page's own world and returns the answer.

    The entry page is open and has loaded. The script gets one name, `probe` (probe.js says what it offers). It
    runs on every engine, so prefer it.
    """

    text: str


@dataclass(frozen=True)
class Steps:
    """Asked by a function that opens pages, runs scripts in them, navigates and reloads; on every engine.

    The entry page is open and has loaded when the function starts.
    """

    function: Dialogue


@dataclass(frozen=True)
class DevTools:
    """As `Steps`, with `tab.devtools()`: `not_applicable` where the browser has no DevTools protocol (Firefox)."""

    function: Dialogue


@dataclass(frozen=True)
class Behaviour:
    """One question, asked the same way of every build."""

    id: str
    """`topic/name`: `names/empty`. It never changes its meaning: a question asked in another way is another id."""
    question: str
    """In a reader's words, ending with `?`: the heading of the row."""
    section: str
    """Where the specification speaks of it (`#dom-modelcontext-registertool`, `Permissions Policy: tools`), or, where
    it does not, what it rests on (`DevTools protocol: WebMCP.invokeTool`)."""
    asked: Script | Steps | DevTools
    values: Mapping[str, str] | None = None
    """The closed vocabulary: each answer that can be, with what it means. None: a short canonical string, which
    `canonical` describes. An answer outside is an answer all the same, and the run says so."""
    canonical: str = ""
    """What a free answer is made of (`names of the tools in order, joined by commas`); empty with `values`."""
    pages: Mapping[str, Page] = field(default_factory=dict)
    """By path below the behaviour's own folder. `""` is the entry page; without one it is an empty page."""
    entry: Origin = Origin.HTTPS
    """The origin that the entry page is opened on."""
    switch: Switch = Switch.WEBMCP
    timing: bool = False
    """Whether the answer hangs on how fast things happen, so that two runs may differ. At most five do."""
    may_crash: bool = False
    """Whether the question is known to take a renderer down in some build: it is asked last."""
    within: float = 20.0
    """Seconds until the answer is `hang`."""

    @property
    def topic(self) -> Topic:
        """The first part of the id. Raises ValueError when there is no such topic."""
        return Topic(self.id.partition("/")[0])
