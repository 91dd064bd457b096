"""Why nothing can be measured on a page."""

from census.errors import CensusError
from census.vocabulary import OURS, Outcome


class PageNotOpenedError(CensusError):
    """A page could not be opened, so nothing can be measured on it."""

    def __init__(self, url: str, outcome: Outcome, detail: str | None) -> None:
        super().__init__(f"{url} could not be opened: {outcome.value}{f' ({detail})' if detail else ''}")
        self.outcome, self.detail = outcome, detail

    @property
    def ours(self) -> bool:
        """Whether the browser or the network failed, and not the page."""
        return self.outcome in OURS


class WritesNotAllowedError(CensusError):
    """A tool that does not say that it is read-only was to be run, and nobody allowed that."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} does not say that it is read-only, so it was not run; allow it with --allow-writes")


class BrowserGoneError(CensusError):
    """The browser failed while a page was measured."""

    ours = True
