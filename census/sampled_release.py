"""A release with its sample: the same files, the sample beside them, and a card that names it."""

import shutil
from pathlib import Path

from census.card import CARD, write_card
from census.checksums import CHECKSUMS
from census.errors import CensusError
from census.manifest import MANIFEST
from census.opened_release import open_release
from census.parquet import table_path
from census.release_folder import sign_release
from census.sample import sample_of, write_sample


def write_with_sample(folder: Path, out: Path) -> None:
    """Write the release with its sample to `out`, which must not exist. The same release gives the same bytes.

    Raises CensusError when the folder is no release, or holds a sample already.
    """
    release = open_release(folder)
    if release.manifest.sample:
        raise CensusError(f"{folder} holds its sample already; publish it without --sample")
    manifest = release.manifest.model_copy(update={"sample": sample_of(release.tables["pages"].height), "files": ()})
    shutil.copytree(folder, out, ignore=shutil.ignore_patterns(MANIFEST, CHECKSUMS, CARD))
    rows = {table_path(name): table.height for name, table in release.tables.items()}
    rows |= write_sample(out, release.tables)
    (out / CARD).write_text(write_card(manifest, release.summary), encoding="utf-8", newline="\n")
    sign_release(out, manifest, rows)
