"""Arguments from the words of an utterance alone: what a rule can do without a model."""

import re
from itertools import chain

from pydantic import JsonValue

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_QUOTED = re.compile(r"[\"“”']([^\"“”']+)[\"“”']")


def fill(text: str, schema: JsonValue) -> dict[str, JsonValue]:
    """Fill the properties of an object schema from `text`.

    A choice takes the longest of its words that the text has, a number the next number of the text, a boolean true
    when its name is there, a string the next quoted phrase. What is required and not found gets the whole text
    (strings), the first choice, zero or false; what is optional and not found is left out.
    """
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(schema, dict) or not isinstance(properties, dict):
        return {}
    required = schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set()
    numbers, quoted = iter(_NUMBER.findall(text)), iter(_QUOTED.findall(text))
    filled: dict[str, JsonValue] = {}
    for name, each in properties.items():
        kind = each if isinstance(each, dict) else {}
        choices = _choices(kind)
        value: JsonValue = None
        if choices:
            value = _mentioned(text, choices) or (choices[0] if name in needed else None)
        elif kind.get("type") in ("number", "integer"):
            found = next(numbers, "0" if name in needed else None)
            value = None if found is None else _number(found, whole=kind["type"] == "integer")
        elif kind.get("type") == "boolean":
            value = True if name.lower() in text.lower() else (False if name in needed else None)
        elif kind.get("type", "string") == "string":
            value = next(quoted, text if name in needed else None)
        if value is not None:
            filled[name] = value
    return filled


def _choices(schema: dict[str, JsonValue]) -> list[JsonValue]:
    plain = schema.get("enum")
    titled = [schema.get(key) for key in ("anyOf", "oneOf")]
    constants = [
        each["const"]
        for each in chain(*(x for x in titled if isinstance(x, list)))
        if isinstance(each, dict) and "const" in each
    ]
    return [each for each in (plain if isinstance(plain, list) else constants) if each is not None]


def _mentioned(text: str, choices: list[JsonValue]) -> JsonValue:
    said = [each for each in choices if re.search(rf"(?<!\w){re.escape(str(each))}(?!\w)", text, re.IGNORECASE)]
    return max(said, key=lambda each: len(str(each)), default=None)


def _number(text: str, *, whole: bool) -> int | float:
    value = float(text)
    return int(value) if whole or value.is_integer() else value
