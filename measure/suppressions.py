"""Findings that the user has accepted: one file, and a reason for each."""

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from census.errors import CensusError
from census.finding import Finding

SUPPRESSIONS = Path(".webmcp-census.toml")
"""Looked for in the working directory."""

_EXAMPLE = (
    '[[suppress]], rule = "descriptions/thin", tool = "get_*" (may be left out),'
    ' page = "*/checkout*" (may be left out), reason = "why it is accepted"'
)
_Filled = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Suppression(BaseModel):
    """One accepted kind of finding. The globs are shell-style, where `*` also matches `/`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: _Filled
    tool: _Filled | None = None
    """Glob over the tool's name; it never matches a finding about the page. None: any, also the page."""
    page: _Filled | None = None
    """Glob over the URL or the file; None: any."""
    reason: _Filled

    def covers(self, finding: Finding, sources: Iterable[str]) -> bool:
        """Whether it accepts a finding of what is known by these names."""
        if finding.rule != self.rule:
            return False
        if self.tool is not None and (finding.tool is None or not fnmatchcase(finding.tool, self.tool)):
            return False
        return self.page is None or any(fnmatchcase(source, self.page) for source in sources)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    suppress: tuple[Suppression, ...] = Field(default=())


class Suppressions:
    """The suppressions of one run of a command, and which of them were of use."""

    def __init__(self, suppressions: Iterable[Suppression] = (), path: Path = SUPPRESSIONS) -> None:
        self._suppressions = tuple(suppressions)
        self._path = path
        self._used: set[int] = set()

    @classmethod
    def read(cls, path: Path, rules: Iterable[str]) -> "Suppressions":
        """Read a file. Raises CensusError naming the entry that is wrong: no reason, an unknown key, no such rule."""
        try:
            entries = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig"))).suppress
        except OSError as error:
            raise CensusError(f"suppressions {path} cannot be read: {error.strerror}; name a file of yours") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise CensusError(f"suppressions {path} are not TOML: {error}; write {_EXAMPLE}") from error
        except ValidationError as error:
            raise CensusError(f"suppressions {path}: {_first(error)}; write {_EXAMPLE}") from None
        known = sorted(rules)
        for number, entry in enumerate(entries, 1):
            if entry.rule not in known:
                close = get_close_matches(entry.rule, known, 1)
                meant = f"; did you mean {close[0]}?" if close else "; docs/rules.md lists them"
                raise CensusError(f"suppressions {path}, entry {number}: there is no rule {entry.rule!r}{meant}")
        return cls(entries, path)

    @classmethod
    def named_or_default(cls, path: Path | None, rules: Iterable[str]) -> "Suppressions":
        """The file that was named, else the one in the working directory where it is there, else none."""
        if path is not None:
            return cls.read(path, rules)
        return cls.read(SUPPRESSIONS, rules) if SUPPRESSIONS.exists() else cls()

    def reason(self, finding: Finding, sources: Iterable[str]) -> str | None:
        """Why a finding is accepted; None when it is not."""
        names = tuple(sources)
        for number, suppression in enumerate(self._suppressions):
            if suppression.covers(finding, names):
                self._used.add(number)
                return suppression.reason
        return None

    def unused(self) -> list[str]:
        """A sentence for each suppression that accepted nothing so far."""
        return [
            f"{self._path}, entry {number + 1} ({_words(entry)}) accepts nothing here; remove it if its cause is gone"
            for number, entry in enumerate(self._suppressions)
            if number not in self._used
        ]


def _words(entry: Suppression) -> str:
    tool = f", tool {entry.tool}" if entry.tool else ""
    page = f", page {entry.page}" if entry.page else ""
    return f"{entry.rule}{tool}{page}"


def _first(error: ValidationError) -> str:
    """Say the first thing that is wrong, and in which entry."""
    problem = error.errors()[0]
    place = problem["loc"]
    entry = f"entry {place[1] + 1}" if len(place) > 1 and isinstance(place[1], int) else "the file"
    if len(place) > 2:
        what = {"missing": "is missing", "extra_forbidden": "is no key of a suppression"}.get(problem["type"])
        return f"{entry}: `{place[2]}` {what or problem['msg'].lower()}"
    if problem["type"] == "extra_forbidden":
        return f"{place[0]!r} is no key of it"
    if entry == "the file":
        return "`suppress` is no list of entries: each begins with a line `[[suppress]]`, in two brackets"
    return f"{entry} is no table of keys"
