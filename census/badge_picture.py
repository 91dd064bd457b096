"""The picture of a badge: a label and a message, drawn without any other host."""

from collections.abc import Mapping
from html import escape

_LETTER, _PADDING = 6.6, 10
_COLOURS = {
    "brightgreen": "#2e7d32", "green": "#4b7a1c", "yellow": "#8a6d00", "orange": "#a8500a", "red": "#b3261e",
    "blue": "#1b6ca8", "lightgrey": "#57636f",
}  # fmt: skip
"""Shields' names, in shades that white text can be read on: at least 4.5 to 1 (WCAG 2.2, 1.4.3)."""


def badge_svg(badge: Mapping[str, object]) -> str:
    """Draw a badge that is given in the words of Shields' endpoint: `label`, `message`, `color`."""
    label, message, colour = (str(badge[word]) for word in ("label", "message", "color"))
    left, right = (round(len(text) * _LETTER + 2 * _PADDING) for text in (label, message))
    name = escape(f"{label}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{name}">'
        f'<title>{name}</title><path fill="#3b444d" d="M0 0h{left}v20H0z"/>'
        f'<path fill="{_COLOURS[colour]}" d="M{left} 0h{right}v20H{left}z"/>'
        '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2}" y="14">{escape(label)}</text>'
        f'<text x="{left + right / 2}" y="14">{escape(message)}</text></g></svg>\n'
    )
