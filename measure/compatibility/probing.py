"""What a question may do with a build: open pages, run scripts in them, and speak to DevTools where there is one.

Two engines carry this out (Playwright for Chromium, WebDriver BiDi for Firefox), and neither is seen by a
behaviour.

How answers come about:

- what a script or a function returns is the answer: one line of at most 200 characters. Addresses, times and ids
  have no place in it;
- an error that nobody caught is the answer `throws NAME` (`throws TypeError`); its message goes into the evidence.
  `probe.outcome(work)` makes an error a word without ending the question;
- `NotApplicable` (in a script `probe.notApplicable(reason)`) is the answer `not_applicable` with its reason: the
  question has no meaning in this build. It is not for a build that answers "no";
- a renderer or a browser that goes down is the answer `crash`, and the browser is started again;
- no answer within the behaviour's bound is the answer `hang`.

No fixed sleeps: wait for what is to come (`DevToolsSession.event`, `probe.event`, `probe.until`), each with a
bound; and only where nothing is to come, wait for something later that must have come after it.
"""

from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

NOT_APPLICABLE = "not_applicable"
CRASH = "crash"
HANG = "hang"
NO_ANSWER = "no_answer"


class NotApplicable(Exception):
    """The question can't be asked of this build; the text says why, without the build's name."""


class NoAnswer(Exception):
    """What was to come did not, within its bound."""


class Threw(Exception):
    """A script in the page threw and did not catch it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


class Origin(StrEnum):
    """Where a page can be. All but `FILE` are served on the loopback; a certificate's errors are ignored."""

    HTTPS = "https"
    """`https://host.test`: the usual place of an entry page."""
    SAME_SITE = "same_site"
    """`https://sub.host.test`: another origin, the same site."""
    OTHER_SITE = "other_site"
    """`https://other.test`: another site."""
    THIRD_SITE = "third_site"
    """`https://third.test`: one more."""
    HTTP = "http"
    """`http://host.test`: not a secure context."""
    LOCALHOST = "localhost"
    """`http://localhost`: http, and a secure context all the same."""
    LOOPBACK = "loopback"
    """`http://127.0.0.1`: likewise."""
    FILE = "file"
    """`file:`: the behaviour's pages written to a folder; headers and status mean nothing there."""


class DevToolsSession(Protocol):
    """A session of the DevTools protocol with one target."""

    async def send(self, method: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a method. Raises Threw("ProtocolError", what the browser said)."""

    def seen(self, event: str) -> list[dict[str, Any]]:
        """The parameters of the events of this name so far, in order. `WebMCP.*` events are kept from the start."""

    async def event(
        self, event: str, where: Callable[[dict[str, Any]], bool] = lambda _: True, within: float = 5.0
    ) -> dict[str, Any]:
        """The first event of this name that passes `where`, seen already or to come.

        Raises NoAnswer when none does within that many seconds.
        """


class Tab(Protocol):
    """One tab in a browser context of its own, for one question."""

    def url(self, path: str = "", origin: Origin = Origin.HTTPS) -> str:
        """The address of a page of this behaviour."""

    async def open(self, path: str = "", origin: Origin = Origin.HTTPS) -> None:
        """Go to a page of this behaviour and wait for its load event."""

    async def open_url(self, url: str) -> None:
        """Go to any address (`about:blank`, `data:…`, `chrome://version`) and wait for its load event."""

    async def reload(self) -> None:
        """Reload the page and wait for its load event."""

    async def back(self) -> None:
        """Go back by one entry of the history and wait for the document to be there (it may come out of a cache)."""

    async def ask(self, script: str) -> str:
        """Run the body of an async function in the top document, with `probe`; what it returns, as text.

        Raises Threw for an error it did not catch and NotApplicable for `probe.notApplicable(…)`.
        """

    async def devtools(self) -> DevToolsSession:
        """The session of the top page's own target, the same one at each call. Raises NotApplicable on Firefox."""

    async def frame_devtools(self, origin: Origin) -> DevToolsSession | None:
        """The session of the first child frame on that origin; None when it has no target of its own."""

    async def new_tab(self) -> "Tab":
        """One more tab of the same context, closed with this one."""


Dialogue: TypeAlias = Callable[[Tab], Awaitable[str]]
"""A question as a function: what it returns is the answer."""
