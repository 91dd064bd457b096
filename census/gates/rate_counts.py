"""Gate: every rate is what its trials give."""

from collections.abc import Iterator, Mapping

import polars as pl

from census.gates.violation import Violation
from census.interval import proportion
from census.measured_rates import FALSE_POSITIVE, INVOCATION

RULE = "rate-counts"

_PLACE = ("run", "page", "variant", "utterance_set")


def check_rate_counts(tables: Mapping[str, pl.DataFrame]) -> Iterator[Violation]:
    """Count k and n of each rate again from `trials`, with the interval; and every trial is in a rate."""
    counted = _counted(tables["trials"])
    for row in tables["rates"].iter_rows(named=True):
        key = (*(row[column] for column in _PLACE), row["measure"], row["name"])
        k, n = counted.pop(key, (0, 0))
        again = proportion(k, n)
        if (row["k"], row["n"], row["rate"], row["low"], row["high"]) != (k, n, again.rate, again.low, again.high):
            said = f"`rates` says {row['k']:,} of {row['n']:,} for {row['name']} in {row['run']}"
            yield Violation(RULE, f"{said}; its trials say {k:,} of {n:,}")
    lost = sum(n for _, n in counted.values())
    if lost:
        yield Violation(RULE, f"{lost:,} rows of `trials` are in no row of `rates`")


def _counted(trials: pl.DataFrame) -> dict[tuple[object, ...], tuple[int, int]]:
    found: dict[tuple[object, ...], tuple[int, int]] = {}
    for measure, hit, name in ((INVOCATION, "invoked", "tool"), (FALSE_POSITIVE, "false_positive", "control")):
        groups = trials.filter(pl.col(hit).is_not_null()).group_by(*_PLACE, name).agg(k=pl.col(hit).sum(), n=pl.len())
        for *place, of, k, n in groups.iter_rows():
            found[*place, measure, of] = (int(k), int(n))
    return found
