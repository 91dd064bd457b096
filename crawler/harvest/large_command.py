"""What `harvest` does with a list of any length."""

import sys
from pathlib import Path

import click

from census.errors import CensusError
from crawler.harvest.large import harvest_large
from crawler.harvest.large_list import CDXJ, FORMS, RANKED
from crawler.harvest.output import HarvestReport, OutputFiles
from crawler.harvest.report_text import in_words, now

_LARGE = 64 * 2**20
"""Bytes above which a list is read a line at a time; a shorter one is looked at as a whole, so its form is sniffed."""


def is_large(source: str, form: str, sample: int | None) -> bool:
    """Whether a list is for this reader. Raises CensusError when it should be and cannot."""
    wanted = form in (RANKED, CDXJ) or sample is not None
    is_url = source.lower().startswith(("http://", "https://"))
    if wanted and (is_url or form not in FORMS):
        raise CensusError(
            f"{source}: --sample, `ranked` and `cdxj` are for lists that are files ({', '.join(FORMS)});"
            " download the list, or harvest first and sample what comes out"
        )
    if wanted:
        return True
    path = Path(source)
    return form in FORMS and not is_url and path.is_file() and path.stat().st_size > _LARGE


def harvest_large_list(source: str, form: str, out: Path, sample: int | None, seed: str, *, as_json: bool) -> int:
    """Harvest it, print the report, and return the exit code."""
    files = OutputFiles(out)
    files.prepare()
    if out.exists() and source != "-" and out.samefile(source):
        raise CensusError(f"--out {out}: that is the list itself; name another file")
    started = now()

    def watch(entries: int) -> None:
        click.echo(f"harvest: {entries:,} entries", err=True)

    done = harvest_large(Path(source), form, files, sample=sample, seed=seed, watch=watch if _talks() else _silent)
    report = HarvestReport(
        source=source,
        format=form,
        started=started,
        finished=now(),
        complete=True,
        reasons=(),
        counts=done.counts(),
        settings={"sample": sample, "seed": seed if sample is not None else None},
        files={"targets": str(files.targets), "skipped": str(files.skipped), "ambiguous": str(files.ambiguous)},
        strata=done.strata,
    )
    files.write_report(report)
    click.echo(report.model_dump_json(indent=2) if as_json else in_words(report))
    return 0


def _talks() -> bool:
    return sys.stderr.isatty()


def _silent(_: int) -> None:
    """Say nothing: the report comes at the end."""
