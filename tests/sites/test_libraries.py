import base64
import hashlib
import io
import shutil
import tarfile
from pathlib import Path

import pytest

from tests.sites.libraries import LIBRARIES, Library, LibraryError, source_in, why_unavailable


def _package(text: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as package:
        member = tarfile.TarInfo("package/dist/index.iife.js")
        member.size = len(text)
        package.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


def _pinned(packed: bytes) -> Library:
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(packed).digest()).decode()
    return Library("@scope/name", "1.0.0", "dist/index.iife.js", integrity)


def test_a_package_with_the_pinned_integrity_gives_its_file() -> None:
    packed = _package("const here = 1;")
    assert source_in(_pinned(packed), packed) == "const here = 1;"


def test_another_package_than_the_pinned_one_is_refused() -> None:
    with pytest.raises(LibraryError, match="pinned is sha512-"):
        source_in(_pinned(_package("const here = 1;")), _package("const here = 2;"))


def test_without_npm_and_without_a_copy_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr("tests.sites.libraries.CACHE", tmp_path)
    assert "npm is not installed" in (why_unavailable() or "")


def test_every_library_is_pinned_by_sha512() -> None:
    assert len(LIBRARIES) == 8
    assert all(len(base64.b64decode(library.integrity.removeprefix("sha512-"))) == 64 for library in LIBRARIES.values())
