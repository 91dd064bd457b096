"""Caps on what one page can make us keep. The browser has none of its own (measured)."""

import json
from typing import Any

MAX_TOOLS = 2_000
"""Tools kept of one page; what is beyond is counted in `tools_dropped`."""
MAX_NAME = 256
MAX_TEXT = 20_000
"""Characters of a description, a title or a URL."""
MAX_SCHEMA = 100_000
"""Characters of a schema's JSON text; a longer one is not kept."""
MAX_DEPTH = 150
"""Levels of a schema: JSON readers give up at about 200."""
MAX_KEPT = 12_000_000
"""Characters of all descriptions and schemas of one page, in each of its views; of tools beyond it only the names."""
MIN_KEPT = 500_000
"""Characters that each document's page view gets of that, however many documents there are."""
MAX_FRAMES = 200
MAX_EVENTS = 200


def clean(text: object, limit: int) -> tuple[str, bool]:
    """The text within the limit and without lone surrogates (they cannot be written as UTF-8).

    Returns it with whether anything was cut off its end.
    """
    whole = text if isinstance(text, str) else ""
    return _well_formed(whole[:limit]), len(whole) > limit


def clean_schema(schema: Any) -> tuple[Any, bool]:
    """The schema as it was, or None when its JSON text is over the limit or nested too deep."""
    if _deeper_than(schema, MAX_DEPTH):
        return None, True
    text = json.dumps(schema, ensure_ascii=False)
    if len(text) > MAX_SCHEMA:
        return None, True
    return (schema if text.isascii() else json.loads(_well_formed(text))), False


def _deeper_than(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [
            child
            for each in layer
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not layer:
            return False
    return True


def _well_formed(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
