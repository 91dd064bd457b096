"""Which of many millions of keys were there before, in bounded memory: their digests in a temporary file."""

import hashlib
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

T = TypeVar("T")

BATCH = 100_000
_CACHE_KIB = 64 * 1024


class Seen:
    """Remembers keys by 64 bits of their BLAKE2b digest.

    Two different keys are taken for one with probability n²/2⁶⁵: 3 in a million for any pair of 10 million. Memory is
    bounded by SQLite's cache and a batch; the file takes about 25 bytes a key and goes when it is closed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="webmcp-census-seen-", dir=folder)
        self._db = sqlite3.connect(Path(self._folder.name) / "seen.sqlite", isolation_level=None)
        self._db.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
            f"PRAGMA cache_size=-{_CACHE_KIB};"
            "CREATE TABLE seen (digest INTEGER PRIMARY KEY) STRICT;"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
        self._folder.cleanup()

    def first_of_each(self, keyed: Iterable[tuple[str, T]]) -> Iterator[tuple[str, T, bool]]:
        """Each item in its order, with whether its key is new."""
        items = iter(keyed)
        while batch := list(islice(items, BATCH)):
            # In the order of the digests, insertions go through the tree from one end to the other.
            digests = sorted((digest(key), number) for number, (key, _) in enumerate(batch))
            new = bytearray(len(batch))
            with closing(self._db.cursor()) as cursor:
                cursor.execute("BEGIN")
                for each, number in digests:
                    cursor.execute("INSERT OR IGNORE INTO seen VALUES (?)", (each,))
                    new[number] = cursor.rowcount
                cursor.execute("COMMIT")
            for number, (key, item) in enumerate(batch):
                yield key, item, bool(new[number])


def digest(key: str) -> int:
    """64 bits of a key's BLAKE2b digest, as SQLite has integers."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)
