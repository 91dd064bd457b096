"""A badge of a page's rate, for Shields' endpoint and as a picture. It carries n; an incomplete run has none."""

import json
from collections.abc import Mapping
from html import escape

from pydantic import JsonValue

from census.errors import CensusError
from census.text import percent
from measure.rate_report.report import PageReport, RateReport

LABEL = "invocation rate"
_HEIGHT, _LETTER, _MARGIN = 20, 6.2, 8
_BANDS = ((0.9, "brightgreen"), (0.75, "green"), (0.5, "yellow"), (0.25, "orange"), (0.0, "red"))
_HEX: Mapping[str, str] = {
    "brightgreen": "#4c1", "green": "#97ca00", "yellow": "#dfb317", "orange": "#fe7d37", "red": "#e05d44",
}  # fmt: skip


def badge(report: RateReport, page: PageReport) -> dict[str, JsonValue]:
    """Give the badge of a page's rate over all tools, in the form that https://shields.io/endpoint reads.

    Raises CensusError for an incomplete run: its gaps are not random, and a badge has no room to say so.
    """
    if not report.complete or page.statistics is None:
        missing = report.coverage.planned - report.coverage.measured
        raise CensusError(
            f"run {report.run} has no badge: {missing:,} of {report.coverage.planned:,} trials are missing; finish it"
        )
    rate = page.statistics.rate
    bounds = page.statistics.to_quote
    low, high = f"{100 * bounds.low:.0f}", f"{100 * bounds.high:.0f}"
    return {
        "schemaVersion": 1,
        "label": LABEL,
        "message": f"{percent(rate.rate)} ({low}-{high} %), n = {rate.n:,}",
        "color": next(colour for least, colour in _BANDS if (rate.rate or 0.0) >= least),
    }


def badge_json(content: Mapping[str, JsonValue]) -> str:
    """The badge as the file that Shields asks for."""
    return json.dumps(content) + "\n"


def badge_svg(content: Mapping[str, JsonValue]) -> str:
    """The same as a picture that needs no service; the widths are set, so that any font fits."""
    label, message = str(content["label"]), str(content["message"])
    left, right = (round(len(text) * _LETTER) + 2 * _MARGIN for text in (label, message))
    said = escape(f"{label}: {message}")
    size = f'width="{left + right}" height="{_HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{said}">',
        f"<title>{said}</title>",
        f'<rect width="{left}" height="{_HEIGHT}" fill="#555"/>',
        f'<rect x="{left}" width="{right}" height="{_HEIGHT}" fill="{_HEX[str(content["color"])]}"/>',
        '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
        _text(_MARGIN, left, label),
        _text(left + _MARGIN, right, message),
        "</g></svg>",
    ]
    return "".join(parts) + "\n"


def _text(x: int, width: int, text: str) -> str:
    return f'<text x="{x}" y="14" textLength="{width - 2 * _MARGIN}">{escape(text)}</text>'
