"""A release as a folder: every file made from the manifest and the tables, put in place as a whole."""

from pathlib import Path

import polars as pl

from census.atomic import drafted_folder
from census.card import CARD, write_card
from census.changes import CHANGES_JSON, CHANGES_PAGE, Changes, changes_page
from census.checksums import files_of, sha256_of, write_checksums
from census.columns import TABLES
from census.croissant import CROISSANT, croissant
from census.errors import CensusError
from census.figures import draw_figures
from census.manifest import MANIFEST, Manifest, ReleaseFile, read_manifest
from census.parquet import table_path, write_table
from census.report import write_report
from census.summary import SUMMARY, Summary, summarise

REPORT = "report.md"


def write_release(out: Path, manifest: Manifest, tables: dict[str, pl.DataFrame], changes: Changes) -> Summary:
    """Write a release into `out`, in place of an earlier one there; the files of `manifest` are filled in.

    A reader finds the whole old release or the whole new one. Nothing is left behind when it raises.
    """
    summary = summarise(tables)
    with drafted_folder(out) as draft:
        _write(draft, manifest, summary, tables, changes)
    return summary


def check_out(out: Path) -> None:
    """Raises CensusError when a release may not be written to `out`: it is a file, or holds something else."""
    if not out.exists() or read_manifest(out) is not None:
        return
    if not out.is_dir():
        raise CensusError(f"--out {out} is a file; name a folder that does not exist yet")
    if any(out.iterdir()):
        raise CensusError(
            f"--out {out} is not empty and is no release of webmcp-census;"
            " name another folder, or empty this one yourself"
        )


def pages_of(manifest: Manifest, summary: Summary, tables: dict[str, pl.DataFrame], changes: Changes) -> dict[str, str]:
    """The texts of a release that follow from its tables, its manifest and its changes, by file name."""
    return {
        SUMMARY: summary.model_dump_json(indent=2) + "\n",
        REPORT: write_report(manifest, summary, tables),
        CARD: write_card(manifest, summary),
        CHANGES_PAGE: changes_page(changes),
    }


def _write(
    folder: Path, manifest: Manifest, summary: Summary, tables: dict[str, pl.DataFrame], changes: Changes
) -> None:
    (folder / "data").mkdir()
    for table in TABLES:
        write_table(folder, table, tables[table])
    draw_figures(summary, folder)
    for name, text in pages_of(manifest, summary, tables, changes).items():
        _write_text(folder / name, text)
    _write_text(folder / CHANGES_JSON, changes.model_dump_json(indent=2) + "\n")
    rows = {table_path(table): tables[table].height for table in TABLES}
    _write_text(folder / CROISSANT, croissant(manifest, {path: sha256_of(folder / path) for path in rows}))
    sign_release(folder, manifest, rows)


def sign_release(folder: Path, manifest: Manifest, rows: dict[str, int]) -> None:
    """Write the manifest with the digest of every file that is there, then the checksums.

    `rows` has the number of rows of each Parquet file, by path. The folder holds neither of the two files.
    """
    files = tuple(_release_file(folder, path, rows) for path in files_of(folder))
    _write_text(folder / MANIFEST, manifest.model_copy(update={"files": files}).model_dump_json(indent=2) + "\n")
    write_checksums(folder)


def _release_file(folder: Path, path: str, rows: dict[str, int]) -> ReleaseFile:
    size = (folder / path).stat().st_size
    return ReleaseFile(path=path, rows=rows.get(path), bytes=size, sha256=sha256_of(folder / path))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
