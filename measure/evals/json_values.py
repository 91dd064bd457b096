"""JSON values as JSON has them: `true` is not 1, whatever Python says, and 1 is 1.0."""

import json
import re

from pydantic import JsonValue

from measure.lint.text import well_formed


def json_type(value: JsonValue) -> str:
    """The type of a value in the words of `$type`: string, number, boolean, array, object, null."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def json_equal(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are the same JSON: every member of an object and every item of an array, in depth."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(json_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(json_equal(*pair) for pair in zip(one, other, strict=True))
    return json_type(one) == json_type(other) and one == other


def shown(value: JsonValue, limit: int = 80) -> str:
    """A value as compact JSON in one line, cut at `limit` characters."""
    text = well_formed(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))
    return text if len(text) <= limit else text[:limit] + "…"


def escaped(step: str | int) -> str:
    """A step of an RFC 6901 pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


def steps_of(pointer: str) -> list[str]:
    """The steps of an RFC 6901 pointer. Raises ValueError when it does not begin with `/`."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"{pointer!r} is no JSON pointer: it begins with /")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]


def at_pointer(value: JsonValue, pointer: str) -> tuple[bool, JsonValue]:
    """Whether an RFC 6901 pointer leads to something in a value, and what.

    A text is read as JSON where the pointer leads into it: what a page's tool returns arrives as text.
    """
    for step in steps_of(pointer):
        held = as_json(value)
        if isinstance(held, dict) and step in held:
            value = held[step]
        elif isinstance(held, list) and step.isdecimal() and int(step) < len(held):
            value = held[int(step)]
        else:
            return False, None
    return True, value


def holds_somewhere(value: JsonValue, wanted: JsonValue) -> bool:
    """Whether `wanted` is a value anywhere in `value`, or stands as a word of its own in one of its texts."""
    if json_equal(value, wanted):
        # A text that is JSON too, `7`, is first of all itself.
        return True
    word = _word(wanted)
    waiting = [as_json(value)]
    while waiting:
        each = waiting.pop()
        if json_equal(each, wanted):
            return True
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
        elif isinstance(each, str) and word is not None and word.search(each):
            return True
    return False


def _word(wanted: JsonValue) -> re.Pattern[str] | None:
    """Finds a text or a number where it is no part of a longer word: 21 is not in `order 4211`."""
    if json_type(wanted) not in ("string", "number") or wanted == "":
        return None
    return re.compile(rf"(?<!\w){re.escape(str(wanted))}(?!\w)")


def as_json(value: JsonValue) -> JsonValue:
    """A text read as JSON, where it is that; any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        read: JsonValue = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read
