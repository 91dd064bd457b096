"""Files and folders that stand in their place whole or not at all, whatever is killed and whenever."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO


@contextmanager
def drafted_bytes(path: Path) -> Iterator[BinaryIO]:
    """A draft beside `path` that takes its place when the block ends well, and is taken away when it does not.

    What stands there then survives a power cut. Raises OSError when it cannot be written.
    """
    draft = _beside(path, "draft")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync(path.parent)


@contextmanager
def drafted(path: Path) -> Iterator[TextIO]:
    r"""The same for text, in UTF-8; half a surrogate pair, which has no UTF-8, is written as JSON has it: `\ud83d`."""
    with drafted_bytes(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="\n", errors="backslashreplace")
        yield text
        text.flush()
        text.detach()


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all. Raises OSError when it cannot be written."""
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    with drafted_bytes(path) as file:
        file.write(data)


@contextmanager
def drafted_folder(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` that takes its place, and an earlier one's, when the block ends well.

    Nothing is left behind when the block raises.
    """
    draft = _beside(folder, "draft")
    draft.mkdir(parents=True)
    try:
        yield draft
        if not folder.exists():
            draft.rename(folder)
            return
        old = _beside(folder, "old")
        folder.rename(old)
        draft.rename(folder)
        shutil.rmtree(old)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def sync(path: Path) -> None:
    """Wait until a file, or a folder's entries, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.{suffix}")
