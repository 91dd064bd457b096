"""Which utterance set is put to the judge on which page."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from census.errors import CensusError
from census.target import target_key
from measure.rates.rate_plan import PlannedPage
from measure.trials.other_names import other_names
from measure.trials.serving import variants
from measure.utterances.utterance_set import UtteranceSet


def set_id(utterances: UtteranceSet) -> str:
    """A set as plans and trials name it."""
    return f"{utterances.name} {utterances.version}"


def pages_of_urls(urls: Sequence[str], sets: Sequence[UtteranceSet]) -> tuple[PlannedPage, ...]:
    """Pair pages and sets: a single set goes with every page, several go each with the pages that they are for.

    A set is for a page with its URL, or with a URL that ends in its path. Raises CensusError for a page or a set that
    is left over.
    """
    if len(sets) == 1:
        return tuple(PlannedPage(page=url, set=set_id(sets[0])) for url in urls)
    pairs = [(url, each) for url in urls for each in sets if _is_for(each.page, url)]
    for url in urls:
        if not any(url == page for page, _ in pairs):
            known = ", ".join(f"{each.name} ({each.page})" for each in sets)
            raise CensusError(f"no set is for {url}; there are: {known}")
    for each in sets:
        if not any(each is paired for _, paired in pairs):
            raise CensusError(f"the set {each.name} is for {each.page}, which is not among the pages: give its URL")
    return tuple(PlannedPage(page=url, set=set_id(each)) for url, each in pairs)


def pages_of_folder(folder: Path, sets: Sequence[UtteranceSet], wanted: Sequence[str]) -> tuple[PlannedPage, ...]:
    """Every set on every variant of its page in the folder, or on the wanted ones.

    Raises CensusError for a set without a page there, and for a wanted variant that is not there.
    """
    pages = [
        PlannedPage(page=each.page, variant=variant, set=set_id(each), names=other_names(folder / variant))
        for each in sets
        for variant in variants(folder, each.page)
        if not wanted or variant in wanted
    ]
    missing = set(wanted) - {page.variant for page in pages}
    if missing:
        raise CensusError(f"--variant {min(missing)}: {folder} has no such sub-folder with the page of a set")
    return tuple(pages)


def _is_for(page: str, url: str) -> bool:
    if "://" in page:
        return target_key(page) == target_key(url)
    path = urlsplit(url).path
    wanted = f"/{page.strip('/')}"
    # A server gives a folder's index.html for the folder.
    return path.endswith(wanted) or (path.endswith("/") and f"{path}index.html".endswith(wanted))
