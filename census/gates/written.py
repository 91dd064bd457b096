"""Gate: the numbers and the pages of a release are what its tables give."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from census.gates.violation import Violation
from census.summary import Summary, differences

NUMBERS, PAGES = "numbers", "pages-written"


def check_numbers(published: Summary, recomputed: Summary) -> Iterator[Violation]:
    """Every number of the summary, computed again from the tables, is the same."""
    for difference in differences(published, recomputed):
        if difference.published is None:
            yield Violation(NUMBERS, f"`{difference.id}` is missing in the summary")
        elif difference.recomputed is None:
            yield Violation(NUMBERS, f"`{difference.id}` is in the summary and is no number of this version")
        else:
            yield Violation(NUMBERS, f"`{difference.id}` is not what the tables give")


def check_pages(folder: Path, again: Mapping[str, bytes]) -> Iterator[Violation]:
    """The report, its figures, the card and the rest, made again from the tables, are the same bytes."""
    for path, content in again.items():
        file = folder / path
        if not file.is_file() or file.read_bytes() != content:
            yield Violation(PAGES, f"{path} is not what the tables and the manifest give")
