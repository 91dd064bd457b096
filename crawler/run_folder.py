"""RUN on the crawler's side: held by one process, begun with settings, resumed only with the same ones."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from census.atomic import write_whole
from census.errors import CensusError
from census.folder_lock import held
from census.run import SETTINGS, Run, RunSettings
from crawler.settings import code_version
from crawler.target_list import TargetList

EVIDENCE = "evidence"
_LOCK = "crawl.lock"


class Settings(Protocol):
    """What a stage of a RUN is made with."""

    def plain(self) -> dict[str, JsonValue]:
        """As written to RUN."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold RUN for this process. Raises CensusError when it cannot be written or another process holds it."""
    with held(folder, _LOCK, "crawl"):
        try:
            (folder / EVIDENCE).mkdir(exist_ok=True)
        except OSError as error:
            raise CensusError(f"cannot write to {folder}: {EVIDENCE} is no folder ({error.strerror})") from error
        yield


def open_run(folder: Path, targets: TargetList, targets_name: str, settings: Settings) -> RunSettings:
    """RUN's settings: written when it is new, compared when it is not.

    Raises CensusError that names every difference.
    """
    wanted = run_settings(targets, targets_name, settings)
    if not (folder / SETTINGS).exists():
        write_settings(folder, wanted)
        return wanted
    have = Run(folder).settings
    compare(have, wanted, str(folder))
    return have


def run_settings(targets: TargetList, targets_name: str, settings: Settings) -> RunSettings:
    """What a RUN that begins now is made with."""
    return RunSettings(
        run_id=secrets.token_hex(4),
        created_at=datetime.now(UTC),
        code_version=code_version(),
        targets_sha256=hashlib.sha256("\n".join(t.model_dump_json() for t in targets.targets).encode()).hexdigest(),
        targets_name=targets_name,
        targets_read=asdict(targets.counts),
        settings=settings.plain(),
    )


def write_settings(folder: Path, settings: RunSettings) -> None:
    """Write RUN's settings, whole or not at all."""
    write_whole(folder / SETTINGS, settings.model_dump_json(indent=1) + "\n")


def compare(have: RunSettings, wanted: RunSettings, where: str) -> None:
    """See that a crawl may go on. Raises CensusError that names every difference; `where` is what has the crawl."""
    differences = [
        f"{name}: RUN has {have.settings.get(name)!r}, this command {wanted.settings.get(name)!r}"
        for name in sorted(have.settings.keys() | wanted.settings.keys())
        if have.settings.get(name) != wanted.settings.get(name)
    ]
    if have.targets_sha256 != wanted.targets_sha256:
        differences.append(f"targets: RUN has {have.targets_name}, this command another list ({wanted.targets_name})")
    if have.code_version != wanted.code_version:
        differences.append(f"code: RUN was begun by {have.code_version}, this is {wanted.code_version}")
    if differences:
        listed = "\n  ".join(differences)
        raise CensusError(
            f"{where} was made otherwise, and what differs must not be mixed into it:\n  {listed}\n"
            "give the same settings to go on with it, or another --out to begin anew"
        )
