"""Where in the text of a suite a place is, `cases[3].expectedCall[0].arguments`: its pointer and its line."""

import re
from bisect import bisect_left

from pydantic import JsonValue

from measure.evals.json_values import escaped
from measure.placed_decoder import PlacedDecoder

_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


class PlaceLines:
    """The lines of a suite's text, which has been read already and so is JSON."""

    def __init__(self, text: str) -> None:
        body = text.removeprefix("\ufeff")
        decoder = PlacedDecoder()
        # Kept for as long as `starts` is: the ids are of these objects.
        self._root: JsonValue = decoder.decode(body)
        self._starts = decoder.starts
        self._ends = [position for position, character in enumerate(body) if character == "\n"]

    def find(self, place: str) -> tuple[str, int | None]:
        """The RFC 6901 pointer of a place, and the line, from 1, on which the innermost object around it begins.

        A place is followed as far as it leads: a key with a dot in it ends the way.
        """
        at, pointer, line = self._root, "", None
        steps: list[str | int] = [int(index) if index else key for index, key in _STEP.findall(place)]
        if isinstance(at, list) and steps[:1] == ["cases"]:
            steps = steps[1:]
        for step in steps:
            if isinstance(at, dict) and step in at:
                at = at[str(step)]
            elif isinstance(at, list) and isinstance(step, int) and step < len(at):
                at = at[step]
            else:
                break
            pointer += f"/{escaped(step)}"
            if isinstance(at, dict):
                line = bisect_left(self._ends, self._starts[id(at)]) + 1
        return pointer, line
