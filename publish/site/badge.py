"""A page's badge: for Shields' endpoint, and as a picture that needs no other host."""

from html import escape

from census.finding import Severity
from publish.lookup.entry import Entry
from publish.lookup.sayings import counted

LABEL = "WebMCP census"
_LETTER, _PADDING = 6.6, 10
_COLOURS = {"brightgreen": "#2e7d32", "yellow": "#8a6d00", "red": "#b3261e", "blue": "#1b6ca8", "lightgrey": "#57636f"}


def badge(entry: Entry) -> dict[str, object]:
    """The badge in the form of Shields' endpoint (schemaVersion 1): the tools, the findings, and the month."""
    message, colour = _says(entry)
    year, month, _ = entry.release.split(".")
    return {"schemaVersion": 1, "label": f"{LABEL} {year}-{month}", "message": message, "color": colour}


def badge_svg(badge: dict[str, object]) -> str:
    """The same as a picture."""
    label, message = str(badge["label"]), str(badge["message"])
    left, right = (round(len(text) * _LETTER + 2 * _PADDING) for text in (label, message))
    colour = _COLOURS[str(badge["color"])]
    name = escape(f"{label}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{name}">'
        f'<title>{name}</title><path fill="#3b444d" d="M0 0h{left}v20H0z"/>'
        f'<path fill="{colour}" d="M{left} 0h{right}v20H{left}z"/>'
        '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2}" y="14">{escape(label)}</text>'
        f'<text x="{left + right / 2}" y="14">{escape(message)}</text></g></svg>\n'
    )


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
