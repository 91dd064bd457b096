"""What a report says of a list that was screened before it was visited."""

from census.summary import Estimated, Summary
from census.text import markdown_table, percent

_ESTIMATES = ("screened_share", "screen_missed", "screen_missed_tools", "screen_recall")


def was_screened(summary: Summary) -> bool:
    """Whether any target of the release was."""
    return summary.estimate("screened_share").total > 0


def estimate_text(number: Estimated) -> str:
    """An estimate with its interval and what it rests on."""
    return f"{_value(number, number.value)} (95 % interval {_interval(number)}; {_rests_on(number)})"


def screened_section(summary: Summary) -> str:
    """The estimates, and how they come about."""
    share = summary.estimate("screened_share")
    rows = ((n.title, _value(n, n.value), _interval(n), _rests_on(n)) for n in map(summary.estimate, _ESTIMATES))
    return "\n\n".join(
        (
            (
                f"{share.total:,} targets were screened first: their source was read over plain HTTP, without a"
                f" browser. Of {share.stratum:,} of them it was read in full and had no sign of WebMCP; a random sample"
                f" of these, {share.sample:,}, was visited like all others, and the rest was not (`screened_out`). What"
                " the visits of the sample found is expanded to the whole stratum. A visit that could not read its"
                " page counts as one that found nothing, so these are floors as everywhere here."
            ),
            markdown_table(("Estimate", "value", "95 % interval", "rests on"), rows),
        )
    )


def _value(number: Estimated, value: float | None) -> str:
    if value is None:
        return "not known"
    return percent(value) if number.form in ("share", "recall") else f"{value:,.0f}"


def _interval(number: Estimated) -> str:
    if number.low is None or number.high is None:
        return "none"
    return f"{_value(number, number.low)} to {_value(number, number.high)}"


def _rests_on(number: Estimated) -> str:
    return (
        f"{number.found:,} found; {number.sample_found:,} of {number.sample:,} sampled of {number.stratum:,}"
        " without a sign"
    )
