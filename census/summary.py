"""The published numbers of a release: evaluated from its tables, and evaluated again to check them."""

from dataclasses import asdict
from pathlib import Path
from typing import Literal, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
from census.expansion import Form, Strata, expand
from census.interval import Proportion, proportion
from census.number import Count, Estimate, Number, Share, Tally
from census.numbers import NUMBERS
from census.parquet import read_tables
from census.tables import Tables

SUMMARY = "summary.json"


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    title: str


class Value(_Result):
    """A count or a quantile; None when no row of the table has it."""

    kind: Literal["value"] = "value"
    value: int | float | None
    unit: str
    sql: str


class _OfSome(_Result):
    leaves_out: dict[str, int]
    """What is outside the denominator: the count for each reason."""
    leaves_out_says: str
    denominator_sql: str
    leaves_out_sql: str


class Rate(Proportion, _OfSome):
    """A published rate: never bare."""

    kind: Literal["rate"] = "rate"
    numerator_sql: str


class Part(Proportion):
    """The share of one value in a tally."""

    part: str


class Parts(_OfSome):
    """A published tally: the shares of an expression's values, the largest first."""

    kind: Literal["parts", "top", "each"]
    n: int
    parts: tuple[Part, ...]
    parts_sql: str


class Estimated(_Result):
    """A published estimate from a sample of targets that were not all visited; None where nothing was sampled from."""

    kind: Literal["estimate"] = "estimate"
    form: Form
    unit: str
    value: float | None
    low: float | None
    high: float | None
    found: int
    stratum: int
    sample: int
    sample_found: int
    total: int
    mean: float
    found_sql: str
    stratum_sql: str
    sample_sql: str
    sample_found_sql: str
    total_sql: str
    mean_sql: str


Result = Value | Rate | Parts | Estimated
_R = TypeVar("_R", Value, Rate, Parts, Estimated)


class Summary(BaseModel):
    """What `summary.json` holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    numbers: tuple[Result, ...]

    def value(self, id_: str) -> Value:
        """Return the count or quantile with this id. Raises KeyError."""
        return self._find(id_, Value)

    def rate(self, id_: str) -> Rate:
        """Return the rate with this id. Raises KeyError."""
        return self._find(id_, Rate)

    def parts(self, id_: str) -> Parts:
        """Return the tally with this id. Raises KeyError."""
        return self._find(id_, Parts)

    def estimate(self, id_: str) -> Estimated:
        """Return the estimate with this id. Raises KeyError."""
        return self._find(id_, Estimated)

    def _find(self, id_: str, kind: type[_R]) -> _R:
        for number in self.numbers:
            if number.id == id_ and isinstance(number, kind):
                return number
        raise KeyError(id_)


class Difference(BaseModel):
    """A published number that its tables do not give; None where one side has no such number."""

    model_config = ConfigDict(frozen=True)

    id: str
    published: Result | None
    recomputed: Result | None


def summarise(tables: Tables) -> Summary:
    """Evaluate every published number over the tables."""
    context = pl.SQLContext(tables, eager=True)
    return Summary(numbers=tuple(_evaluate(context, number) for number in NUMBERS))


def recompute(release: Path) -> list[Difference]:
    """Evaluate every number of a release again from its Parquet files; the differences, by id.

    Raises CensusError when the release has no readable summary or lacks a table.
    """
    return differences(read_summary(release), summarise(read_tables(release)))


def differences(summary: Summary, again: Summary) -> list[Difference]:
    """The numbers that differ between what was published and what the tables give, by id."""
    published = {number.id: number for number in summary.numbers}
    recomputed = {number.id: number for number in again.numbers}
    return [
        Difference(id=id_, published=published.get(id_), recomputed=recomputed.get(id_))
        for id_ in published | recomputed
        if published.get(id_) != recomputed.get(id_)
    ]


def read_summary(release: Path) -> Summary:
    """Read a release's `summary.json`. Raises CensusError when there is none or it is not one."""
    path = release / SUMMARY
    try:
        return Summary.model_validate_json(path.read_bytes())
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}; name a release folder") from error
    except ValidationError as error:
        raise CensusError(f"{path} is not a summary of this version: {error}; build the release again") from error


def _evaluate(context: pl.SQLContext[pl.DataFrame], number: Number) -> Result:
    if isinstance(number, Count):
        value = context.execute(number.sql).item()
        return Value(id=number.id, title=number.title, value=value, unit=number.unit, sql=number.sql)
    if isinstance(number, Estimate):
        return _estimated(context, number)
    n = int(context.execute(number.denominator_sql).item())
    leaves_out = dict(context.execute(number.leaves_out_sql).iter_rows())
    if isinstance(number, Share):
        return Rate(
            **proportion(int(context.execute(number.numerator_sql).item()), n).model_dump(),
            id=number.id,
            title=number.title,
            leaves_out=leaves_out,
            leaves_out_says=number.leaves_out,
            numerator_sql=number.numerator_sql,
            denominator_sql=number.denominator_sql,
            leaves_out_sql=number.leaves_out_sql,
        )
    return Parts(
        id=number.id,
        title=number.title,
        kind=number.kind,
        n=n,
        parts=_parts(context, number, n),
        leaves_out=leaves_out,
        leaves_out_says=number.leaves_out,
        parts_sql=number.parts_sql,
        denominator_sql=number.denominator_sql,
        leaves_out_sql=number.leaves_out_sql,
    )


def _estimated(context: pl.SQLContext[pl.DataFrame], number: Estimate) -> Estimated:
    def value(sql: str) -> float:
        return context.execute(sql).item() or 0

    strata = Strata(
        found=int(value(number.found_sql)),
        stratum=int(value(number.stratum_sql)),
        sample=int(value(number.sample_sql)),
        sample_found=int(value(number.sample_found_sql)),
        total=int(value(number.total_sql)),
        mean=round(float(value(number.mean_sql)), 6),
    )
    return Estimated(**expand(number.form, strata)._asdict(), **strata._asdict(), **asdict(number))


def _parts(context: pl.SQLContext[pl.DataFrame], number: Tally, n: int) -> tuple[Part, ...]:
    rows = context.execute(number.parts_sql).iter_rows()
    return tuple(Part(part=part, **proportion(k, n).model_dump()) for part, k in rows)
