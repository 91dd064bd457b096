"""What a sample of one stratum says of the whole: see `census.number.Estimate` for the estimator and its source."""

from typing import Literal, NamedTuple

from census.interval import wilson

Form = Literal["missed", "recall", "share", "items"]


class Strata(NamedTuple):
    """The counts of both strata."""

    found: int
    """Of the stratum that was visited throughout, those with the property."""
    stratum: int
    """Targets of the stratum that was sampled."""
    sample: int
    """Of these, those visited."""
    sample_found: int
    """Of these, those with the property."""
    total: int
    """Targets of both strata."""
    mean: float = 0.0
    """Items of a target with the property, on average."""


class Expanded(NamedTuple):
    """An estimate with its 95 % interval; None where the data say nothing."""

    value: float | None
    low: float | None
    high: float | None


def expand(form: Form, strata: Strata) -> Expanded:
    """Estimate over both strata.

    Nothing is known of a stratum of which nothing was visited: the interval is then as wide as the stratum. Raises
    ValueError when the counts contradict each other.
    """
    if not 0 <= strata.sample_found <= strata.sample <= strata.stratum <= strata.total:
        raise ValueError(f"no strata: {strata}")
    if not strata.total:
        return Expanded(None, None, None)
    low, high = wilson(strata.sample_found, strata.sample) if strata.stratum else (0.0, 0.0)
    rate = strata.sample_found / strata.sample if strata.sample else None if strata.stratum else 0.0
    # Those that the sample found are there, and those that it visited without finding any are not.
    least, most = strata.sample_found, strata.stratum - strata.sample + strata.sample_found
    ends = (max(strata.stratum * low, least), min(strata.stratum * high, most))
    values = [_of(form, strata, missed) for missed in ends]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Expanded(None, None, None)
    point = None if rate is None else _of(form, strata, strata.stratum * rate)
    return Expanded(_rounded(point), _rounded(min(known)), _rounded(max(known)))


def _of(form: Form, strata: Strata, missed: float) -> float | None:
    match form:
        case "missed":
            return missed
        case "items":
            return missed * strata.mean
        case "share":
            return (strata.found + missed) / strata.total
        case "recall":
            return strata.found / (strata.found + missed) if strata.found + missed else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
