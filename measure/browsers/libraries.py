"""The libraries that an unpacked build brings along."""

import os
from pathlib import Path


def environment(executable: Path) -> dict[str, str]:
    """Our environment, in which the executable finds the libraries that were unpacked beside it (Debian's layout)."""
    beside = executable.parent.parent / "x86_64-linux-gnu"
    if not beside.is_dir():
        return dict(os.environ)
    paths = [str(beside), os.environ.get("LD_LIBRARY_PATH", "")]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths))}
