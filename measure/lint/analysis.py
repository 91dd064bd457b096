"""A manifest with what several rules need to know of it, worked out once."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from pydantic import JsonValue

from census.vocabulary import Kind
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.name_pairs import same_word, telling_words
from measure.lint.schema_walk import Path, Place, Role, subschemas
from measure.lint.text import well_formed
from measure.lint.token_count import tokens_of
from measure.lint.tool_texts import texts_of
from measure.lint.vocabulary import GENERIC
from measure.lint.words import content_size, content_words, folded, is_english, name_words, stem, words

_T = TypeVar("_T")


class ToolAnalysis:
    """One tool, its position, and its words."""

    def __init__(self, index: int, tool: ManifestTool) -> None:
        self.index = index
        self.tool = tool
        self.name = well_formed(tool.name)
        self.description = well_formed(tool.description).strip()

    @cached_property
    def name_words(self) -> tuple[str, ...]:
        """The words of the name, in order."""
        return tuple(name_words(self.name))

    @cached_property
    def folded(self) -> str:
        """The description without differences of case, width and white space."""
        return " ".join(folded(self.description).split())

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the description."""
        return frozenset(words(self.description))

    @cached_property
    def telling_stems(self) -> frozenset[str]:
        """The stems of the words of the name that say what it is about; of all words when none does."""
        telling = telling_words(self.name_words)
        return frozenset(stem(word) for word in [each for each in telling if each not in GENERIC] or telling)

    @cached_property
    def content_words(self) -> tuple[str, ...]:
        """The description's words without function words, in order."""
        return tuple(content_words(self.description))

    @cached_property
    def content_stems(self) -> frozenset[str]:
        """The stems of the description's content words."""
        return frozenset(stem(word) for word in self.content_words)

    @cached_property
    def content_size(self) -> float:
        """How many content words the description has, over scripts."""
        return content_size(self.description)

    @cached_property
    def restates_name(self) -> bool:
        """Whether the description says nothing but the name again, with words that fit any tool."""
        found = self.content_words
        own = [word for word in self.name_words if not word.isnumeric()]
        if len(found) > 2 * len(own) + 2:
            return False
        added = [word for word in found if not any(same_word(word, part) for part in own)]
        return len(added) < len(found) and all(word in GENERIC for word in added)

    @cached_property
    def texts(self) -> tuple[tuple[Path, str], ...]:
        """Every text that a model is shown, with its place."""
        return tuple(texts_of(self.tool, self.places))

    @cached_property
    def all_text(self) -> str:
        """These texts in one, to rule a pattern out at once."""
        return "\n".join(text for _, text in self.texts)

    @cached_property
    def tokens(self) -> int:
        """What the tool costs a model."""
        return tokens_of(self.tool)

    @cached_property
    def english(self) -> bool:
        """Whether the description can be English."""
        return is_english(self.description)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The subschemas of the input schema; none when it is no object."""
        return tuple(subschemas(self.tool.input_schema)) if isinstance(self.tool.input_schema, dict) else ()

    @cached_property
    def parameters(self) -> tuple[Place, ...]:
        """The top-level properties."""
        return tuple(place for place in self.places if place.role is Role.PROPERTY and len(place.path) == 3)

    @cached_property
    def hints(self) -> dict[str, JsonValue]:
        """The annotations by the browser's names: `readOnly` also when a file says `readOnlyHint`."""
        return {name.removesuffix("Hint"): value for name, value in (self.tool.annotations or {}).items()}

    @property
    def is_form(self) -> bool:
        """Whether a form declares the tool."""
        return self.tool.kind is Kind.FORM


class Analysis:
    """A manifest's tools, and what they are together."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.page = manifest.page
        self.tools = tuple(ToolAnalysis(index, tool) for index, tool in enumerate(manifest.tools))
        self._done: dict[Any, Any] = {}

    def once(self, work: "Callable[[Analysis], _T]") -> _T:
        """What a function makes of the manifest, worked out the first time it is asked for."""
        if work not in self._done:
            self._done[work] = work(self)
        result: _T = self._done[work]
        return result

    @cached_property
    def offered(self) -> tuple[ToolAnalysis, ...]:
        """The tools that an agent is or may be shown; those of a polyfill alone are not."""
        return tuple(each for each in self.tools if each.tool.callable is not False)
