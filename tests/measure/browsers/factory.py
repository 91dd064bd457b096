"""Builds and their executables, for the tests: a shell script that says which version it is."""

import hashlib
from pathlib import Path

from measure.browsers.build import DebianPackage, ListedBuild


def build(label: str = "cr156", version: str = "156.0.1.2", executable: str = "usr/lib/browser") -> ListedBuild:
    package = DebianPackage(package="browser", version="1-1", sha256=hashlib.sha256(label.encode()).hexdigest())
    return ListedBuild(
        label=label, name="Chromium", version=version, engine="chromium", executable=executable, debian=(package,)
    )


def put_executable(path: Path, version: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho Chromium {version}\n")
