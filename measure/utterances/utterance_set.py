"""The file of an utterance set, in one place: every field with its meaning."""

import json
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from census.atomic import write_whole
from census.errors import CensusError
from census.vocabulary import Word
from measure.lint.strict_json import read_json

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,79}$")]
Text = Annotated[str, Field(min_length=1, max_length=2_000)]
ToolName = Annotated[str, Field(min_length=1, max_length=128)]


class Tag(Word):
    """How something is said. Direct and ambiguous requests are different things and are scored apart."""

    DIRECT = "direct", "Says what is wanted, in the page's own words or close to them."
    PARAPHRASE = "paraphrase", "Says what is wanted in other words."
    AMBIGUOUS = "ambiguous", "Leaves open what is wanted, or how much of it."
    NOISY = "noisy", "With typing errors, filler or talk about other things."
    OTHER_LANGUAGE = "other_language", "In another language than the page's."


class ControlKind(Word):
    """Why no tool should answer a control."""

    IRRELEVANT = "irrelevant", "Has nothing to do with the page."
    NEAR_MISS = "near_miss", "Belongs to the page, and none of its tools can do it."
    INJECTION = "injection", "Quotes a text that orders a call which the user does not want."


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Author(_Part):
    """Who wrote an utterance. A judge may not judge what it wrote."""

    kind: Literal["person", "model"]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    """Of a model, as a judge is named: `openai:MODEL`, `anthropic:MODEL`."""


class SetupCall(_Part):
    """A call that is made before the utterance is said, so that it makes sense."""

    tool: ToolName
    arguments: dict[str, JsonValue] = {}


class Utterance(_Part):
    """Something said, and the tool that should answer it."""

    id: Id
    text: Text
    tag: Tag
    author: Author
    tool: ToolName
    """The expected tool: the rate that it counts in."""
    acceptable: tuple[ToolName, ...] = ()
    """Other tools that are right as well."""
    arguments: dict[str, JsonValue] | None = None
    """Expected arguments of the expected tool, by the rules of `measure.utterances.expectation`; None: any that fit
    the tool's schema."""
    setup: tuple[SetupCall, ...] = ()


class Control(_Part):
    """Something said that no tool should answer."""

    id: Id
    text: Text
    kind: ControlKind
    author: Author
    setup: tuple[SetupCall, ...] = ()


class UtteranceSet(_Part):
    """A set of utterances for one page (or for one page in several manifests)."""

    format: Literal[1]
    name: Id
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]
    page: Annotated[str, Field(min_length=1)]
    """The page's URL, or its path in the folder that is served."""
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")] = "en"
    """The page's own (BCP 47)."""
    utterances: tuple[Utterance, ...]
    controls: tuple[Control, ...]
    digest: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    """Of all the rest; written by `utterances freeze`, absent in a draft."""

    @property
    def everything(self) -> tuple[Utterance | Control, ...]:
        """All that is said: the utterances, then the controls."""
        return (*self.utterances, *self.controls)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        seen: set[str] = set()
        for each in self.everything:
            if each.id in seen:
                raise ValueError(f"the id {each.id!r} is there twice; give each utterance and control its own")
            seen.add(each.id)
        return self


def read_set(path: Path) -> UtteranceSet:
    """Read a set. Raises CensusError that names the file and the place for one that is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CensusError(f"{path} cannot be read ({error}): give the JSON file of an utterance set") from None
    value = read_json(text, str(path))
    try:
        return UtteranceSet.model_validate_json(text.removeprefix("\ufeff"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = _place(value, first["loc"])
        more = f" ({error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise CensusError(f"{path}: {where}: {first['msg']}{more}: mend it there") from None


def write_set(path: Path, utterances: UtteranceSet) -> None:
    """Write a set; a crash leaves the old file or the new one. Raises CensusError when it cannot be written."""
    content = utterances.model_dump(mode="json", exclude_defaults=True)
    try:
        write_whole(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise CensusError(f"{path} cannot be written ({error.strerror}): name another file") from None


def _place(value: JsonValue, steps: tuple[int | str, ...]) -> str:
    """Say where a fault is, with the id of the utterance, which a reader can search for."""
    named = ""
    part = value
    for step in steps:
        if isinstance(part, dict) and isinstance(step, str):
            part = part.get(step)
        elif isinstance(part, list) and isinstance(step, int) and step < len(part):
            part = part[step]
        else:
            break
        if isinstance(part, dict) and isinstance(part.get("id"), str):
            named = f" (id {part['id']!r})"
    return (".".join(map(str, steps)) or "the whole file") + named
