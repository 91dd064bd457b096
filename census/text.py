"""How numbers and page-supplied strings are written for people."""

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence

from census.interval import Proportion

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~$@:])")
_INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_LIMIT = 120


def percent(rate: float | None) -> str:
    """Write a rate as a percentage to one digit; a dash when there is none."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def interval_text(share: Proportion) -> str:
    """Write the bounds of a 95 % interval."""
    return f"{100 * share.low:.1f} to {100 * share.high:.1f} %"


def rate_text(share: Proportion) -> str:
    """Write a rate with its interval, k and n: a rate is never bare."""
    if share.rate is None:
        return "nothing to count (n = 0)"
    return f"{percent(share.rate)} (95 % interval {interval_text(share)}; {share.k:,} of {share.n:,})"


def escape_markdown(text: str, limit: int = _LIMIT) -> str:
    """Make a page-supplied string inert in one line of Markdown: no markup, HTML, link or table cell.

    Control and direction characters, which could hide or reorder what follows, are spelled out. Text over
    `limit` characters is cut, with an ellipsis.
    """
    shown = text if len(text) <= limit else text[:limit] + "…"
    escaped = _MARKDOWN.sub(r"\\\1", html.escape(shown, quote=False))
    return "".join(_spelled(character) for character in escaped)


def inert(text: str, limit: int | None = None) -> str:
    """Make a page-supplied string safe for a terminal, a log and an XML file, in one line.

    Control, direction and other invisible characters are spelled out, line ends among them: they could rewrite
    what a terminal shows. `::` at the beginning and `##[` anywhere, which a build service takes for commands of
    its own, are broken up. Text over `limit` characters is cut, with an ellipsis.
    """
    shown = text if limit is None or len(text) <= limit else text[:limit] + "…"
    spelled = shown
    # Going through every text by its characters would be a good part of the time that a site takes.
    if not shown.isprintable():
        spelled = "".join(f"⟨U+{ord(each):04X}⟩" if _is_invisible(each) else each for each in shown)
    if spelled.lstrip().startswith("::"):
        spelled = spelled.replace("::", ": :", 1)
    return spelled.replace("##[", "## [")


def _spelled(character: str) -> str:
    if character == "\n":
        return " "
    return f"⟨U+{ord(character):04X}⟩" if _is_invisible(character) else character


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a Markdown table; the cells are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
