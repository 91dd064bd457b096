"""One measured trial, as the statistics see it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Observation(NamedTuple):
    """A trial that ended in an outcome; a missing measurement is none of these and is counted elsewhere."""

    tool: str
    utterance: str
    session: int
    repeat: int
    ok: bool
    """Whether the model selected the tool with valid arguments."""


def by_utterance(observations: Iterable[Observation]) -> Mapping[str, list[Observation]]:
    """Group trials by what was said."""
    groups: dict[str, list[Observation]] = {}
    for each in observations:
        groups.setdefault(each.utterance, []).append(each)
    return groups


def by_session(observations: Iterable[Observation]) -> Mapping[int, list[Observation]]:
    """Group trials by the session they ran in."""
    groups: dict[int, list[Observation]] = {}
    for each in observations:
        groups.setdefault(each.session, []).append(each)
    return groups


def rate_of(observations: Iterable[Observation]) -> float:
    """Give the share of trials that are ok. Raises ZeroDivisionError when there are none."""
    oks = [each.ok for each in observations]
    return sum(oks) / len(oks)
