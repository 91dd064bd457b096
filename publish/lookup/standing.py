"""How a page compares with the others of its release that have tools."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal

import polars as pl

from census.finding import Severity
from publish.lookup.entry import Standing

PAGE_COLUMNS = ("visit_id", "unmeasured", "tools_callable", "linted")
FINDING_COLUMNS = ("visit_id", "severity")


class Standings:
    """The places of all pages with tools, of one release."""

    def __init__(self, pages: pl.DataFrame, findings: pl.DataFrame) -> None:
        """`pages` needs `PAGE_COLUMNS`, `findings` needs `FINDING_COLUMNS`."""
        with_tools = pages.filter(pl.col("unmeasured").is_null(), pl.col("tools_callable") > 0)
        problems = (
            findings.filter(pl.col("severity").is_in([Severity.ERROR.value, Severity.WARNING.value]))
            .group_by("visit_id")
            .agg(problems=pl.len())
        )
        linted = with_tools.filter(pl.col("linted")).join(problems, on="visit_id", how="left")
        self._tools = with_tools["tools_callable"].sort().to_list()
        self._problems = linted["problems"].fill_null(0).sort().to_list()

    def of(self, tools: int | None, problems: int | None) -> tuple[Standing, ...]:
        """The places of a page with so many callable tools and problems (None: it was not linted).

        None for a page without tools: it is not among those compared.
        """
        if not tools:
            return ()
        places = [_place("tools", self._tools, tools)]
        if problems is not None:
            places.append(_place("problems", self._problems, problems))
        return tuple(places)


def problems_of(severities: Iterable[Severity]) -> int:
    """How many findings are more than notes."""
    return sum(severity is not Severity.NOTE for severity in severities)


def _place(of: Literal["tools", "problems"], values: Sequence[int], value: int) -> Standing:
    less = bisect_left(values, value)
    return Standing(of=of, value=value, less=less, same=bisect_right(values, value) - less, n=len(values))
