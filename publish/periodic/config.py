"""The configuration of a periodic census: a TOML file."""

import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from census.errors import CensusError
from publish.places.place import check_place

Option = bool | int | float | str | list[str]
Options = dict[str, Option]
"""The options of a command, without the dashes: `delay = 2` is `--delay=2`, `strict = true` is `--strict`, `robots =
false` is `--no-robots`, a list is the option several times."""

_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_GIVEN = {
    "harvest": {"out", "json"},
    "crawl": {"out", "json", "opt-out", "worker", "add-only"},
    "lint": {"json", "output", "format", "explain"},
    "build": {"out", "json", "opt-out", "previous", "release-version", "partial"},
    "publish": {"to", "json", "opt-out", "previous", "dry-run"},
}
"""What the census says for itself, or what would change what a step is."""


def _place(to: str) -> str:
    try:
        check_place(to)
    except CensusError as error:
        raise ValueError(str(error)) from None
    return to


class Harvest(BaseModel):
    """Where the targets come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sources: list[str] = Field(min_length=1)
    """What `harvest` takes: galleries, sitemaps, lists."""
    options: Options = {}


class Step(BaseModel):
    """A step that only has options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    options: Options = {}


class Publish(Step):
    """Where the release goes; nowhere when no place is named."""

    to: list[Annotated[str, AfterValidator(_place)]] = []


class Config(BaseModel):
    """What one file says. Paths are from the folder that the file is in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: Path
    """Where all that is made stays: a folder for each release, and the state."""
    opt_out: Path | None = None
    """The list that `crawl`, `build`, `release verify` and `publish` are given."""
    harvest: Harvest
    crawl: Step = Step()
    lint: Step = Step()
    build: Step = Step()
    publish: Publish = Publish()

    @model_validator(mode="after")
    def _each_once(self) -> "Config":
        for key, each in (("harvest.sources", self.harvest.sources), ("publish.to", self.publish.to)):
            if len(set(each)) < len(each):
                raise ValueError(f"{key} names something twice")
        return self

    @model_validator(mode="after")
    def _options_are_options(self) -> "Config":
        for step, given in _GIVEN.items():
            for name in getattr(self, step).options:
                if not _NAME.fullmatch(name):
                    raise ValueError(f"[{step}.options] {name!r} is no option's name: leave out the dashes before it")
                if name.replace("_", "-") in given:
                    raise ValueError(f"[{step}.options] {name} is not for a census to set: it says that itself")
        return self


def read_config(path: Path) -> Config:
    """Read the file. Raises CensusError that names the key which is wrong."""
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise CensusError(f"{path} cannot be read: {error.strerror}; give --config a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CensusError(f"{path} is no TOML: {error}") from None
    try:
        return Config.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        said = first["msg"].removeprefix("Value error, ")
        raise CensusError(f"{path}: {where + ': ' if where else ''}{said}; deploy/census.toml is an example") from None


def arguments_of(options: Options) -> list[str]:
    """The options as a command line has them."""
    words: list[str] = []
    for name, value in options.items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif isinstance(value, list):
            words += [f"--{option}={each}" for each in value]
        else:
            words.append(f"--{option}={value}")
    return words
