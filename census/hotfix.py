"""The next hotfix of a release: the same tables without the sites that have opted out since."""

from collections import Counter
from pathlib import Path

from census.changes import Changes
from census.errors import CensusError
from census.opened_release import Release
from census.optout import OptOut
from census.release_folder import check_out, write_release
from census.takedown import without_sites
from census.vocabulary import Outcome


def next_hotfix(release_version: str) -> str:
    """`2026.11.0` → `2026.11.1`."""
    month, _, number = release_version.rpartition(".")
    return f"{month}.{int(number) + 1}"


def apply_opt_out(release: Release, optout: OptOut, out: Path) -> tuple[str, int]:
    """Write the next hotfix of a release into `out`; returns its version and how many targets were taken out.

    Raises CensusError when nothing of the list is in the release, and when `out` holds something else.
    """
    out = out.resolve()
    check_out(out)
    if out == release.folder.resolve():
        raise CensusError(f"--out {out} is the release itself, which stays as it is; name another folder")
    taken = without_sites(release.tables, optout)
    if all(table.equals(release.tables[name]) for name, table in taken.tables.items()):
        raise CensusError(f"no site of the opt-out list is in {release.folder}: there is nothing to take out")
    removed = sum(taken.pages.values())
    outcomes = Counter(release.manifest.outcomes)
    outcomes.subtract(taken.pages)
    outcomes[Outcome.OPTED_OUT.value] += removed
    version = next_hotfix(release.manifest.release_version)
    manifest = release.manifest.model_copy(
        update={
            "release_version": version,
            "outcomes": {word: k for word, k in sorted(outcomes.items()) if k},
            "previous": None,
            "accepted": (),
            "sample": None,
            "files": (),
        }
    )
    note = (
        f"A hotfix of {release.manifest.release_version}: {removed:,} targets, and frames in other pages, of sites that"
        " asked to be left out were taken out. Nothing else is different."
    )
    write_release(out, manifest, taken.tables, Changes(release_version=version, previous_version=None, notes=(note,)))
    return version, removed
