"""A harvest's report in words."""

from datetime import UTC, datetime

from crawler.harvest.output import HarvestReport


def in_words(report: HarvestReport) -> str:
    """What was read, what became of it, and where it is."""
    counts = report.counts
    announced = f" of {counts.entries_announced} announced" if counts.entries_announced is not None else ""
    skipped = "".join(f"\n  skipped, {reason}: {number}" for reason, number in counts.skipped.items())
    strata = "".join(f"\n  drawn, {_ranks(*each.stratum)}: {each.drawn} of {each.targets}" for each in report.strata)
    return (
        f"{report.source}: {counts.entries_seen} entries{announced}, {counts.pages_fetched} pages\n"
        f"  targets: {counts.targets} -> {report.files['targets']}\n"
        f"  duplicates: {counts.duplicates}\n"
        f"  ambiguous: {counts.ambiguous} -> {report.files['ambiguous']}{skipped}{strata}"
    )


def now() -> str:
    """The time, in UTC, as reports have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _ranks(above: int | None, to: int | None) -> str:
    return "without a rank" if above is None or to is None else f"rank {above + 1:,} to {to:,}"
