"""What a call did to its page, seen from outside, by no page's own selectors."""

from dataclasses import dataclass

from census.vocabulary import Word


class Area(Word):
    """Where a page keeps something."""

    LOCAL = "local_storage", "`localStorage` of a frame's origin."
    SESSION = "session_storage", "`sessionStorage` of a frame's origin."
    COOKIES = "cookies", "The cookies of the browser context."
    DATABASES = (
        "indexed_db",
        "Names and versions of the IndexedDB databases of a frame's origin, not what they hold.",
    )


class Change(Word):
    """What became of something that a page keeps."""

    ADDED = "added", "It was not there before the call."
    CHANGED = "changed", "It has another value than before the call."
    REMOVED = "removed", "It is no longer there."


@dataclass(frozen=True, slots=True)
class StorageChange:
    """Something that a page keeps, and what the call did to it. Values are compared and never kept."""

    area: Area
    origin: str
    """The frame's origin; of a cookie the domain and path."""
    key: str
    change: Change


@dataclass(frozen=True, slots=True)
class NetworkWrite:
    """A request by which something may have been written: any method but GET, HEAD and OPTIONS, or a socket's frame."""

    method: str
    """`WEBSOCKET` for a frame that was sent over an open socket."""
    url: str
    """Without its query and fragment."""


@dataclass(frozen=True, slots=True)
class DialogSeen:
    """A dialog that opened during a call; it was dismissed at once, as nobody is there to answer."""

    kind: str
    """`alert`, `confirm`, `prompt`, `beforeunload`."""
    message: str


@dataclass(frozen=True, slots=True)
class Effects:
    """What was seen between the call and the moment at which the page was quiet again."""

    dom_changed: bool | None = False
    """Whether the documents (text, attributes, what fields hold) differ; None when that cannot be laid to the call:
    the page changes by itself, or it could not be read."""
    navigated_to: str | None = None
    """The address of the top document when the call changed it, by a navigation or by script."""
    writes: tuple[NetworkWrite, ...] = ()
    storage: tuple[StorageChange, ...] = ()
    dialogs: tuple[DialogSeen, ...] = ()
    popups: int = 0
    """Windows that opened; they were closed."""
    downloads: int = 0
    """Downloads that began; they were blocked."""
    uncaught: tuple[str, ...] = ()
    """Exceptions and rejections that nothing in the page caught."""
    tools_changed: bool = False
    """Whether the browser offers other tools than before."""

    @property
    def any_change(self) -> bool:
        """Whether the call is known to have changed anything: the page, what it keeps, or something elsewhere."""
        return bool(
            self.dom_changed
            or self.navigated_to is not None
            or self.writes
            or self.storage
            or self.popups
            or self.downloads
            or self.tools_changed
        )


NO_EFFECTS = Effects()
