"""A record beside an expectation: what differs, in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.sites.gold import UNCHECKED, Expect, Frame, GoldPage, OneOf, Tool
from tests.sites.server import SmallWeb

Row = Mapping[str, object]

_JSON_COLUMNS = frozenset({"input_schema"})


@dataclass(frozen=True)
class Record:
    """What a release has on one target."""

    page: Row
    frames: Sequence[Row]
    tools: Sequence[Row]


def differences(page: GoldPage, record: Record, web: SmallWeb) -> list[str]:
    """What differs from the expectation that comes closest; empty when the record is right."""
    return min((_against(expect, record, web) for expect in page.expectations), key=len)


def _against(expect: Expect, record: Record, web: SmallWeb) -> list[str]:
    wanted = {"outcome": expect.outcome, **expect.page}
    if "final_url" in wanted:
        wanted["final_url"] = web.expand(str(wanted["final_url"]))
    found = [f"page: {text}" for text in _columns(wanted, record.page)]
    if expect.outcome == "captured":
        if expect.frames is not None:
            found += _frames(expect.frames, record.frames)
        found += _tools(expect.tools, record.tools)
    return found


def _columns(wanted: Mapping[str, object], row: Row) -> list[str]:
    found = []
    for column, value in wanted.items():
        if value is UNCHECKED:
            continue
        is_value = row[column]
        if column in _JSON_COLUMNS and isinstance(is_value, str):
            is_value = json.loads(is_value)
        right = is_value in value.values if isinstance(value, OneOf) else is_value == value
        if not right:
            found.append(f"{column} is {is_value!r}, must be {value!r}")
    return found


def _frames(wanted: Sequence[Frame], rows: Sequence[Row]) -> list[str]:
    expected = {frame.frame: frame for frame in wanted}
    actual = {str(row["frame"]): row for row in rows}
    found = [f"frame {name}: missing" for name in expected.keys() - actual.keys()]
    found += [f"frame {name}: {actual[name]['url']} must not be there" for name in actual.keys() - expected.keys()]
    for name in sorted(expected.keys() & actual.keys()):
        found += [f"frame {name}: {text}" for text in _columns(vars(expected[name]), actual[name])]
    return found


def _tools(wanted: Sequence[Tool], rows: Sequence[Row]) -> list[str]:
    expected = {(tool.frame, tool.name): tool for tool in wanted}
    actual = {(str(row["frame"]), str(row["name"])): row for row in rows}
    found = [f"tool {key}: missing" for key in sorted(expected.keys() - actual.keys())]
    found += [f"tool {key}: must not be there" for key in sorted(actual.keys() - expected.keys())]
    if len(actual) != len(rows):
        found.append(f"{len(rows)} rows for {len(actual)} tools")
    for key in sorted(expected.keys() & actual.keys()):
        found += [f"tool {key}: {text}" for text in _columns(vars(expected[key]), actual[key])]
    return found
