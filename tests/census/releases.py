"""Two releases of a small web, a month apart, built the real way."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from census.checksums import write_checksums
from census.opened_release import Release, open_release
from census.optout import OptOut
from census.parquet import table_path
from census.release import build_release
from census.run import Run
from census.visit import Visit
from census.vocabulary import Outcome
from tests.census.factories import captured, control, failed, make_run, tool

SHOP, PLAIN, GROWN, LOST, DOWN, GONE, NEW = (
    f"https://{name}.com/" for name in ("shop", "plain", "grown", "lost", "down", "gone", "new")
)

BEFORE = [
    captured(SHOP, tools=[tool("search"), tool("pay", description="Pays."), tool("old_name", description="Sorts.")]),
    captured(PLAIN),
    captured(GROWN),
    captured(LOST, tools=[tool("a")]),
    captured(DOWN, tools=[tool("b")]),
    captured(GONE),
]
AFTER = [
    captured(
        SHOP, tools=[tool("search"), tool("pay", description="Pays now."), tool("new_name", description="Sorts.")]
    ),
    captured(PLAIN),
    captured(GROWN, tools=[tool("c"), tool("d", description="another")]),
    captured(LOST),
    failed(DOWN, Outcome.TIMEOUT),
    captured(NEW, tools=[tool("e")]),
]


def release_of(folder: Path, visits: Sequence[Visit], **options: object) -> Release:
    """The release of a RUN with these visits, both below `folder`."""
    folder.mkdir(exist_ok=True)
    run = Run(make_run(folder / "run", visits, [control()]))
    build_release([run], folder / "release", **options)  # type: ignore[arg-type]
    return open_release(folder / "release")


def before_and_after(folder: Path, optout: OptOut | None = None) -> tuple[Release, Release]:
    """The two releases; the later one was compared with the earlier one."""
    before = release_of(folder / "before", BEFORE, release_version="2026.10.0")
    after = release_of(folder / "after", AFTER, previous=before, optout=optout or OptOut())
    return before, after


def tampered(folder: Path, table: str, change: pl.DataFrame) -> None:
    """Put another table into a release and sign it, as somebody would who wants it to pass."""
    change.write_parquet(folder / table_path(table))
    write_checksums(folder)
