"""What a release has beside its pages, where somebody measured it: the compatibility matrix, and invocation rates."""

from typing import NamedTuple

import polars as pl

from census.text import percent


class Matrix(NamedTuple):
    """Behaviours by builds, the newest build first."""

    builds: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str | None, ...]], ...]
    """Behaviour, question, and a value for each build; None where it was not asked."""


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
    """The matrix of the table `compatibility`; None when it has no row."""
    if compatibility is None or compatibility.is_empty():
        return None
    order = compatibility.select("label", "build").unique(maintain_order=True).to_dicts()
    builds = sorted({row["label"]: row["build"] for row in order}.items(), key=lambda item: _newest_first(item[1]))
    labels = tuple(label for label, _ in builds)
    values = {(row["behaviour"], row["label"]): row["value"] for row in compatibility.iter_rows(named=True)}
    asked = compatibility.select("behaviour", "question").unique("behaviour").sort("behaviour")
    rows = (
        (behaviour, question, tuple(values.get((behaviour, label)) for label in labels))
        for behaviour, question in asked.iter_rows()
    )
    return Matrix(labels, tuple(rows))


def rate_rows(rates: pl.DataFrame | None, *, target_key: str | None = None) -> tuple[RateRow, ...]:
    """The invocation rates of the table `rates`: all, or those of a page. Controls are not among them."""
    if rates is None:
        return ()
    wanted = rates.filter(pl.col("measure") == "invocation")
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
