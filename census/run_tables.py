"""From RUNs to tables with every core: chunks of visits go to processes, their rows come back in order.

The chunks are the same on any machine, so the tables are too.
"""

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import polars as pl

from census.columns import TABLES
from census.errors import CensusError
from census.finding import Finding
from census.findings import ByVisit
from census.run import Run
from census.tables import Tables, build_tables
from census.visit import ControlVisit

CHUNK = 5_000
"""Visits of a chunk: about half a second of work, and some megabytes of rows."""

Watch = Callable[[int, int], None]
"""Told how many of how many visits have been read."""


class _Chunk(NamedTuple):
    folder: Path
    visits: tuple[int, int] | None
    """Ids of the first and the last target; the process that reads the chunk asks the frontier for their visits."""
    observations: tuple[tuple[str, str], ...]
    """Id and digest."""
    controls: tuple[ControlVisit, ...]
    findings: dict[str, tuple[Finding, ...]]
    size: int


def tables_of(runs: Sequence[Run], findings: ByVisit, watch: Watch) -> Tables:
    """Read every final visit of the RUNs into tables, sorted by site and then in the order of the targets.

    Raises CensusError when evidence is missing or is not what its name says, or when a target is in two RUNs.
    """
    _check_apart(runs)
    chunks = [chunk for run in runs for chunk in _chunks(run, findings)]
    total = sum(chunk.size for chunk in chunks)
    parts: list[Tables] = []
    done = 0
    watch(0, total)
    with _mapping(sum(bool(chunk.visits or chunk.observations) for chunk in chunks)) as mapped:
        for chunk, tables in zip(chunks, mapped(_read, chunks), strict=True):
            parts.append(tables)
            done += chunk.size
            watch(done, total)
    return {table: _together(table, parts) for table in TABLES}


def _check_apart(runs: Sequence[Run]) -> None:
    seen: dict[str, Path] = {}
    for run in runs if len(runs) > 1 else ():
        for key in run.finished_keys():
            if key in seen:
                raise CensusError(f"{key} is a target of {seen[key]} and of {run.folder}; build them apart")
            seen[key] = run.folder


def _chunks(run: Run, findings: ByVisit) -> Iterator[_Chunk]:
    ids = run.finished_ids()
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        first, last = part[0], part[-1]
        found = _found(findings, (id_ for id_, _, _ in run.finals_between(first, last))) if findings else {}
        yield _Chunk(run.folder, (first, last), (), (), found, len(part))
    others = run.other_evidence()
    for start in range(0, len(others), CHUNK):
        yield _Chunk(run.folder, None, tuple(others[start : start + CHUNK]), (), {}, 0)
    yield _Chunk(run.folder, None, (), tuple(run.controls()), {}, 0)


def _found(findings: ByVisit, ids: Iterable[str]) -> dict[str, tuple[Finding, ...]]:
    return {id_: findings[id_] for id_ in ids if id_ in findings}


def _read(chunk: _Chunk) -> Tables:
    run = Run(chunk.folder)
    visits = run.finals_between(*chunk.visits) if chunk.visits else []
    decode = run.evidence.decode
    return build_tables(
        (decode(digest) for _, digest, _ in visits),
        chunk.controls,
        (decode(digest) for _, digest in chunk.observations),
        {id_ for id_, _, vouched in visits if vouched} | run.vouched_among(id_ for id_, _ in chunk.observations),
        chunk.findings,
    )


Mapped = Callable[[Callable[[_Chunk], Tables], Iterable[_Chunk]], Iterable[Tables]]


@contextmanager
def _mapping(chunks: int) -> Iterator[Mapped]:
    """A `map` over so many chunks: in processes when there are cores and chunks for two."""
    processes = min(len(os.sched_getaffinity(0)), chunks)
    if processes < 2:
        yield map
        return
    # Not forked: the threads of polars do not survive that. Rows make no cycles, and looking for some takes a tenth.
    with multiprocessing.get_context("spawn").Pool(processes, gc.disable) as pool:
        yield pool.imap


def _together(table: str, parts: list[Tables]) -> pl.DataFrame:
    if not parts:
        return build_tables([], [])[table]
    whole = pl.concat([part.pop(table) for part in parts])
    return whole.sort("site", maintain_order=True) if "site" in whole.columns else whole
