"""Where in a manifest file a finding is: the line of the tool, or of the part of its schema that is meant."""

from bisect import bisect_left

from pydantic import JsonValue

from measure.placed_decoder import PlacedDecoder

_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters")
"""One thing under the names that the known shapes give it."""


_Object = dict[str, JsonValue]


class ToolLines:
    """Lines of the tools in the text of a manifest file."""

    def __init__(self, text: str) -> None:
        self._ends = [position for position, character in enumerate(text) if character == "\n"]
        self._tools: dict[str | None, list[dict[str, list[_Object]]]] = {}
        decoder = PlacedDecoder()
        self._starts = decoder.starts
        body = text.removeprefix("\ufeff")
        self._shift = len(text) - len(body)
        try:
            # Kept for as long as `starts` is: the ids are of these objects.
            self._root: JsonValue = decoder.decode(body)
        except (ValueError, RecursionError):
            # What is wrong with the file is for its reader to say; here nothing has a line.
            self._root = None

    def line(self, tool: str, pointer: str = "", *, nth: int = 0, arm: str | None = None) -> int | None:
        """The line, from 1, of the `nth` tool of that name, or of what the pointer names in it.

        `arm`: the variant or ablation that is meant, in a file that holds several. None when the tool is not there.
        """
        if arm not in self._tools:
            places = [self._root] if arm is None else _arm(self._root, arm)
            self._tools[arm] = [_by_name(place) for place in places]
        found = next((known[tool][nth] for known in self._tools[arm] if nth < len(known.get(tool, ()))), None)
        if found is None:
            return None
        offset = self._starts[id(found)]
        value: JsonValue = found
        for step in [_unescaped(step) for step in pointer.split("/")[2:]]:
            value = _step(value, step)
            offset = self._starts.get(id(value), offset) if isinstance(value, dict) else offset
        return bisect_left(self._ends, offset + self._shift) + 1


def _arm(root: JsonValue, name: str) -> list[JsonValue]:
    """Where the tools of a variant or an ablation are: its own place, then that of the variant it is based on."""
    variants, ablations = (_member(root, key) for key in ("variants", "ablations"))
    if _member(variants, name) is not None:
        return [_member(variants, name)]
    ablation = _member(ablations, name)
    base = _member(ablation, "basedOn")
    return [ablation, _member(variants, base) if isinstance(base, str) else None]


def _member(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, dict) else None


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _by_name(value: JsonValue) -> dict[str, list[_Object]]:
    """Objects that are tools, by their names, in the order of the text."""
    found: dict[str, list[_Object]] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            name = each.get("name", _member(each.get("function"), "name"))
            if isinstance(name, str):
                found.setdefault(name, []).append(each)
            else:
                waiting.extend(reversed(each.values()))
        elif isinstance(each, list):
            waiting.extend(reversed(each))
    return found


def _step(value: JsonValue, step: str) -> JsonValue:
    if isinstance(value, list):
        return value[int(step)] if step.isdigit() and int(step) < len(value) else None
    if not isinstance(value, dict):
        return None
    if step in value:
        return value[step]
    if step in _SCHEMA_KEYS:
        holder = value.get("function") if isinstance(value.get("function"), dict) else value
        if isinstance(holder, dict):
            return next((holder[key] for key in _SCHEMA_KEYS if key in holder), None)
    return None
