"""Progress of work that is counted: a bar on stderr, on a terminal only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[int, int], None]]:
    """What is to be told how many of how many are done, while the block lasts."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(doing)
        yield lambda done, total: progress.update(task, completed=done, total=total)
