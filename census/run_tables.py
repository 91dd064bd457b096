"""From RUNs to tables with every core: chunks of visits go to processes, their rows come back in order.

The chunks are the same on any machine, so the tables are too.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from census.columns import TABLES
from census.errors import CensusError
from census.finding import Finding
from census.findings import ByVisit
from census.run import EvidenceStore, Run
from census.tables import Tables, build_tables
from census.visit import ControlVisit

CHUNK = 5_000
"""Visits of a chunk: about half a second of work, and some megabytes of rows."""

Watch = Callable[[int, int], None]
"""Told how many of how many visits have been read."""


class _Chunk(NamedTuple):
    evidence: Path
    visits: tuple[str, ...]
    """Digests of their records."""
    observations: tuple[str, ...]
    controls: tuple[ControlVisit, ...]
    vouched: frozenset[str]
    findings: dict[str, tuple[Finding, ...]]


def tables_of(runs: Sequence[Run], findings: ByVisit, watch: Watch) -> Tables:
    """Read every final visit of the RUNs into tables, sorted by site and then in the order of the targets.

    Raises CensusError when evidence is missing or is not what its name says, or when a target is in two RUNs.
    """
    _check_apart(runs)
    chunks = [chunk for run in runs for chunk in _chunks(run, findings)]
    total = sum(len(chunk.visits) for chunk in chunks)
    parts: list[Tables] = []
    done = 0
    watch(0, total)
    with _mapping(len(chunks)) as mapped:
        for chunk, tables in zip(chunks, mapped(_read, chunks), strict=True):
            parts.append(tables)
            done += len(chunk.visits)
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
    vouched = run.vouched()
    controls = tuple(run.controls())
    main = ((id_, digest, True) for id_, digest in run.final_evidence())
    others = ((id_, digest, False) for id_, digest in run.other_evidence())
    visits = iter((*main, *others))
    while part := list(islice(visits, CHUNK)):
        ids = [id_ for id_, _, _ in part]
        yield _Chunk(
            evidence=run.folder / "evidence",
            visits=tuple(digest for _, digest, is_main in part if is_main),
            observations=tuple(digest for _, digest, is_main in part if not is_main),
            controls=controls,
            vouched=vouched.intersection(ids),
            findings={id_: findings[id_] for id_ in ids if id_ in findings},
        )
        controls = ()
    if controls:
        yield _Chunk(run.folder / "evidence", (), (), controls, frozenset(), {})


def _read(chunk: _Chunk) -> Tables:
    store = EvidenceStore(chunk.evidence)
    return build_tables(
        map(store.decode, chunk.visits),
        chunk.controls,
        map(store.decode, chunk.observations),
        chunk.vouched,
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
    # Not forked: the threads of polars do not survive that.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield pool.imap


def _together(table: str, parts: list[Tables]) -> pl.DataFrame:
    if not parts:
        return build_tables([], [])[table]
    whole = pl.concat([part.pop(table) for part in parts])
    return whole.sort("site", maintain_order=True) if "site" in whole.columns else whole
