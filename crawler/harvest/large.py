"""Harvest of a list of any length: read, freed of duplicates, sampled and written in one pass and bounded memory."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from census.errors import CensusError
from census.target import Target
from crawler.harvest.large_list import CDXJ, RANKED, Entry, NotAPage, entries, opened
from crawler.harvest.output import OutputFiles, written
from crawler.harvest.result import HarvestCounts, Skipped
from crawler.harvest.seen import Seen
from crawler.harvest.strata import Drawn, Sample
from crawler.target_list import NotHttpError, target_of

SKIPPED_LISTED = 10_000
"""Skipped entries that are written out; all are counted."""
_EVERY = 50_000


@dataclass
class LargeHarvest:
    """What became of a list's entries."""

    entries: int = 0
    targets: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    strata: tuple[Drawn, ...] = ()

    def counts(self) -> HarvestCounts:
        """The same as the report has it; a target that the sample is without is skipped as `not_drawn`."""
        reasons = Counter(self.skipped)
        return HarvestCounts(
            pages_fetched=1,
            project_pages_fetched=0,
            entries_announced=None,
            entries_seen=self.entries,
            targets=self.targets,
            duplicates=reasons.pop("duplicate", 0),
            skipped=dict(sorted(reasons.items())),
            ambiguous=0,
        )


def harvest_large(
    path: Path,
    form: str,
    files: OutputFiles,
    *,
    sample: int | None = None,
    seed: str = "1",
    watch: Callable[[int], None] = lambda _: None,
) -> LargeHarvest:
    """Read a list into OUT, the first of two entries with one key; `watch` is told how many entries were read.

    With `sample`, so many targets are drawn by the seed, as many of each stratum of the rank (`.strata`).
    Raises CensusError when the list cannot be read or names no target, or OUT cannot be written; OUT is then as it was.
    """
    done = LargeHarvest()
    chosen: Sample[str] | None = Sample(sample, seed) if sample is not None else None
    with ExitStack() as stack:
        # The targets last: they never stand beside what another harvest skipped.
        write_target = stack.enter_context(written(files.targets))
        write_skipped = stack.enter_context(written(files.skipped))
        lines = stack.enter_context(opened(path))
        seen = stack.enter_context(Seen())

        def skip(reason: str, line: int, url: str | None) -> None:
            done.skipped[reason] += 1
            if done.skipped.total() <= SKIPPED_LISTED:
                links = (url,) if url else ()
                entry = Skipped(project=None, source=f"{path}, line {line}", reason=reason, links=links)
                write_skipped(f"{entry.model_dump_json()}\n")

        def valid() -> Iterator[tuple[str, tuple[int, Target]]]:
            for line, entry in entries(lines, form, str(path)):
                done.entries += 1
                if done.entries % _EVERY == 0:
                    watch(done.entries)
                target = _target(entry, str(path))
                if isinstance(target, str):
                    skip(target, line, None)
                else:
                    yield target.key, (line, target)

        for key, (line, target), new in seen.first_of_each(valid()):
            if not new:
                skip("duplicate", line, target.url)
                continue
            record = f"{target.model_dump_json(exclude_none=True)}\n"
            done.targets += 1
            if chosen is None:
                write_target(record)
            else:
                chosen.offer(key, target.rank, line, record)
        if not done.targets:
            raise CensusError(f"{path}: no target in it; give a list ({RANKED}, {CDXJ}, or a target list)")
        if chosen is not None:
            drawn, done.strata = chosen.drawn()[0], tuple(chosen.drawn()[1])
            write_target("".join(drawn))
            done.skipped["not_drawn"] = done.targets - len(drawn)
            done.targets = len(drawn)
    return done


def _target(entry: Entry, source: str) -> Target | str:
    """The target that an entry gives, or the reason why it gives none."""
    if isinstance(entry, NotAPage):
        return "not_a_page"
    try:
        target = target_of(entry)
    except NotHttpError:
        return "not_http"
    except ValueError:
        return "unreadable"
    return target if target.source else target.model_copy(update={"source": source})
