"""From RUNs to a release folder: the same visits give the same bytes, wherever and whenever it is built."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import polars as pl

from census.acceptance import accepted_of
from census.changes_since import changes_since
from census.columns import SCHEMA_VERSION
from census.compatibility import TABLE as COMPATIBILITY_TABLE
from census.compatibility import compatibility_of, compatibility_table
from census.errors import CensusError
from census.findings import findings_of
from census.manifest import Build, Manifest, SourceRun
from census.measured_rates import read_rates
from census.opened_release import Release
from census.optout import OptOut
from census.rate_tables import rate_tables
from census.redacted_tables import redact_tables
from census.redaction import redact_value
from census.release_folder import check_out, write_release
from census.run import Run
from census.run_tables import Watch, tables_of
from census.summary import Summary
from census.takedown import without_sites
from census.vocabulary import Outcome

_VERSION = re.compile(r"\d{4}\.\d{2}\.\d+")


_NOBODY = OptOut()


def build_release(
    runs: Sequence[Run],
    out: Path,
    *,
    release_version: str | None = None,
    partial: bool = False,
    optout: OptOut = _NOBODY,
    previous: Release | None = None,
    compatibility: Path | None = None,
    accepted: Sequence[str] = (),
    watch: Watch = lambda _, __: None,
) -> Summary:
    """Build the release of one or more RUNs into `out`, replacing an earlier release there as a whole.

    `previous` is the release to say the changes from and to hold the rates against; `accepted` names rates that may
    leave their band, as `band/RATE:reason`. `compatibility` is the folder that has the compatibility matrix, when it
    is in no RUN.

    Raises CensusError when targets are unfinished (unless `partial`), when the RUNs do not belong together,
    or when `out` holds something else. Nothing is left behind when it raises.
    """
    out = out.resolve()
    _check_version(release_version)
    check_out(out)
    _check_settings(runs)
    acknowledged = accepted_of(accepted)
    sources = [_source(run, partial=partial) for run in runs]
    found = findings_of(runs)
    measured = read_rates([run.folder for run in runs])
    matrix = compatibility_of([run.folder for run in runs], compatibility)
    whole = tables_of(runs, found.by_visit if found else {}, watch) | rate_tables(measured)
    if matrix:
        whole[COMPATIBILITY_TABLE] = compatibility_table(matrix.cells)
    taken = without_sites(whole, optout)
    del whole
    tables, redacted = redact_tables(taken.tables)
    settings = redact_value(runs[0].settings.settings, redacted)
    assert isinstance(settings, dict)
    manifest = _manifest(sources, tables, sum(taken.pages.values()), partial=partial).model_copy(
        update={
            "release_version": release_version or f"{max(source.created_at for source in sources):%Y.%m}.0",
            "settings": settings,
            "lint": found.stamp if found else None,
            "compatibility": matrix.stamp if matrix else None,
            "rates": tuple(each.stamp for each in measured),
            "redacted": dict(sorted(redacted.items())),
            "previous": previous.as_previous() if previous else None,
            "accepted": acknowledged,
        }
    )
    return write_release(out, manifest, tables, changes_since(previous, manifest, tables, optout))


def _check_version(release_version: str | None) -> None:
    if release_version is not None and not _VERSION.fullmatch(release_version):
        raise CensusError(
            f"release version {release_version!r} is not YYYY.MM.N; for example `--release-version 2026.11.0`"
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


def _manifest(
    sources: Sequence[SourceRun], tables: dict[str, pl.DataFrame], opted_out: int, *, partial: bool
) -> Manifest:
    pages = tables["pages"]
    builds = (
        pages.filter(pl.col("build").is_not_null())
        .group_by("browser", "build", "shell")
        .agg(visits=pl.len())
        .sort("browser", "build", "shell")
    )
    outcomes = Counter(dict(pages.group_by("outcome").len().iter_rows()))
    if opted_out:
        outcomes[Outcome.OPTED_OUT.value] += opted_out
    unfinished = sum(source.unfinished for source in sources)
    targets = sum(source.targets for source in sources)
    if outcomes.total() + unfinished != targets:
        raise CensusError(
            f"{targets} targets are listed, but {outcomes.total()} have a final visit and {unfinished} have none;"
            " the frontier of a RUN is damaged"
        )
    visited: tuple[datetime | None, datetime | None] = pages.select(
        low=pl.col("visited_at").min(), high=pl.col("visited_at").max()
    ).row(0)
    return Manifest(
        release_version="",
        schema_version=SCHEMA_VERSION,
        code_version=version("webmcp-census"),
        partial=partial and unfinished > 0,
        targets=targets,
        unfinished=unfinished,
        outcomes=dict(sorted(outcomes.items())),
        visited_from=visited[0],
        visited_to=visited[1],
        builds=tuple(Build(**row) for row in builds.iter_rows(named=True)),
        settings={},
        runs=tuple(sources),
    )
