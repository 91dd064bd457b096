"""A badge of a page's rate, in the words of Shields' endpoint. It carries n; an incomplete run has none."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from census.errors import CensusError
from census.text import percent
from measure.rate_report.report import PageReport, RateReport

LABEL = "invocation rate"
_BANDS = ((0.9, "brightgreen"), (0.75, "green"), (0.5, "yellow"), (0.25, "orange"), (0.0, "red"))


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
