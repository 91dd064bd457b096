"""What a crawl takes from the last release: which targets are due first, and which may be carried over unvisited."""

from pathlib import Path
from typing import NamedTuple

from census.changes import CHANGES_JSON, Changes
from census.opened_release import Release, open_release
from census.recheck import Recheck, validators_of
from census.target import Target
from crawler.target_list import TargetList

_READ = ("target_key", "unmeasured", "tools_callable", "old_api", "validators", "outcome")
_SETTLED = ("opted_out", "robots_disallowed", "not_html", "screened_out")
"""Outcomes that are no failure: nothing is expected to be otherwise next time."""


class Since(NamedTuple):
    """The targets for a crawl: those that are due first come first."""

    targets: TargetList
    first: int
    """How many are due first: new, changed, with tools or names of the API, or failed last time."""
    may_be_carried: int


def since(folder: Path, targets: TargetList) -> Since:
    """Order the targets by what RELEASE has of them, and give those that can be asked about what to ask by.

    Raises CensusError when the folder is no release of this version.
    """
    release = open_release(folder)
    table = release.tables["pages"]
    # A release of an earlier schema has nothing to ask by; its pages still say what is due.
    read = [column for column in _READ if column in table.columns]
    pages = {row["target_key"]: row for row in table.select(read).iter_rows(named=True)}
    changed = _changed(release)
    first: list[Target] = []
    later: list[Target] = []
    for target in targets.targets:
        page = pages.get(target.key)
        known = target if page is None else _with_recheck(target, page, release.manifest.release_version)
        (first if page is None or target.key in changed or _is_due(page) else later).append(known)
    ordered = tuple(first + later)
    counts = sum(target.recheck is not None for target in ordered)
    return Since(TargetList(ordered, targets.counts, targets.problems), len(first), counts)


def _is_due(page: dict[str, object]) -> bool:
    failed = page["unmeasured"] is not None and page["outcome"] not in _SETTLED
    return failed or bool(page["tools_callable"]) or bool(page["old_api"])


def _with_recheck(target: Target, page: dict[str, object], version: str) -> Target:
    """Only a measured page is carried over: of one that was not there is nothing to carry."""
    text = page.get("validators")
    resources = validators_of(text) if isinstance(text, str) and page["unmeasured"] is None else ()
    return target.model_copy(update={"recheck": Recheck(release=version, resources=resources)}) if resources else target


def _changed(release: Release) -> frozenset[str]:
    """The pages that were otherwise in RELEASE than in the one before, as far as its own list of them goes."""
    path = release.folder / CHANGES_JSON
    if not path.exists():
        return frozenset()
    changes = Changes.model_validate_json(path.read_bytes())
    lists = (changes.lists.get(name, []) for name in ("pages_changed", "tools_added", "tools_removed", "tools_changed"))
    return frozenset(str(row["target_key"]) for rows in lists for row in rows)
