"""Is a release what it says it is: every gate, every number computed again, every file's digest."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from census.changes import CHANGES_JSON, Changes
from census.changes_since import changes_since
from census.checksums import files_of, sha256_of, wrong_files
from census.croissant import CROISSANT, croissant
from census.errors import CensusError
from census.figures import draw_figures
from census.gates.accounts import check_accounts
from census.gates.keys import check_keys, check_references
from census.gates.privacy import check_opt_out, check_private_data
from census.gates.rate_counts import check_rate_counts
from census.gates.rates import check_rates
from census.gates.sample import check_sample
from census.gates.schema import check_compatible, check_types
from census.gates.violation import Violation
from census.gates.written import check_numbers, check_pages
from census.opened_release import Release, open_release, rates_of
from census.optout import OptOut
from census.parquet import table_path
from census.release_folder import pages_of
from census.summary import Summary, summarise

CHECKSUM, PREVIOUS = "checksum", "previous"
_TEXTS = (".md", ".json", ".svg")


def verify_release(folder: Path, optout: OptOut, previous: Release | None = None) -> list[Violation]:
    """Hold a release against every gate. With other types than promised nothing more is asked of the tables.

    `previous` is the release that it says it was compared with: what it keeps of that one is held against it.

    Raises CensusError when the folder is no release, or when a part of it cannot be read.
    """
    wrong = [Violation(CHECKSUM, message) for message in wrong_files(folder)]
    release = open_release(folder)
    return [*wrong, *_gates(release, optout), *(_previous(release, previous, optout) if previous else ())]


def _gates(release: Release, optout: OptOut) -> Iterator[Violation]:
    folder, manifest, summary, tables = release
    unsound = [*check_types(manifest.schema_version, tables)]
    if unsound:
        # What follows asks for columns by name and type.
        yield from unsound
        return
    unsound = [*check_keys(tables, sum(manifest.redacted.values()))]
    yield from unsound
    yield from check_accounts(manifest, tables)
    yield from check_references(tables, partial=manifest.partial)
    yield from check_rate_counts(tables)
    yield from check_opt_out(tables, optout)
    yield from check_private_data(tables, _texts(folder))
    recomputed = summarise(tables)
    yield from check_numbers(summary, recomputed)
    if not unsound:
        yield from check_pages(folder, _made_again(release, recomputed))
    yield from check_sample(folder, manifest, tables)
    yield from check_rates(manifest, rates_of(recomputed))
    if manifest.previous:
        yield from check_compatible(manifest.schema_version, manifest.previous.schema_version)


def _made_again(release: Release, summary: Summary) -> dict[str, bytes]:
    """Every file that follows from the tables, the manifest and the changes."""
    folder, manifest, _, tables = release
    pages = pages_of(manifest, summary, tables, _changes(folder))
    pages[CROISSANT] = croissant(
        manifest, {table_path(table): sha256_of(folder / table_path(table)) for table in tables}
    )
    made = {name: text.encode() for name, text in pages.items()}
    with TemporaryDirectory() as place:
        draw_figures(summary, Path(place))
        return made | {path: (Path(place) / path).read_bytes() for path in files_of(Path(place))}


def _previous(release: Release, previous: Release, optout: OptOut) -> Iterator[Violation]:
    if release.manifest.previous != previous.as_previous():
        yield Violation(PREVIOUS, f"was not built with {previous.folder} as the release before; build it again so")
    elif _changes(release.folder) != changes_since(previous, release.manifest, release.tables, optout):
        yield Violation(PREVIOUS, f"{CHANGES_JSON} is not what the two releases give")


def _texts(folder: Path) -> dict[str, str]:
    return {
        path: (folder / path).read_text(encoding="utf-8", errors="replace")
        for path in files_of(folder)
        if path.endswith(_TEXTS)
    }


def _changes(folder: Path) -> Changes:
    path = folder / CHANGES_JSON
    try:
        return Changes.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise CensusError(f"{path} cannot be read ({type(error).__name__}); build the release again") from error
