"""What a reader finds at a place, asked of the place itself and not of the publisher."""

import hashlib
import json
import secrets
from pathlib import Path
from typing import Any, Protocol

import pytest

from census.checksums import parse_checksums
from publish.places.directory import DirectoryPlace
from publish.places.hub import HubPlace
from publish.places.hub_repository import HubRepository
from publish.places.place import Place
from publish.places.s3 import S3Place
from tests.publish.fake_hub import TOKEN, FakeHub
from tests.publish.fault_proxy import FaultProxy
from tests.publish.payloads import bytes_of

DATASET = "census/webmcp"


class Shelf(Protocol):
    """A place as a reader sees it."""

    def place(self) -> Place:
        """What publishes to it."""

    def version(self, release_version: str) -> dict[str, bytes] | None:
        """The files of a version; None when a reader does not take it for one."""

    def latest(self) -> str | None:
        """The version that is the latest one; it must be complete."""


class DirectoryShelf:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.to = f"dir:{folder}"

    def place(self) -> Place:
        return DirectoryPlace(self.folder)

    def version(self, release_version: str) -> dict[str, bytes] | None:
        folder = self.folder / release_version
        return bytes_of(folder) if folder.exists() else None

    def latest(self) -> str | None:
        path = self.folder / "latest.json"
        return json.loads(path.read_text())["release_version"] if path.exists() else None


class S3Shelf:
    """Below a prefix of its own; the publisher's requests go through a proxy."""

    def __init__(self, client: Any, bucket: str, proxy: FaultProxy) -> None:
        self._client, self.bucket, self.proxy = client, bucket, proxy
        self.prefix = f"sets/{secrets.token_hex(4)}"
        self.to = f"s3://{bucket}/{self.prefix}"

    def place(self) -> Place:
        return S3Place(self.bucket, self.prefix)

    def version(self, release_version: str) -> dict[str, bytes] | None:
        base = f"{self.prefix}/{release_version}/"
        listed = self._client.list_objects_v2(Bucket=self.bucket, Prefix=base).get("Contents", [])
        files = {each["Key"].removeprefix(base): self._read(each["Key"]) for each in listed}
        return files if "manifest.json" in files else None

    def latest(self) -> str | None:
        key = f"{self.prefix}/latest.json"
        there = self._client.list_objects_v2(Bucket=self.bucket, Prefix=key).get("Contents", [])
        return json.loads(self._read(key))["release_version"] if there else None

    def _read(self, key: str) -> bytes:
        return self._client.get_object(Bucket=self.bucket, Key=key)["Body"].read()


class HubShelf:
    """A dataset of the tests' hub; the publisher's requests go through a proxy."""

    def __init__(self, hub: FakeHub, proxy: FaultProxy) -> None:
        self.hub, self.proxy = hub, proxy
        self.to = f"hf:{DATASET}"

    def place(self) -> Place:
        return HubPlace(HubRepository(DATASET))

    def version(self, release_version: str) -> dict[str, bytes] | None:
        repository = self.hub.repositories.get(DATASET)
        if repository is None or release_version not in repository.tags:
            return None
        return self.hub.files(DATASET, release_version)

    def latest(self) -> str | None:
        if DATASET not in self.hub.repositories:
            return None
        manifest = self.hub.files(DATASET, "main").get("manifest.json")
        return json.loads(manifest)["release_version"] if manifest else None


def point_to(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the hub's client of this process ask there, with the tests' token."""
    monkeypatch.setenv("HF_ENDPOINT", url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)


def assert_whole(files: dict[str, bytes]) -> None:
    """What is there is a release, as its own checksums say."""
    assert {path: hashlib.sha256(content).hexdigest() for path, content in files.items() if path != "SHA256SUMS"} == (
        parse_checksums(files["SHA256SUMS"])
    )
