"""Brings a shared crawl into RUN, from which `lint` and `build` go on as after any other crawl."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from census.errors import CensusError
from census.run import SETTINGS, EvidenceStore, Run
from crawler.evidence import open_evidence
from crawler.frontier import Counts
from crawler.postgres.address import FrontierAddress
from crawler.postgres.collect import copy_frontier, visit_digests
from crawler.postgres.database import Database
from crawler.postgres.frontier import read_counts
from crawler.postgres.schema import check_version
from crawler.postgres.shared_run import read
from crawler.run_folder import EVIDENCE, locked, write_settings

_AT_ONCE = 16


def collect(address: FrontierAddress, folder: Path) -> Counts:
    """Write a crawl's RUN as it is now: evidence first, then what names it. What is there already is not fetched again.

    Raises CensusError when the folder has another crawl, and when evidence is missing or is not what its name says.
    """
    database = Database(address)
    try:
        check_version(database)
        shared = read(database)
        with locked(folder):
            if (folder / SETTINGS).exists() and (have := Run(folder).settings.run_id) != shared.run.run_id:
                raise CensusError(
                    f"{folder} has the crawl {have}, and {address} the crawl {shared.run.run_id}; give another --out"
                )
            copy_frontier(database, folder)
            _fetch(shared.evidence, folder / EVIDENCE, visit_digests(database))
            write_settings(folder, shared.run)
        return database.run(lambda connection, _: read_counts(connection))
    finally:
        database.close()


def _fetch(location: str, folder: Path, digests: list[str]) -> None:
    source, store = open_evidence(location), EvidenceStore(folder)
    missing = [digest for digest in digests if not store.has(digest)]
    packed = source.packed
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for digest, record in zip(missing, threads.map(packed, missing), strict=True):
            store.keep(digest, record)
