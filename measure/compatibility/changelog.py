"""What each version changed, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from measure.compatibility.behaviour import Behaviour
from measure.compatibility.changes import Change
from measure.compatibility.matrix import version_key
from measure.compatibility.probing import CRASH, HANG, NOT_APPLICABLE

_OURS = {
    CRASH: "the question takes the renderer down.",
    HANG: "the question is never answered.",
    NOT_APPLICABLE: "the question has no meaning there.",
}


def changes_by_version(
    made: Sequence[Change], behaviours: Mapping[str, Behaviour]
) -> Iterator[tuple[str, list[tuple[Change, str]]]]:
    """For each version that changed something, the newest first: a heading, and its changes with their sentences."""
    newest_first = sorted(made, key=lambda change: version_key(change.build), reverse=True)
    for heading, group in groupby(newest_first, key=_heading):
        yield heading, [(change, sentence(change, behaviours[change.behaviour])) for change in group]


def _heading(change: Change) -> str:
    return f"{change.build.name} {change.build.major}, after {change.older.major}"


def sentence(change: Change, behaviour: Behaviour) -> str:
    """What a change is, with the versions that were measured: `Since 152, … Until 150, …`."""
    kind = "" if change.build.shell or change.build.engine != "chromium" else " in the full browser"
    return (
        f"{behaviour.question} Since {change.build.major}{kind}: {_meaning(behaviour, change.after)}"
        f" Until {change.older.major}: {_meaning(behaviour, change.before)}"
    )


def _meaning(behaviour: Behaviour, value: str) -> str:
    if value in _OURS:
        return _OURS[value]
    meant = (behaviour.values or {}).get(value)
    return meant or f"{value}."
