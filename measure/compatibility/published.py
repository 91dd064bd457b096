"""The published matrix, under version control: what lint and check go by, and what a new run is held against."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
from measure.browsers.build import Build


class PublishedBehaviour(BaseModel):
    """A row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    timing: bool = False
    asked: str
    """Digest of the question."""
    values: Mapping[str, str]
    """By the builds' labels."""


class PublishedMatrix(BaseModel):
    """The data file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    builds: tuple[Build, ...]
    """The newest first."""
    behaviours: Mapping[str, PublishedBehaviour]

    def build(self, label: str) -> Build | None:
        """The build of a label."""
        return next((build for build in self.builds if build.label == label), None)

    def value(self, behaviour: str, label: str) -> str | None:
        """A cell; None when it was never published."""
        row = self.behaviours.get(behaviour)
        return row.values.get(label) if row else None


def read_published(path: Path) -> PublishedMatrix:
    """Raises CensusError when the file can't be read or is no matrix."""
    try:
        return PublishedMatrix.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise CensusError(f"{path} is no published matrix: {error}") from error
