"""Reads lists of any length a line at a time: ranked lists, Common Crawl's index, and the forms of a target list.

An entry is a dictionary as a target list has it (`url`, `rank`, …), or the reason why the line gives none.
"""

import csv
import gzip
import io
import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from census.errors import CensusError
from crawler.target_list import ListFormat

Entry = dict[str, Any] | ValueError

RANKED, CDXJ = "ranked", "cdxj"
FORMS = (RANKED, CDXJ, ListFormat.JSONL.value, ListFormat.CSV.value, ListFormat.TEXT.value)

_ADDRESS = ("origin", "url", "domain", "host", "hostname", "site")
_RANK = ("rank", "globalrank", "global_rank", "position")
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


class NotAPage(ValueError):
    """A line of an index that is about something else than a page that answered."""


def form_of(path: Path) -> str | None:
    """The form that a file's name, or its first line, says; None when it is for the reader of short lists."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".zip")
    if name.endswith((".cdxj", ".cdx")) or (name.startswith("cdx-") and not name.endswith(".json")):
        return CDXJ
    if not name.endswith(".csv") or not path.is_file():
        return None
    with opened(path) as lines:
        first = next(iter(lines), "")
    columns = _cells(first)
    if "url" in columns:
        return None
    return RANKED if _columns_of(columns) or _is_rank(columns[:1]) else None


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """A list's lines; of a `.zip` its one file, `.gz` unpacked, `-` standard input. Raises CensusError."""
    try:
        if str(path) == "-":
            yield sys.stdin
        elif path.suffix.lower() == ".gz":
            with gzip.open(path, "rt", encoding="utf-8-sig", newline="") as lines:
                yield lines
        elif path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
                if len(names) != 1:
                    raise CensusError(
                        f"{path}: {len(names)} files in it, and a list is one; unpack it and give the file"
                    )
                with archive.open(names[0]) as file:
                    yield io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        else:
            with path.open(encoding="utf-8-sig", newline="") as lines:
                yield lines
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        raise CensusError(f"{path}: cannot be read: {error}; give a list as it was downloaded") from error
    except UnicodeDecodeError as error:
        raise CensusError(f"{path}: not UTF-8: {error.reason}; save the list as UTF-8") from error


def entries(lines: Iterable[str], form: str, name: str) -> Iterator[tuple[int, Entry]]:
    """Each entry with the number of its line. Raises CensusError when the whole is no list of that form."""
    match form:
        case "ranked":
            yield from _ranked(lines, name)
        case "cdxj":
            yield from _each(lines, _of_index)
        case "jsonl":
            yield from _each(lines, _of_json)
        case "csv":
            yield from _csv(lines, name)
        case _:
            yield from _each(lines, lambda line: {"url": line})


def _each(lines: Iterable[str], read: Any) -> Iterator[tuple[int, Entry]]:
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                yield number, read(text)
            except (ValueError, RecursionError) as error:
                yield number, error if isinstance(error, ValueError) else ValueError("nested too deep")


def _of_json(line: str) -> dict[str, Any]:
    entry = json.loads(line)
    if not isinstance(entry, dict):
        raise ValueError("not an object with a url")
    return entry


def _of_index(line: str) -> dict[str, Any]:
    """A line of a CDXJ file (`SURT TIMESTAMP {…}`), or of what Common Crawl's index server answers (`{…}`)."""
    start = line.find("{")
    entry = _of_json(line[start:]) if start >= 0 else {}
    if not entry:
        raise ValueError("no line of a CDXJ index")
    status, kind = str(entry.get("status", "200")), str(entry.get("mime-detected") or entry.get("mime") or "text/html")
    if status != "200" or kind not in _PAGE_TYPES:
        raise NotAPage(f"status {status}, {kind}")
    return {"url": entry.get("url")}


def _ranked(lines: Iterable[str], name: str) -> Iterator[tuple[int, Entry]]:
    """Tranco and Umbrella (`1,example.org`); CrUX, Majestic and others by the names of their columns."""
    rows = csv.reader(lines)
    address, rank = 1, 0
    try:
        for row in rows:
            if not row:
                continue
            if rows.line_num == 1 and not _is_rank(row[:1]):
                found = _columns_of([cell.strip().lower() for cell in row])
                if found is None:
                    raise CensusError(
                        f"{name}, line 1: neither `RANK,DOMAIN` nor a header with one of {', '.join(_ADDRESS)};"
                        " give a list as Tranco, CrUX or Majestic have it"
                    )
                address, rank = found
                continue
            yield rows.line_num, _ranked_entry(row, address, rank)
    except csv.Error as error:
        raise CensusError(f"{name}, line {rows.line_num}: not CSV: {error}; mend the line") from error


def _ranked_entry(row: list[str], address: int, rank: int) -> Entry:
    if len(row) <= max(address, rank):
        return ValueError(f"{len(row)} columns")
    where, place = row[address].strip(), row[rank].strip() if rank >= 0 else ""
    if rank >= 0 and not _is_rank([place]):
        return ValueError(f"no rank: {place[:40]!r}")
    url = where if "://" in where else f"https://{where}/"
    return {"url": url, "rank": int(place) if place else None}


def _columns_of(header: list[str]) -> tuple[int, int] | None:
    """Where a header has the address and the rank (-1 for none); None when it names no address."""
    address = next((header.index(name) for name in _ADDRESS if name in header), None)
    if address is None:
        return None
    return address, next((header.index(name) for name in _RANK if name in header), -1)


def _is_rank(cells: list[str]) -> bool:
    text = cells[0].strip() if cells else ""
    return text.isascii() and text.isdigit() and 0 < int(text) < 2**31


def _cells(line: str) -> list[str]:
    return [cell.strip().lower() for cell in next(csv.reader([line]), [])]


def _csv(lines: Iterable[str], name: str) -> Iterator[tuple[int, Entry]]:
    rows = csv.DictReader(lines)
    rows.fieldnames = [field.strip().lower() for field in rows.fieldnames or ()]
    if "url" not in rows.fieldnames:
        raise CensusError(f"{name}, line 1: no `url` column; name one in the first line")
    try:
        for row in rows:
            yield rows.line_num, {key: value or None for key, value in row.items() if key}
    except csv.Error as error:
        raise CensusError(f"{name}, line {rows.line_num}: not CSV: {error}; mend the line") from error
