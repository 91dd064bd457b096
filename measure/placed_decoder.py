"""Reading JSON and remembering where in the text each object begins."""

import json
from json import scanner
from typing import Any

from pydantic import JsonValue


class PlacedDecoder(json.JSONDecoder):
    """The standard decoder, noting where each object begins."""

    def __init__(self) -> None:
        super().__init__(strict=False)
        self.starts: dict[int, int] = {}
        """The position of each object's brace, by the object's id: for as long as the objects are kept."""
        parse: Any = getattr(self, "parse_object")  # noqa: B009 -- the type stubs do not have it

        def placed(text_and_position: tuple[str, int], *rest: object) -> tuple[dict[str, JsonValue], int]:
            value, end = parse(text_and_position, *rest)
            self.starts[id(value)] = text_and_position[1] - 1
            return value, end

        self.parse_object = placed
        # The scanner in C does not call `parse_object`.
        self.scan_once = getattr(scanner, "py_make_scanner")(self)  # noqa: B009 -- likewise
