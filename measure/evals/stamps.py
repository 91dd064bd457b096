"""What a run of evals was made with: without it, a rate cannot be compared with another."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from measure.lint_source import read_text


@dataclass(frozen=True)
class Stamps:
    """The code, the browser and the files of a run."""

    version: str
    browser: str | None = None
    """Product and build; None without a page."""
    files: dict[str, str] = field(default_factory=dict)
    """SHA-256 of each file's text, by its name."""

    def as_json(self) -> dict[str, JsonValue]:
        """For programs."""
        files: dict[str, JsonValue] = dict(self.files)
        return {"version": self.version, "browser": self.browser, "files": files}


def stamps_of(files: Sequence[Path], tools: Path | None, *, live: bool, browser: str | None) -> Stamps:
    """The stamps of a run; `browser` is the one that was asked for. Raises CensusError for a file, or a browser."""
    from crawler.options import chosen_browser, named
    from crawler.settings import code_version

    digests = {
        str(path): hashlib.sha256(read_text(str(path)).encode("utf-8", "surrogatepass")).hexdigest()
        for path in (*files, *([tools] if tools is not None else []))
    }
    return Stamps(code_version(), named(chosen_browser(browser)[1]) if live else None, digests)
