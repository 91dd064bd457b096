"""What a release has beside its pages, where somebody measured it: the compatibility matrix, and invocation rates."""

from collections import Counter
from typing import Any, NamedTuple

import polars as pl

from census.text import percent

INVOCATION, FALSE_POSITIVE = "invocation", "false_positive"
"""Measures of the table `rates`: of a tool's utterances, and of the controls of a kind."""
_NOT_APPLICABLE = "not_applicable"


class MatrixBuild(NamedTuple):
    """A column: the label that the cells' build has, and what it stands for."""

    label: str
    browser: str
    """With its version, and that it is a headless shell."""


class MatrixCell(NamedTuple):
    """A build's answer; `value` is None where it was not asked."""

    value: str | None
    tone: str
    """`same` as the newest build's, `differs`, `not_applicable`, or `unknown` where one of the two was not asked."""


class MatrixRow(NamedTuple):
    """A question, and a cell for each build."""

    behaviour: str
    question: str
    cells: tuple[MatrixCell, ...]


class MatrixTopic(NamedTuple):
    """The questions of one topic."""

    name: str
    rows: tuple[MatrixRow, ...]
    differing: int
    """Rows in which some build answers something else than the newest one."""


class Matrix(NamedTuple):
    """Behaviours by builds: the newest of the commonest browser is first, and the others are held against it."""

    builds: tuple[MatrixBuild, ...]
    topics: tuple[MatrixTopic, ...]


class RateRow(NamedTuple):
    """A measured rate, beside what chance and mere words reach."""

    page: str
    name: str
    share: str
    interval: str
    k: int
    n: int
    floors: str
    """Lexical, majority and random; empty for controls."""
    judge: str


def matrix_of(compatibility: pl.DataFrame | None) -> Matrix | None:
    """The matrix of the table `compatibility`; None when it has no row. Questions and topics stay in its order."""
    if compatibility is None or compatibility.is_empty():
        return None
    builds = compatibility.select("label", "browser", "build", "shell").unique("label", maintain_order=True).to_dicts()
    browsers = Counter(build["browser"] for build in builds)
    builds.sort(key=lambda build: (-browsers[build["browser"]], build["browser"], _newest_first(build["build"])))
    labels = [build["label"] for build in builds]
    values = {(row["behaviour"], row["label"]): row["value"] for row in compatibility.iter_rows(named=True)}
    topics: dict[str, list[MatrixRow]] = {}
    for behaviour, question in (
        compatibility.select("behaviour", "question").unique("behaviour", maintain_order=True).rows()
    ):
        answers = [values.get((behaviour, label)) for label in labels]
        row = MatrixRow(behaviour, question, tuple(MatrixCell(each, _tone(each, answers[0])) for each in answers))
        topics.setdefault(behaviour.partition("/")[0], []).append(row)
    return Matrix(
        tuple(MatrixBuild(build["label"], _browser(build)) for build in builds),
        tuple(MatrixTopic(name, tuple(rows), sum(map(_differs, rows))) for name, rows in topics.items()),
    )


def _tone(answer: str | None, newest: str | None) -> str:
    if answer is None or newest is None:
        return "unknown"
    if answer == newest:
        return "same"
    return "not_applicable" if _NOT_APPLICABLE in (answer, newest) else "differs"


def _differs(row: MatrixRow) -> bool:
    return any(cell.tone == "differs" for cell in row.cells)


def _browser(build: dict[str, Any]) -> str:
    return f"{build['browser']} {build['build']}{', headless shell' if build['shell'] else ''}"


def rate_rows(
    rates: pl.DataFrame | None, *, measure: str = INVOCATION, target_key: str | None = None
) -> tuple[RateRow, ...]:
    """The rates of one measure in the table `rates`: all, or those of a page."""
    if rates is None:
        return ()
    wanted = rates.filter(pl.col("measure") == measure)
    if target_key is not None:
        wanted = wanted.filter(pl.col("target_key") == target_key)
    return tuple(_row(row) for row in wanted.iter_rows(named=True))


def _row(row: dict[str, object]) -> RateRow:
    floors = [_share(row[f"floor_{kind}"]) for kind in ("lexical", "majority", "random")]
    variant = f" ({row['variant']})" if row["variant"] else ""
    return RateRow(
        page=f"{row['page']}{variant}",
        name=str(row["name"]),
        share=_share(row["rate"]),
        interval=f"{_share(row['low'])} to {_share(row['high'])}",
        k=int(str(row["k"])),
        n=int(str(row["n"])),
        floors=" / ".join(floors),
        judge=str(row["judge"]),
    )


def _share(value: object) -> str:
    return percent(value) if isinstance(value, float) else "-"


def _newest_first(build: str) -> tuple[int, ...]:
    return tuple(-int(part) for part in build.split(".") if part.isdigit())
