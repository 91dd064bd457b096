"""A page's badge, in the words of Shields' endpoint."""

from census.finding import Severity
from publish.lookup.entry import Entry
from publish.lookup.sayings import counted

LABEL = "WebMCP census"


def badge(entry: Entry) -> dict[str, object]:
    """The badge in the form of Shields' endpoint (schemaVersion 1): the tools, the findings, and the month."""
    message, colour = _says(entry)
    year, month, _ = entry.release.split(".")
    return {"schemaVersion": 1, "label": f"{LABEL} {year}-{month}", "message": message, "color": colour}


def _says(entry: Entry) -> tuple[str, str]:
    page = entry.page
    if page.tools_callable is None:
        return "not measured", "lightgrey"
    tools = counted(page.tools_callable, "tool")
    if not page.linted:
        return tools, "blue"
    errors, warnings = (entry.problems.get(word, 0) for word in (Severity.ERROR, Severity.WARNING))
    if errors:
        return f"{tools}, {counted(errors, 'error')}", "red"
    if warnings:
        return f"{tools}, {counted(warnings, 'warning')}", "yellow"
    return f"{tools}, no problem found", "brightgreen"
