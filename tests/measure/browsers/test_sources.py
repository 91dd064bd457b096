"""What comes from Debian and npm: taken only with the listed digest; gone is told from not reached.

The clients are stand-ins on the PATH that do what the real ones were seen to do.
"""

import base64
import hashlib
import io
import os
import tarfile
from pathlib import Path

import brotli
import pytest

from census.errors import CensusError
from measure.browsers.build import DebianPackage, ListedBuild, NpmPackage
from measure.browsers.sources import Gone, Unavailable, bring

EXECUTABLE = b"#!/bin/sh\necho Chromium 1.2.3.4\n" * 1000
DEB = b"the package"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "clients"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return put


def tarball(member: str = "package/bin/chromium.br", content: bytes | None = None) -> bytes:
    content = brotli.compress(EXECUTABLE) if content is None else content
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo(member)
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def npm_build(file: bytes) -> ListedBuild:
    integrity = f"sha512-{base64.b64encode(hashlib.sha512(file).digest()).decode()}"
    package = NpmPackage(package="@x/chromium", version="1.0.0", integrity=integrity, member="package/bin/chromium.br")
    return ListedBuild(
        label="sp1", name="Chromium", version="1.2.3.4", engine="chromium", executable="bin/chromium", npm=package
    )


def debian_build(sha256: str = hashlib.sha256(DEB).hexdigest()) -> ListedBuild:
    package = DebianPackage(package="chromium", version="150.0-1", sha256=sha256)
    return ListedBuild(
        label="cr1", name="Chromium", version="1.2.3.4", engine="chromium", executable="usr/chromium", debian=(package,)
    )


def brought(build: ListedBuild, tmp_path: Path) -> Path:
    place, scratch = tmp_path / "place", tmp_path / "scratch"
    place.mkdir()
    scratch.mkdir()
    bring(build, place, scratch)
    return place


def packs(client, tmp_path: Path, file: bytes) -> None:
    (tmp_path / "packed").write_bytes(file)
    client("npm", f'[ "$1 $2" = "pack @x/chromium@1.0.0" ] && cp {tmp_path}/packed x-chromium-1.0.0.tgz')


def test_npm_brings_an_executable_that_is_decompressed(client, tmp_path):
    packs(client, tmp_path, tarball())
    assert (brought(npm_build(tarball()), tmp_path) / "bin/chromium").read_bytes() == EXECUTABLE


def test_a_tarball_with_another_digest_is_refused_before_it_is_opened(client, tmp_path):
    packs(client, tmp_path, b"no tarball at all")
    with pytest.raises(CensusError, match=r"@x/chromium 1\.0\.0 has the integrity sha512-"):
        brought(npm_build(tarball()), tmp_path)
    assert list((tmp_path / "place").iterdir()) == []


def test_a_tarball_without_the_executable_is_refused(client, tmp_path):
    other = tarball("package/readme.md")
    packs(client, tmp_path, other)
    with pytest.raises(CensusError, match=r"has no file package/bin/chromium\.br"):
        brought(npm_build(other), tmp_path)


def test_an_executable_that_was_cut_off_is_refused(client, tmp_path):
    cut = tarball(content=brotli.compress(os.urandom(5000))[:-100])
    packs(client, tmp_path, cut)
    with pytest.raises(CensusError, match="is not whole"):
        brought(npm_build(cut), tmp_path)


def test_npm_says_that_a_version_is_gone(client, tmp_path):
    client("npm", "echo 'npm error code ETARGET' >&2; exit 1")
    with pytest.raises(Gone, match=r"npm has no @x/chromium@1\.0\.0"):
        brought(npm_build(tarball()), tmp_path)


def test_npm_without_a_network_says_nothing_of_the_package(client, tmp_path):
    client("npm", "echo 'npm error code EAI_AGAIN' >&2; exit 1")
    with pytest.raises(Unavailable, match="EAI_AGAIN"):
        brought(npm_build(tarball()), tmp_path)


def test_a_machine_without_the_client_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="there is no npm on this machine"):
        brought(npm_build(tarball()), tmp_path)


def downloads(client) -> None:
    client(
        "apt-get",
        f'[ "$1 $2" = "download chromium=150.0-1" ] && printf "{DEB.decode()}" > chromium_150.0-1_amd64.deb',
    )
    client("dpkg", 'mkdir -p "$3/usr" && echo unpacked > "$3/usr/chromium"')


def test_a_package_of_debian_is_unpacked(client, tmp_path):
    downloads(client)
    assert (brought(debian_build(), tmp_path) / "usr/chromium").read_text() == "unpacked\n"


def test_a_package_with_another_digest_is_not_unpacked(client, tmp_path):
    downloads(client)
    with pytest.raises(CensusError, match=f"chromium 150.0-1 has the SHA-256 .*, not {'ab' * 32}"):
        brought(debian_build("ab" * 32), tmp_path)
    assert list((tmp_path / "place").iterdir()) == []


@pytest.mark.parametrize(
    "said",
    ["E: Version '150.0-1' for 'chromium' was not found", "E: Unable to locate package chromium", "404  Not Found"],
)
def test_a_version_that_debian_no_longer_has_is_gone_and_the_others_are_named(client, tmp_path, said):
    client("apt-get", f'echo "{said}" >&2; exit 100')
    client("apt-cache", "printf ' chromium | 151.0-1 | mirror\\n chromium | 152.0-1 | mirror\\n'")
    with pytest.raises(Gone, match=r"apt has no chromium=150\.0-1; it has 151\.0-1, 152\.0-1: add an entry"):
        brought(debian_build(), tmp_path)


def test_a_mirror_that_is_not_reached_is_not_a_package_that_is_gone(client, tmp_path):
    client("apt-get", "echo 'E: Failed to fetch: Temporary failure resolving' >&2; exit 100")
    with pytest.raises(Unavailable, match="Temporary failure resolving"):
        brought(debian_build(), tmp_path)
