"""Searching in texts of a page's, within bounds of length and of time: no text may hold the rules up."""

from collections.abc import Iterator

import regex

MAX_TEXT = 20_000
"""Characters of a text that are searched: as many as the census keeps of one."""
_SECONDS = 0.5


def first(pattern: "regex.Pattern[str]", text: str) -> "regex.Match[str] | None":
    """The first match; None also when the search was given up."""
    try:
        return pattern.search(text[:MAX_TEXT], timeout=_SECONDS)
    except TimeoutError:
        return None


def each(pattern: "regex.Pattern[str]", text: str, limit: int) -> Iterator["regex.Match[str]"]:
    """The matches in the first `limit` characters; fewer when the search was given up."""
    try:
        yield from pattern.finditer(text[:limit], timeout=_SECONDS)
    except TimeoutError:
        return
