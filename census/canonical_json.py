"""Nested data in a column: one text for one value, so that two builds are the same bytes."""

import json

from pydantic import JsonValue

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(value: JsonValue | dict[str, bool] | dict[str, str]) -> str | None:
    """Write a value as canonical JSON: sorted keys, no spaces; None for None. Raises ValueError for NaN."""
    if value is None:
        return None
    return _ENCODER.encode(value)
