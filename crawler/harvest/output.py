"""The files of a harvest, each written whole or not at all."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from census.atomic import drafted
from census.errors import CensusError
from crawler.harvest.collected import Collected, Shortfall
from crawler.harvest.result import HarvestCounts, HarvestResult, counts_of
from crawler.harvest.strata import Drawn


class HarvestReport(BaseModel):
    """What a harvest says of itself (`OUT-stem.harvest.json`)."""

    model_config = ConfigDict(frozen=True)

    source: str
    format: str
    started: str
    finished: str
    complete: bool
    reasons: tuple[Shortfall, ...]
    """Why it is not complete, each reason with the page it is about."""
    counts: HarvestCounts
    settings: dict[str, str | float | int | None]
    files: dict[str, str]
    strata: tuple[Drawn, ...] = ()
    """Of a sample: how many targets each stratum of the rank has, and how many of them were drawn."""


class OutputFiles:
    """Where a harvest is written: OUT and, beside it, what was skipped, what is ambiguous, the report."""

    def __init__(self, out: Path) -> None:
        self.targets = out
        self.skipped = out.with_name(f"{out.stem}.skipped.jsonl")
        self.ambiguous = out.with_name(f"{out.stem}.ambiguous.jsonl")
        self.report = out.with_name(f"{out.stem}.harvest.json")

    def prepare(self) -> None:
        """Make the folder, before any page is asked for. Raises CensusError when nothing can be written."""
        try:
            self.targets.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CensusError(f"--out {self.targets}: {error.strerror}; name a file in a folder of yours") from error
        if self.targets.is_dir():
            raise CensusError(f"--out {self.targets}: a folder; name a file in it, such as targets.jsonl")
        if not os.access(self.targets.parent, os.W_OK):
            raise CensusError(f"--out {self.targets}: the folder cannot be written to; name another one")

    def beside_an_earlier_harvest(self) -> "OutputFiles":
        """Where an incomplete harvest is written: nowhere over the targets of another one."""
        if not self.targets.exists():
            return self
        return OutputFiles(self.targets.with_name(f"{self.targets.stem}.incomplete{self.targets.suffix}"))

    def write(self, result: HarvestResult, report: HarvestReport) -> None:
        """Write all files; the report last, so that it never stands beside the lists of another harvest."""
        self.report.unlink(missing_ok=True)
        _write(self.targets, _lines(result.targets.values(), exclude_none=True))
        _write(self.skipped, _lines(result.skipped))
        _write(self.ambiguous, _lines(result.ambiguous))
        _write(self.report, report.model_dump_json(indent=2) + "\n")

    def write_report(self, report: HarvestReport) -> None:
        """Write the report of a harvest whose lists are in their places; nothing was ambiguous in it."""
        _write(self.ambiguous, "")
        _write(self.report, report.model_dump_json(indent=2) + "\n")

    def report_on(
        self,
        collected: Collected,
        result: HarvestResult,
        *,
        source: str,
        source_format: str,
        started: str,
        finished: str,
        settings: dict[str, str | float | int | None],
    ) -> HarvestReport:
        """Make the report of a harvest that has ended."""
        return HarvestReport(
            source=source,
            format=source_format,
            started=started,
            finished=finished,
            complete=not collected.shortfalls,
            reasons=tuple(collected.shortfalls),
            counts=counts_of(collected, result),
            settings=settings,
            files={
                "targets": str(self.targets),
                "skipped": str(self.skipped),
                "ambiguous": str(self.ambiguous),
            },
        )


@contextmanager
def written(path: Path) -> Iterator[Callable[[str], None]]:
    """A file whole or not at all, as what adds text to it. Raises CensusError when it cannot be written."""

    def write(text: str) -> None:
        try:
            file.write(text)
        except OSError as error:
            raise unwritable(error) from error

    def unwritable(error: OSError) -> CensusError:
        return CensusError(f"{path}: cannot be written: {error.strerror}; free the place and harvest again")

    try:
        with drafted(path) as file:
            yield write
    except OSError as error:
        raise unwritable(error) from error


def _lines(rows: Iterable[BaseModel], *, exclude_none: bool = False) -> str:
    return "".join(f"{row.model_dump_json(exclude_none=exclude_none)}\n" for row in rows)


def _write(path: Path, text: str) -> None:
    with written(path) as write:
        write(text)
