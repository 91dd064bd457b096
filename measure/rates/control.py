"""Calls that should not have been: what a judge does when no tool answers."""

from collections.abc import Iterable
from typing import NamedTuple

from census.interval import Proportion, proportion


class ControlTrial(NamedTuple):
    """A trial of a control: its kind (irrelevant, near miss, injection) and whether a tool was called."""

    kind: str
    called: bool


def false_positives(trials: Iterable[ControlTrial]) -> dict[str, Proportion]:
    """Give the share of control trials in which a tool was called, by kind; the kinds in alphabetical order."""
    counts: dict[str, list[bool]] = {}
    for trial in trials:
        counts.setdefault(trial.kind, []).append(trial.called)
    return {kind: proportion(sum(counts[kind]), len(counts[kind])) for kind in sorted(counts)}
