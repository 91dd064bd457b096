"""What the screen is told: what is the same for every page of a RUN."""

from dataclasses import asdict, dataclass

from pydantic import JsonValue

RULES = 1
"""Raised when other signs count or other sources are read: a screen is not continued by other rules."""
MAX_BODY = 3_000_000
"""Bytes of a document or script; a larger one is unread."""


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """The settings of a screen. Times in seconds."""

    user_agent: str
    delay: float = 2.0
    """Between two pages of one site."""
    robots: bool = True
    host_resolver_rules: str = ""
    allow_private: bool = False
    timeout: float = 15.0
    """For one answer."""
    deadline: float = 60.0
    """For all of one page."""
    rules: int = RULES

    def plain(self) -> dict[str, JsonValue]:
        """As written to RUN."""
        return asdict(self)
