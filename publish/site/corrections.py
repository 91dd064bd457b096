"""What was published and was not so: a list that people keep, shown on the site."""

from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from census.errors import CensusError

CORRECTIONS = Path("datasets/corrections.json")
"""The project's own list, from the working directory."""


class Correction(BaseModel):
    """One thing that was wrong. A correction is added, never changed or taken away."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    date: date
    release: str
    what: str
    was: str | None = None
    now: str | None = None
    why: str


_LIST = TypeAdapter(tuple[Correction, ...])


def read_corrections(path: Path | None) -> tuple[Correction, ...]:
    """Read the list that was named, else the project's own where it is there; the newest first.

    Raises CensusError when it cannot be read.
    """
    if path is None:
        if not CORRECTIONS.exists():
            return ()
        path = CORRECTIONS
    try:
        read = _LIST.validate_json(path.read_bytes())
    except OSError as error:
        raise CensusError(f"corrections {path} cannot be read: {error.strerror}; name another file") from error
    except ValidationError as error:
        raise CensusError(f"corrections {path} are not as docs/site.md has them: {error}") from error
    return tuple(sorted(read, key=lambda each: each.date, reverse=True))
