"""What `lint SOURCE` may name: a URL, a manifest file, standard input, or a RUN."""

import sys
from enum import Enum
from pathlib import Path

from census.errors import CensusError
from census.run import SETTINGS

STDIN = "-"


class SourceKind(Enum):
    """What a source is."""

    URL = "url"
    FILE = "file"
    STDIN = "stdin"
    RUN = "run"


def kind_of(source: str) -> SourceKind:
    """Say what a source is. Raises CensusError when it is nothing that can be linted."""
    if source == STDIN:
        return SourceKind.STDIN
    if source.lower().startswith(("http://", "https://")):
        return SourceKind.URL
    path = Path(source)
    try:
        if (path / SETTINGS).exists():
            return SourceKind.RUN
        there = path.exists()
    except OSError as error:
        raise CensusError(f"{source[:80]} cannot be looked up: {error.strerror}; name a file, a RUN, or `-`") from error
    if path.is_dir():
        raise CensusError(f"{source} is a folder and no RUN: it has no {SETTINGS}; name a manifest file in it")
    if not there:
        raise CensusError(
            f"there is no file {source}; name a manifest file, a RUN, `-`, or a URL with https:// before it"
        )
    return SourceKind.FILE


def read_text(source: str) -> str:
    """The text of a file or of standard input. Raises CensusError when it cannot be read or is not UTF-8."""
    try:
        data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise CensusError(f"{source} cannot be read: {error.strerror}; name a file that you may read") from error
    except UnicodeDecodeError as error:
        raise CensusError(f"{source} is not UTF-8 (byte {error.start}); save it as UTF-8, as JSON must be") from error
