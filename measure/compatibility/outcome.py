"""What came of a run, for the terminal or as JSON."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from measure.compatibility.behaviour import Behaviour
from measure.compatibility.matrix import Matrix
from measure.compatibility.running import Unasked
from measure.compatibility.verdict import Verdict


class RunOutcome(NamedTuple):
    """What a run has, what is wrong with it, and what it could not ask."""

    matrix: Matrix
    asked: Sequence[Behaviour]
    verdict: Verdict
    unasked: Sequence[Unasked]

    @property
    def exit_code(self) -> int:
        """2 when a question could not be put, 1 when an answer is not good, else 0."""
        if self.unasked:
            return 2
        return 0 if self.verdict.good else 1


def show(outcome: RunOutcome, folder: Path, *, as_json: bool) -> None:
    """Print it."""
    if as_json:
        click.echo(json.dumps(_plain(outcome), indent=1))
        return
    matrix = outcome.matrix
    click.echo(f"{len(matrix.cells)} cells of {len(matrix.behaviours)} behaviours in {len(matrix.builds)} builds")
    for each in outcome.verdict.unexpected:
        detail = f" ({each.detail})" if each.detail else ""
        click.echo(f"unexpected: {each.behaviour} on {each.build}: {each.value!r}, not {each.expected!r}{detail}")
    for complaint in outcome.verdict.complaints:
        click.echo(f"wrong: {complaint}")
    for unasked in outcome.unasked:
        click.echo(f"not asked: {unasked.behaviour.id} on {unasked.build.label}: {unasked.why}")
    click.echo(f"Matrix: {folder / 'compatibility.html'}")


def _plain(outcome: RunOutcome) -> dict[str, object]:
    matrix = outcome.matrix
    return {
        "builds": [build.model_dump() for build in matrix.builds],
        "values": {
            behaviour.id: {build.label: matrix.value(behaviour.id, build) for build in matrix.builds}
            for behaviour in matrix.behaviours
        },
        "unexpected": [difference._asdict() for difference in outcome.verdict.unexpected],
        "wrong": list(outcome.verdict.complaints),
        "not_asked": [
            {"behaviour": each.behaviour.id, "build": each.build.label, "why": each.why} for each in outcome.unasked
        ],
    }
