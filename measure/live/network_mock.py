"""An answer in the place of the network, for what a page depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue


@dataclass(frozen=True)
class NetworkMock:
    """What a request of the page is answered instead of being sent."""

    url: str
    """A glob over whole URLs, as Playwright has it: `**/api/orders*`."""
    method: str | None = None
    """In capitals; None for any."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    json: JsonValue = None
    body: str | None = None
    """Sent as it is; `json` counts when it is None."""
    abort: bool = False
    """Whether the connection fails instead."""
    times: int | None = None
    """How many requests it answers; None for all."""
