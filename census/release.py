"""From RUNs to a release folder: the same visits give the same bytes, wherever and whenever it is built."""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import polars as pl

from census.columns import SCHEMA_VERSION, TABLES
from census.errors import CensusError
from census.figures import draw_figures
from census.findings import LintStamp, findings_of
from census.manifest import MANIFEST, Build, Manifest, ReleaseFile, SourceRun, read_manifest
from census.optout import OptOut
from census.report import write_report
from census.run import Run
from census.summary import SUMMARY, Summary, summarise
from census.tables import Tables, build_tables
from census.visit import Visit
from census.vocabulary import Outcome

CHECKSUMS = "SHA256SUMS"
REPORT = "report.md"

_VERSION = re.compile(r"\d{4}\.\d{2}\.\d+")

Watch = Callable[[Iterator[Visit], int], Iterable[Visit]]
"""Passes visits on and may show how many of how many there were."""


_NOBODY = OptOut()


def build_release(
    runs: Sequence[Run],
    out: Path,
    *,
    release_version: str | None = None,
    partial: bool = False,
    optout: OptOut = _NOBODY,
    watch: Watch = lambda visits, _: visits,
) -> Summary:
    """Build the release of one or more RUNs into `out`, replacing an earlier release there as a whole.

    Raises CensusError when targets are unfinished (unless `partial`), when the RUNs do not belong together,
    or when `out` holds something else. Nothing is left behind when it raises.
    """
    out = out.resolve()
    _check_version(release_version)
    _check_out(out)
    _check_settings(runs)
    sources = [_source(run, partial=partial) for run in runs]
    finished = sum(source.targets - source.unfinished for source in sources)
    found = findings_of(runs)
    tables = build_tables(
        _obeyed(watch(_visits_of(runs), finished), optout),
        (control for run in runs for control in run.controls()),
        _obeyed((visit for run in runs for visit in run.observations()), optout),
        frozenset().union(*(run.vouched() for run in runs)),
        found.by_visit if found else {},
    )
    summary = summarise(tables)
    manifest = _manifest(runs, sources, tables, release_version, found.stamp if found else None, partial=partial)

    draft = out.with_name(f".{out.name}.draft-{os.getpid()}")
    draft.mkdir(parents=True)
    try:
        _write(draft, manifest, summary, tables)
        _replace(out, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return summary


def _check_version(release_version: str | None) -> None:
    if release_version is not None and not _VERSION.fullmatch(release_version):
        raise CensusError(
            f"release version {release_version!r} is not YYYY.MM.N; for example `--release-version 2026.11.0`"
        )


def _check_out(out: Path) -> None:
    if not out.exists() or read_manifest(out) is not None:
        return
    if not out.is_dir():
        raise CensusError(f"--out {out} is a file; name a folder that does not exist yet")
    if any(out.iterdir()):
        raise CensusError(
            f"--out {out} is not empty and is no release of webmcp-census;"
            " name another folder, or empty this one yourself"
        )


def _check_settings(runs: Sequence[Run]) -> None:
    first = runs[0]
    for other in runs[1:]:
        ours, theirs = first.settings.settings, other.settings.settings
        for key in sorted(ours.keys() | theirs.keys()):
            if ours.get(key) != theirs.get(key):
                raise CensusError(
                    f"{first.folder} and {other.folder} differ in the setting `{key}`"
                    f" ({ours.get(key)!r} and {theirs.get(key)!r}); build them apart"
                )


def _source(run: Run, *, partial: bool) -> SourceRun:
    settings, targets, unfinished = run.settings, run.targets(), run.unfinished()
    listed = settings.targets_read.get("targets", targets)
    if listed != targets:
        raise CensusError(
            f"{run.folder} was begun with {listed} targets and its frontier holds {targets};"
            " run the same `webmcp-census crawl` again"
        )
    if unfinished and not partial:
        raise CensusError(
            f"{run.folder} has {unfinished} unfinished targets; finish it with the same"
            " `webmcp-census crawl`, or build what there is with --partial"
        )
    if run.observations_unfinished() and not partial:
        raise CensusError(
            f"{run.folder} has {run.observations_unfinished()} unfinished observations of other passes; finish it with"
            " the same `webmcp-census crawl`, or build what there is with --partial"
        )
    return SourceRun(
        run_id=settings.run_id,
        created_at=settings.created_at.astimezone(UTC),
        code_version=settings.code_version,
        targets_name=settings.targets_name,
        targets_sha256=settings.targets_sha256,
        targets_read=settings.targets_read,
        targets=targets,
        unfinished=unfinished,
    )


def _obeyed(visits: Iterable[Visit], optout: OptOut) -> Iterator[Visit]:
    """The visits, with nothing but the outcome left of a site that opted out after its visit."""
    for visit in visits:
        if any(optout.covers(url) for url in (visit.target.url, visit.final_url) if url):
            yield Visit(
                visit_id=visit.visit_id, target=visit.target, attempt=visit.attempt, pass_=visit.pass_,
                visited_at=visit.visited_at, browser=None, outcome=Outcome.OPTED_OUT,
                outcome_detail="on the opt-out list when the release was built",
            )  # fmt: skip
        else:
            yield visit


def _visits_of(runs: Sequence[Run]) -> Iterator[Visit]:
    seen: dict[str, Path] = {}
    for run in runs:
        for visit in run.final_visits():
            key = visit.target.key
            if key in seen:
                raise CensusError(f"{key} is a target of {seen[key]} and of {run.folder}; build them apart")
            seen[key] = run.folder
            yield visit


def _manifest(
    runs: Sequence[Run],
    sources: Sequence[SourceRun],
    tables: Tables,
    release_version: str | None,
    lint: LintStamp | None,
    *,
    partial: bool,
) -> Manifest:
    pages = tables["pages"]
    builds = (
        pages.filter(pl.col("build").is_not_null())
        .group_by("browser", "build", "shell")
        .agg(visits=pl.len())
        .sort("browser", "build", "shell")
    )
    outcomes = pages.group_by("outcome").len().sort("outcome")
    unfinished = sum(source.unfinished for source in sources)
    targets = sum(source.targets for source in sources)
    if pages.height + unfinished != targets:
        raise CensusError(
            f"{targets} targets are listed, but {pages.height} have a final visit and {unfinished} have none;"
            " the frontier of a RUN is damaged"
        )
    newest = max(source.created_at for source in sources)
    visited: list[datetime] = pages["visited_at"].to_list()
    return Manifest(
        release_version=release_version or f"{newest:%Y.%m}.0",
        schema_version=SCHEMA_VERSION,
        code_version=version("webmcp-census"),
        partial=partial and unfinished > 0,
        targets=targets,
        unfinished=unfinished,
        outcomes=dict(outcomes.iter_rows()),
        visited_from=min(visited, default=None),
        visited_to=max(visited, default=None),
        builds=tuple(Build(**row) for row in builds.iter_rows(named=True)),
        settings=runs[0].settings.settings,
        runs=tuple(sources),
        lint=lint,
    )


def _write(folder: Path, manifest: Manifest, summary: Summary, tables: Tables) -> None:
    (folder / "data").mkdir()
    for table in TABLES:
        tables[table].write_parquet(folder / _table_path(table), compression="zstd")
    _write_text(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    draw_figures(summary, folder)
    _write_text(folder / REPORT, write_report(manifest, summary, tables))

    rows = {_table_path(table): tables[table].height for table in TABLES}
    files = tuple(_release_file(folder, path, rows) for path in _files(folder))
    _write_text(folder / MANIFEST, manifest.model_copy(update={"files": files}).model_dump_json(indent=2) + "\n")
    sums = (f"{_sha256(folder / path)}  {path}\n" for path in _files(folder))
    _write_text(folder / CHECKSUMS, "".join(sums))


def _table_path(table: str) -> str:
    return f"data/{table}.parquet"


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _release_file(folder: Path, path: str, rows: dict[str, int]) -> ReleaseFile:
    size = (folder / path).stat().st_size
    return ReleaseFile(path=path, rows=rows.get(path), bytes=size, sha256=_sha256(folder / path))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _replace(out: Path, draft: Path) -> None:
    """Put the draft where `out` is: a reader finds the whole old release or the whole new one."""
    if not out.exists():
        draft.rename(out)
        return
    old = out.with_name(f".{out.name}.old-{os.getpid()}")
    out.rename(old)
    draft.rename(out)
    shutil.rmtree(old)
