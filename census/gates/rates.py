"""Gate: each rate is within its band of the last release, or it was accepted by name."""

from collections.abc import Iterator

from census.acceptance import BAND
from census.bands import Rates, bands
from census.gates.violation import Violation
from census.manifest import Manifest
from census.text import percent


def check_rates(manifest: Manifest, rates: Rates) -> Iterator[Violation]:
    """Hold the rates against those that the manifest keeps of the last release; without one there is no band."""
    if manifest.previous is None:
        return
    accepted = {each.rule for each in manifest.accepted}
    for band in bands(manifest.previous.rates, rates):
        if band.beyond and f"{BAND}{band.id}" not in accepted:
            (k, n), (k_after, n_after) = band.before, band.after
            yield Violation(
                f"{BAND}{band.id}",
                f"{percent(k / n)} ({k:,} of {n:,}) in {manifest.previous.release_version},"
                f" {percent(k_after / n_after)} ({k_after:,} of {n_after:,}) now, p = {band.p:.2g}; when that is true,"
                f" build again with --accept '{BAND}{band.id}:REASON'",
            )
