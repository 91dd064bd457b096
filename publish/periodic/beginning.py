"""Which census is to be taken or gone on with, and which release came before it."""

import shutil
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from census.checksums import wrong_files
from census.errors import CensusError
from publish.periodic.config import Config
from publish.periodic.state import State, read_state, states
from publish.places.place import Place, open_place
from publish.release_version import version_key

_PREVIOUS = "previous"


class Beginning(NamedTuple):
    """A census that is to be gone on with, or the reason why there is none."""

    state: State | None
    reason: str = ""


def begin(config: Config, base: Path, release_version: str | None, now: datetime) -> Beginning:
    """Find the census that has not ended, or begin that of this month.

    The last release is the latest one at the first place of `[publish]`; without a place, the last one of the folder.

    Raises CensusError when the place does not answer, or when what it sends is not whole.
    """
    folder = base / config.folder
    known = states(folder)
    going = next((state for state in known if not state.finished), None)
    version = release_version or (going.release_version if going else f"{now:%Y.%m}.0")
    _check(version)
    state = read_state(folder / version)
    if state is not None:
        return Beginning(None, f"{version} is finished") if state.finished else Beginning(state)
    place = _place(config.publish.to[0], base) if config.publish.to else None
    latest = place.latest() if place else _last([state.release_version for state in known], version)
    if place and latest and _comes_too_late(version, latest, asked=release_version is not None):
        return Beginning(None, f"{latest} is published at {config.publish.to[0]} already")
    previous = _previous(config, base, latest, place) if latest else None
    return Beginning(State(release_version=version, previous=str(previous) if previous else None))


def _place(to: str, base: Path) -> Place:
    """The place, as a step that runs in the folder of the configuration has it."""
    kind, _, rest = to.partition(":")
    return open_place(f"dir:{base / rest}" if kind == "dir" else to)


def _check(version: str) -> None:
    try:
        version_key(version)
    except ValueError:
        raise CensusError(f"--release-version {version}: write it as 2026.11.0") from None


def _comes_too_late(version: str, latest: str, *, asked: bool) -> bool:
    """Whether a month has its release; a version that is asked for by name only has to be a later one."""
    if asked:
        return version_key(latest) >= version_key(version)
    return version_key(latest)[:2] >= version_key(version)[:2]


def _last(versions: list[str], before: str) -> str | None:
    return max((each for each in versions if version_key(each) < version_key(before)), key=version_key, default=None)


def _previous(config: Config, base: Path, latest: str, place: Place | None) -> Path:
    """The folder of the latest release, loaded when it is not here; from that of the configuration."""
    own = config.folder / latest / "release"
    state = read_state(base / config.folder / latest)
    if place is None or (state and state.finished):
        return own
    loaded = config.folder / _PREVIOUS / latest
    if not (base / loaded).exists():
        draft = base / config.folder / _PREVIOUS / f".{latest}.draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.parent.mkdir(parents=True, exist_ok=True)
        fetched = place.fetch_latest(draft)
        for hidden in draft.glob(".*"):
            shutil.rmtree(hidden) if hidden.is_dir() else hidden.unlink()
        wrong = wrong_files(draft)
        if fetched != latest or wrong:
            raise CensusError(
                f"the last release could not be loaded whole: {(wrong or ['another one came meanwhile'])[0]};"
                " run the same command again"
            )
        draft.rename(base / loaded)
    return loaded
