"""How many tokens a manifest costs a model, counted offline.

The vocabulary is `o200k_base`, which the library carries with it. Other models count other numbers: over English tool
lists published counts differ by some 10 to 20 %, over other scripts by more; so a count is a size and not a bill.
"""

import json
from functools import cache

import splintr
from pydantic import JsonValue

from measure.lint.manifest import ManifestTool
from measure.lint.schema_walk import MAX_DEPTH, depth
from measure.lint.text import well_formed


@cache
def _tokenizer() -> splintr.AnyTokenizer:
    return splintr.Tokenizer.from_pretrained("o200k_base")


def tokens_of(tool: ManifestTool) -> int:
    """Tokens of a tool as an agent hands it to a model: name, description and input schema as compact JSON.

    A schema too deep for readers of JSON is counted by its texts alone.
    """
    schema = tool.input_schema
    shown: JsonValue = schema if depth(schema, MAX_DEPTH) < MAX_DEPTH else _texts(schema)
    text = json.dumps(
        {"name": tool.name, "description": tool.description, "input_schema": shown},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return tokens_of_text(text)


def tokens_of_text(text: str) -> int:
    """Tokens of any text as it stands."""
    return len(_tokenizer().encode_ordinary(well_formed(text)))


def _texts(value: JsonValue) -> list[JsonValue]:
    found: list[JsonValue] = []
    stack: list[JsonValue] = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            found.extend(each)
            stack.extend(each.values())
        elif isinstance(each, list):
            stack.extend(each)
        else:
            found.append(each)
    return found
