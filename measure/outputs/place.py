"""Where a file is, as a repository's own tools name it."""

from pathlib import Path


def relative(file: str) -> str:
    """The path from the working directory, with `/`, where the file is below it; else the path as it is."""
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()
