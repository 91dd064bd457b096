"""How the parts of a report are said, the same in every text that is written from it."""

from census.interval import Proportion
from census.text import percent
from measure.rate_report.report import ClusterBounds, Coverage, FloorsOf, SpreadOf, Statistics


def bounds_text(bounds: Proportion | ClusterBounds) -> str:
    """Write a 95 % interval."""
    return f"{100 * bounds.low:.1f} to {100 * bounds.high:.1f} %"


def quoted_text(statistics: Statistics) -> str:
    """Write the interval to quote, and what it takes to vary."""
    return f"{bounds_text(statistics.to_quote)} ({varies(statistics)})"


def varies(statistics: Statistics) -> str:
    """What the interval to quote takes to vary."""
    if statistics.over_both is not None:
        return "for more utterances and sessions"
    return "for more utterances" if statistics.over_utterances is not None else "trials taken as independent"


def spread_text(spread: SpreadOf | None) -> str:
    """Write a spread in percentage points."""
    if spread is None:
        return "unknown"
    deviation = "" if spread.deviation is None else f", deviation {100 * spread.deviation:.1f}"
    return f"{100 * (spread.high - spread.low):.1f} points over {spread.n}{deviation}"


def floors_text(floors: FloorsOf) -> str:
    """Write the three floors."""
    return f"{percent(floors.lexical)} / {percent(floors.majority)} / {percent(floors.random)}"


def coverage_text(coverage: Coverage) -> str:
    """Write how much of the plan was measured, and what became of the rest."""
    parts = [f"{coverage.measured:,} of {coverage.planned:,} planned trials"]
    parts += [f"missing: {count:,} {cause}" for cause, count in coverage.missing.items()]
    if coverage.not_made:
        parts.append(f"not made: {coverage.not_made:,}")
    return "; ".join(parts)


def in_a_row_text(statistics: Statistics) -> str:
    """Write pass^k for each k that there is."""
    known = [(k, power) for k, power in statistics.in_a_row.items() if power is not None]
    return ", ".join(f"{k}: {percent(power)}" for k, power in known) or "unknown"
