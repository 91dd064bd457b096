"""An item of `getTools()` as a record."""

import json
from typing import Any

from census.visit import PageTool
from crawler.limits import clean_schema


def page_tool(item: dict[str, Any]) -> PageTool:
    """The record of an item that `page_view.js` has already cut to the limits."""
    schema, too_deep = _schema(item.get("schema"))
    return PageTool(
        frame=item.get("frame"),
        name=item["name"],
        title=item["title"],
        description=item["description"],
        input_schema=schema,
        annotations=item.get("annotations"),
        origin=item["origin"],
        cut=bool(item.get("cut")) or too_deep,
    )


def _schema(text: str | None) -> tuple[Any, bool]:
    """The schema's value within the limits, and whether it was cut; a text that is no JSON stays the text it is.

    147-150 give the page's own string.
    """
    if text is None:
        return None, False
    try:
        return clean_schema(json.loads(text))
    except ValueError:
        return clean_schema(text)
    except RecursionError:
        return None, True
