"""Target lists: JSONL, a JSON array, CSV with a `url` column, or text with a URL a line."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import ValidationError

from census.errors import CensusError
from census.target import Target

LISTED = ("url", "project", "repository", "source", "rank")
"""What a list may say of a target; the crawl finds out the rest."""
FORMS = "JSONL, a JSON array, CSV with a `url` column, or text with a URL a line, in UTF-8"


class ListFormat(StrEnum):
    """The form of a target list."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    TEXT = "text"


_BY_SUFFIX = {
    ".json": ListFormat.JSON,
    ".jsonl": ListFormat.JSONL,
    ".ndjson": ListFormat.JSONL,
    ".csv": ListFormat.CSV,
    ".tsv": ListFormat.CSV,
    ".txt": ListFormat.TEXT,
    ".text": ListFormat.TEXT,
}


@dataclass(frozen=True)
class Problem:
    """An entry that gave no target: where it stands, and why not."""

    file: str
    line: int
    reason: str
    not_http: bool = False
    """Whether it has a URL that is just not http(s); otherwise it could not be read."""

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


@dataclass(frozen=True)
class Counts:
    """Every entry of a list is in exactly one of these."""

    targets: int
    duplicates: int
    not_http: int
    unreadable: int


@dataclass(frozen=True)
class TargetList:
    """The targets in the list's order, each once (the first of two with one key wins)."""

    targets: tuple[Target, ...]
    counts: Counts
    problems: tuple[Problem, ...]


class NotHttpError(ValueError):
    """An entry whose URL has another scheme, or none."""


def format_by_suffix(name: str) -> ListFormat | None:
    """Return the form that a file name says, or None."""
    return _BY_SUFFIX.get(Path(name).suffix.lower())


def read_target_list(path: str | Path, *, list_format: ListFormat | None = None, strict: bool = False) -> TargetList:
    """Read a target list from a file, or from standard input when the path is `-`.

    Raises CensusError as `parse_target_list` does, and when the file cannot be read.
    """
    if str(path) == "-":
        return parse_target_list(sys.stdin.buffer.read(), "<stdin>", list_format=list_format, strict=strict)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CensusError(f"{path}: {error.strerror or error}; give a target list ({FORMS})") from error
    return parse_target_list(data, str(path), list_format=list_format, strict=strict)


def parse_target_list(
    data: bytes, name: str, *, list_format: ListFormat | None = None, strict: bool = False
) -> TargetList:
    """Parse a target list; `name` stands for it in messages, its suffix says the form unless one is given.

    An entry that cannot be read, or whose URL is not http(s), is counted and listed among the problems; with
    `strict` the first one raises CensusError. Also raises CensusError when the whole is no target list
    (binary, not UTF-8, broken JSON, no `url` column) or names no target at all.
    """
    text = _decoded(data, name)
    form = list_format or format_by_suffix(name) or _sniffed(text)
    targets: dict[str, Target] = {}
    problems: list[Problem] = []
    duplicates = 0
    for line, entry in _READERS[form](text, name):
        try:
            target = target_of(entry)
        except ValueError as error:
            problems.append(Problem(name, line, str(error), isinstance(error, NotHttpError)))
            if strict:
                raise CensusError(f"{problems[-1]}; mend the entry, or read the list without strictness") from error
            continue
        duplicates += target.key in targets
        targets.setdefault(target.key, target)
    if not targets:
        first = f" (line {problems[0].line}: {problems[0].reason})" if problems else ""
        raise CensusError(f"{name}: no target in it{first}; give {FORMS}")
    not_http = sum(problem.not_http for problem in problems)
    counts = Counts(len(targets), duplicates, not_http, len(problems) - not_http)
    return TargetList(tuple(targets.values()), counts, tuple(problems))


def _decoded(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise CensusError(f"{name}: a binary file (or UTF-16), not a target list; give {FORMS}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CensusError(f"{name}, line {line}: not UTF-8; save the list as UTF-8") from error


def _sniffed(text: str) -> ListFormat:
    start = text.lstrip()
    if start.startswith("["):
        return ListFormat.JSON
    if start.startswith("{"):
        return ListFormat.JSONL if _json_or_none(start.splitlines()[0]) else ListFormat.JSON
    header = start.partition("\n")[0]
    return ListFormat.CSV if "url" in _columns(header) else ListFormat.TEXT


def _json_or_none(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    # On one line, {"targets": [...]} is a document, anything else the first line of many.
    return None if isinstance(value, dict) and "targets" in value else value


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not str.splitlines(): it also breaks at characters that JSON and URLs may hold, such as U+2028.
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if line.strip():
            yield number, line.strip()


def _read_text(text: str, _name: str) -> Iterator[tuple[int, object]]:
    return ((number, line) for number, line in _lines(text) if not line.startswith("#"))


def _read_jsonl(text: str, _name: str) -> Iterator[tuple[int, object]]:
    for number, line in _lines(text):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, ValueError(f"not JSON: {error}")


def _read_json(text: str, name: str) -> Iterator[tuple[int, object]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CensusError(
            f"{name}: not JSON: {error}; give a JSON array, or name a file with an object a line .jsonl"
        ) from error
    if isinstance(document, dict):
        document = document.get("targets", [document] if "url" in document else None)
    if not isinstance(document, list):
        raise CensusError(f'{name}: neither a JSON array nor {{"targets": [...]}}; give {FORMS}')
    yield from zip(_item_lines(text, len(document)), document, strict=True)


def _item_lines(text: str, items: int) -> Iterator[int]:
    """Yield the line on which each item of the document's array starts."""
    start = re.match(r'\s*(?:\{.*?"targets"\s*:\s*)?\[', text, re.DOTALL)
    decoder = json.JSONDecoder()
    at = start.end() if start else 0
    for _ in range(items):
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
        yield text.count("\n", 0, at) + 1
        _, at = decoder.raw_decode(text, at)


def _columns(header: str) -> list[str]:
    return [cell.strip().strip('"').lower() for cell in header.split(_delimiter(header))]


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def _read_csv(text: str, name: str) -> Iterator[tuple[int, object]]:
    header = text.partition("\n")[0]
    if "url" not in _columns(header):
        raise CensusError(f"{name}, line 1: no `url` column; name one in the first line")
    before = csv.field_size_limit(max(len(text), 1))
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=_delimiter(header))
        rows.fieldnames = [field.strip().lower() for field in rows.fieldnames or ()]
        for row in rows:
            # A row longer than the header keeps its surplus under the key None.
            yield rows.line_num, {key: value or None for key, value in row.items() if key}
    except csv.Error as error:
        raise CensusError(f"{name}, line {rows.line_num}: not CSV: {error}; mend the line") from error
    finally:
        csv.field_size_limit(before)


_READERS: dict[ListFormat, Callable[[str, str], Iterator[tuple[int, object]]]] = {
    ListFormat.JSON: _read_json,
    ListFormat.JSONL: _read_jsonl,
    ListFormat.CSV: _read_csv,
    ListFormat.TEXT: _read_text,
}


def target_of(entry: object) -> Target:
    """Make an entry a target. Raises ValueError with the reason why it is none."""
    if isinstance(entry, ValueError):
        raise entry
    if isinstance(entry, str):
        entry = {"url": entry}
    if not isinstance(entry, dict):
        raise ValueError("neither a URL nor an object with one")
    url = entry.get("url")
    if not isinstance(url, str) or not url.strip():
        raise ValueError("no url")
    if not _is_http(url):
        raise NotHttpError(f"not an http(s) URL: {url.strip()[:200]!r}")
    try:
        return Target.model_validate({name: entry.get(name) for name in LISTED})
    except ValidationError as error:
        raise ValueError(
            "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        ) from error


def _is_http(url: str) -> bool:
    try:
        return urlsplit(url.strip()).scheme.lower() in {"http", "https"}
    except ValueError:
        return url.strip().lower().startswith(("http:", "https:"))
