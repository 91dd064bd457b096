"""What has to be the same for a run of evals to go on: its files, its page, its browser, this code."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from measure.lint_source import read_text

_OF_THE_PAGE = (
    "url", "smoke", "allow_writes", "bound", "browser", "locale", "timezone", "viewport", "user_agent", "settle_cap",
)  # fmt: skip


def conditions_of(files: Sequence[Path], tools: Path | None, options: Mapping[str, Any]) -> dict[str, JsonValue]:
    """The conditions by name; `options` are those of a page, empty without one. Raises CensusError for a file."""
    from crawler.options import chosen_browser, named
    from crawler.settings import code_version

    found: dict[str, JsonValue] = {"version": code_version()}
    for path in (*files, *([tools] if tools is not None else [])):
        found[f"sha256 of {path}"] = hashlib.sha256(read_text(str(path)).encode()).hexdigest()
    if options:
        found |= {name: options[name] for name in _OF_THE_PAGE}
        found["build"] = named(chosen_browser(options["browser"])[1])
    return found
