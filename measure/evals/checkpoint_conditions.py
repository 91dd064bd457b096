"""What has to be the same for a run of evals to go on: its files, its page, its browser, this code."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from measure.evals.stamps import Stamps

_OF_THE_PAGE = (
    "url", "smoke", "allow_writes", "bound", "browser", "locale", "timezone", "viewport", "user_agent", "settle_cap",
)  # fmt: skip


def conditions_of(stamps: Stamps, options: Mapping[str, Any]) -> dict[str, JsonValue]:
    """The conditions by name; `options` are those of a page, empty without one."""
    found: dict[str, JsonValue] = {"version": stamps.version}
    found |= {f"sha256 of {path}": digest for path, digest in stamps.files.items()}
    if options:
        found |= {name: options[name] for name in _OF_THE_PAGE}
        found["build"] = stamps.browser
    return found
