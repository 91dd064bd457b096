"""An item of `getTools()` as a record."""

import json
from typing import Any

from census.visit import PageTool
from crawler.limits import clean_schema


def page_tool(item: dict[str, Any]) -> PageTool:
    """The record of an item that `page_view.js` has already cut to the limits."""
    schema = item.get("schema")
    kept, too_deep = clean_schema(_parsed(schema)) if schema is not None else (None, False)
    return PageTool(
        frame=item.get("frame"),
        name=item["name"],
        title=item["title"],
        description=item["description"],
        input_schema=kept,
        annotations=item.get("annotations"),
        origin=item["origin"],
        cut=bool(item.get("cut")) or too_deep,
    )


def _parsed(schema: str) -> Any:
    """The schema's value; a text that is no JSON (147-150 give strings) stays the text it is, too deep is None."""
    try:
        return json.loads(schema)
    except ValueError:
        return schema
    except RecursionError:
        return None
