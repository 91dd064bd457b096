"""One process at work in a folder."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from census.errors import CensusError


@contextmanager
def held(folder: Path, lock: str, work: str, *, wait: bool = False) -> Iterator[None]:
    """Hold a folder, which is made when it is not there, by the file `lock` in it, for some work: a crawl, a run.

    Raises CensusError when it cannot be written, and when another process holds it, unless that is waited for.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / lock).open("w")
    except OSError as error:
        raise CensusError(f"cannot write to {folder}: {error.strerror}; give --out a folder you may write") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CensusError(f"{folder} is in use by another {work}; wait for it or give another --out") from None
        yield
