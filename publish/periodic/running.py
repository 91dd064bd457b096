"""One step after the other, with the state written after each."""

import time
from pathlib import Path
from typing import NamedTuple

from publish.periodic.children import Children
from publish.periodic.config import Config
from publish.periodic.state import State, write_state
from publish.periodic.steps import fingerprint_of, steps_of


class Ending(NamedTuple):
    """How a run of the command ended."""

    status: str
    """`finished`, `gate_failed`, `failed` or `nothing_to_do`."""
    code: int
    """The exit code."""
    step: str | None
    """The step that did not succeed."""
    reason: str


def take(config: Config, base: Path, state: State, children: Children) -> Ending:
    """Do what is left of a census. Raises CensusError when a step does not take its options; then nothing was begun."""
    version, folder = state.release_version, base / config.folder / state.release_version
    steps = steps_of(config, version, Path(state.previous) if state.previous else None)
    state = state.kept({step.name: fingerprint_of(step, base) for step in steps})
    left = steps[len(state.done) :]
    for step in left:
        if step.configured:
            children.check(step)
    folder.mkdir(exist_ok=True)
    write_state(folder, state)
    for step in left:
        fingerprint, began = fingerprint_of(step, base), time.monotonic()
        code = children.run(step)
        if code == 1:
            reason = f"{version}: a gate failed at `{step.name}`; nothing was published by it, or after it"
            return Ending("gate_failed", 1, step.name, reason)
        if code != 0:
            reason = f"{version}: `{step.name}` could not be done; the same command goes on there"
            return Ending("failed", 2, step.name, reason)
        state = state.after(step.name, fingerprint, time.monotonic() - began)
        write_state(folder, state)
    write_state(folder, state.model_copy(update={"finished": True}))
    places = f"published at {', '.join(config.publish.to)}" if config.publish.to else "published nowhere"
    return Ending("finished", 0, None, f"{version} is finished, {places}: {folder / 'release'}")
