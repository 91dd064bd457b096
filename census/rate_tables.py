"""From the rows of runs of rates to the tables `trials` and `rates`."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import polars as pl

from census.canonical_json import canonical_json
from census.columns import schema
from census.measured_rates import MeasuredRates, RateRow, TrialRow
from census.site import site_of
from census.target import target_key


def rate_tables(measured: Sequence[MeasuredRates]) -> dict[str, pl.DataFrame]:
    """Make both tables, by site (served folders last), then in the order of the runs and of their trials."""
    return {
        "trials": _table("trials", [row for each in measured for row in each.trials]),
        "rates": _table("rates", [row for each in measured for row in each.rates]),
    }


def _table(name: str, rows: Iterable[TrialRow] | Iterable[RateRow]) -> pl.DataFrame:
    table = pl.DataFrame([_row(row) for row in rows], schema=schema(name))
    return table.sort("site", maintain_order=True, nulls_last=True)


def _row(row: TrialRow | RateRow) -> dict[str, object]:
    values: dict[str, object] = {**row.model_dump(), **_place(row.page)}
    if isinstance(row, TrialRow):
        values["calls"] = canonical_json([*row.calls])
    return {name: _utc(value) for name, value in values.items()}


def _place(page: str) -> dict[str, object]:
    """The site and the target key of a URL; of a path in a served folder there is neither."""
    if "://" not in page:
        return {"site": None, "target_key": None}
    return {"site": site_of(page), "target_key": target_key(page)}


def _utc(value: object) -> object:
    return value.astimezone(UTC) if isinstance(value, datetime) else value
