"""How far a census came: FOLDER/VERSION/state.json, written after each step so that it survives a power cut."""

import json
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from census.atomic import write_whole
from census.errors import CensusError
from publish.release_version import version_key

STATE = "state.json"


class Done(BaseModel):
    """A step that succeeded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: str
    fingerprint: str
    """Of the command and of what it was given beside the results of the steps before."""
    seconds: float
    at: datetime


class State(BaseModel):
    """The steps that succeeded, in their order, and whether the census is finished."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    release_version: str
    previous: str | None
    """The folder of the release before, from that of the configuration; None for the first one."""
    done: tuple[Done, ...] = ()
    finished: bool = False

    def after(self, step: str, fingerprint: str, seconds: float) -> "State":
        """The state when one more step has succeeded."""
        now = datetime.now(UTC).replace(microsecond=0)
        done = Done(step=step, fingerprint=fingerprint, seconds=round(seconds, 1), at=now)
        return self.model_copy(update={"done": (*self.done, done)})

    def kept(self, fingerprints: dict[str, str]) -> "State":
        """The state without the first step that would be another one now, and without all that follow it."""
        kept = []
        for (step, fingerprint), done in zip(fingerprints.items(), self.done, strict=False):
            if (done.step, done.fingerprint) != (step, fingerprint):
                break
            kept.append(done)
        return self.model_copy(update={"done": tuple(kept), "finished": False})


def read_state(folder: Path) -> State | None:
    """The state of the census in FOLDER/VERSION; None when it never began. Raises CensusError when it is damaged."""
    path = folder / STATE
    try:
        return State.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise CensusError(
            f"{path} cannot be read ({type(error).__name__}); take {folder} away to begin that census again"
        ) from None


def write_state(folder: Path, state: State) -> None:
    """Write the state in place of the old one, which stays whole until then."""
    write_whole(folder / STATE, json.dumps(state.model_dump(mode="json"), indent=2) + "\n")


def states(folder: Path) -> list[State]:
    """Every census of a folder, the oldest version first."""
    found = [read_state(path.parent) for path in folder.glob(f"*/{STATE}")]
    return sorted((state for state in found if state), key=lambda state: version_key(state.release_version))
