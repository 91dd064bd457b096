"""How page-supplied strings are shown in a finding."""

import json
import unicodedata
from collections.abc import Sequence

from pydantic import JsonValue

_LIMIT = 60
_GRAVE = "\u02cb"
"""Stands for a backtick, which would end the quotation."""
_HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def well_formed(text: str) -> str:
    """The text with lone surrogates replaced: they can be written neither as UTF-8 nor into a finding."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def quoted(text: str, limit: int = _LIMIT) -> str:
    """A name or a phrase of the page's in code quotes: cut to `limit` characters, control characters spelled out."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    shown = "".join(f"⟨U+{ord(each):04X}⟩" if unicodedata.category(each) in _HIDDEN else each for each in cut)
    return "`" + shown.replace("`", _GRAVE) + "`"


def value_shown(value: JsonValue) -> str:
    """A JSON value as a finding shows it."""
    if isinstance(value, dict | list):
        return quoted("{…}" if isinstance(value, dict) else "[…]")
    return quoted(json.dumps(value, ensure_ascii=False))


def listed(names: Sequence[str], limit: int = 5) -> str:
    """Names in code quotes, joined as in a sentence; beyond `limit` only how many more."""
    shown = [quoted(name, 40) for name in names[:limit]]
    more = len(names) - limit
    if more > 0:
        return f"{', '.join(shown)} and {more:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
