"""What a published number is: a value, a share or a tally, with the SQL that gives it."""

# ruff: noqa: S608 -- the SQL is put together from constants of `census.numbers`

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Count:
    """A single value: a count or a quantile. Null when the table has no row for it."""

    id: str
    title: str
    unit: str
    sql: str


@dataclass(frozen=True)
class _Ratio:
    id: str
    title: str
    among: str
    """Condition on the rows of the denominator; a row where it is null is not in it."""
    leaves_out: str
    """What the denominator leaves out, for a reader."""
    reason: str = "unmeasured"
    """Expression that says why a row is outside the denominator."""
    table: str = "pages"
    counted: str = "COUNT(*)"
    """What k and n count: rows, or distinct values of a column."""
    outside: str | None = None
    """The query for what is left out, where the rows of `table` do not show it."""

    @property
    def denominator_sql(self) -> str:
        """Gives n."""
        return f"SELECT {self.counted} FROM {self.table} WHERE {self.among}"

    @property
    def leaves_out_sql(self) -> str:
        """Gives the rows outside the denominator, by reason."""
        if self.outside is not None:
            return self.outside
        return (
            f"SELECT {self.reason} AS reason, {self.counted} AS k FROM {self.table}"
            f" WHERE NOT COALESCE({self.among}, FALSE) GROUP BY reason ORDER BY reason"
        )


@dataclass(frozen=True, kw_only=True)
class Share(_Ratio):
    """A rate: of the rows among which it is taken, those where `where` is true."""

    where: str

    @property
    def numerator_sql(self) -> str:
        """Gives k."""
        return f"SELECT {self.counted} FROM {self.table} WHERE {self.among} AND {self.where}"


@dataclass(frozen=True, kw_only=True)
class Tally(_Ratio):
    """The rows among which it is taken, by the values of an expression that is never null there."""

    by: str
    kind: Literal["parts", "top", "each"] = "parts"
    """`parts` add up to n; `top` are the 20 largest; `each` is a share of its own, and they overlap."""
    of: str | None = None
    """Condition on `pages` that gives n, where `table` does not have a row for each page of the denominator."""

    @property
    def denominator_sql(self) -> str:
        """Gives n."""
        return super().denominator_sql if self.of is None else f"SELECT COUNT(*) FROM pages WHERE {self.of}"

    @property
    def parts_sql(self) -> str:
        """Gives k of each value, the largest first."""
        limit = " LIMIT 20" if self.kind == "top" else ""
        return (
            f"SELECT {self.by} AS part, {self.counted} AS k FROM {self.table} WHERE {self.among}"
            f" GROUP BY part ORDER BY k DESC, part{limit}"
        )


@dataclass(frozen=True)
class Estimate:
    """What a sample says of targets that were not all visited, beside those that were (two strata).

    A targets of the first stratum have the property, all of it visited. Of the N targets of the second a random sample
    of n was visited, and k of it have the property. With p = k/n and its Wilson interval, N p targets are missed, and
    the forms are monotone in p, so each end of the interval of p gives one of theirs: `missed` N p; `recall`
    A / (A + N p); `share` (A + N p) / T of all T targets; `items` N p times the items of a page that has any, on
    average over those found. The first stratum adds no sampling error. Stratified expansion: Cochran, Sampling
    Techniques, 3rd ed. (1977), 5.3; the interval of p: Wilson, JASA 22 (1927), 209-212, without the finite-population
    correction, so rather too wide.
    """

    id: str
    title: str
    unit: str
    form: Literal["missed", "recall", "share", "items"]
    found_sql: str
    """Gives A."""
    stratum_sql: str
    """Gives N."""
    sample_sql: str
    """Gives n."""
    sample_found_sql: str
    """Gives k."""
    total_sql: str
    """Gives T."""
    mean_sql: str
    """Gives the items of a page that has any, on average."""


Number = Count | Share | Tally | Estimate
