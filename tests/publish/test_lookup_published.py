"""`lookup` in a real object store, and on a hub that serves files as a hub does: with ranges."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from census.columns import SCHEMA_VERSION
from census.errors import CensusError
from census.optout import OptOut
from publish.latest import Latest
from publish.lookup.question import question
from publish.lookup.sources import open_source
from tests.crawler.s3_server import S3Server, s3, s3_server
from tests.publish.web import SHOP, small_release

__all__ = ["s3", "s3_server"]

VERSION = "2026.11.0"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("small")).folder


def names_of(source: str) -> list[str]:
    answer = open_source(source, OptOut()).look_up(question(SHOP))
    assert answer.release == VERSION
    (entry,) = answer.entries
    return [tool.name for tool in entry.tools]


def test_an_object_store_answers_for_a_version_and_for_the_latest(s3: S3Server, release: Path) -> None:
    bucket, client = s3.bucket(), s3.client()
    for path in release.rglob("*"):
        if path.is_file():
            key = f"census/{VERSION}/{path.relative_to(release).as_posix()}"
            client.put_object(Bucket=bucket, Key=key, Body=path.read_bytes())
    assert names_of(f"s3://{bucket}/census/{VERSION}") == ["add_to_cart", "view_cart", "pay"]
    with pytest.raises(CensusError, match="holds no release"):
        open_source(f"s3://{bucket}/census", OptOut())
    latest = Latest(
        release_version=VERSION, schema_version=SCHEMA_VERSION, path=f"{VERSION}/", manifest_sha256="0" * 64
    )
    client.put_object(Bucket=bucket, Key="census/latest.json", Body=latest.content())
    assert names_of(f"s3://{bucket}/census/") == ["add_to_cart", "view_cart", "pay"]


class _Hub(BaseHTTPRequestHandler):
    """Serves files under the path of a dataset's revision, in the ranges that are asked for."""

    folder: Path
    asked: list[str]
    _PATH = re.compile(r"/datasets/owner/census/resolve/(?:main|2026\.11\.0)/(.+)")

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        named = self._PATH.fullmatch(self.path)
        path = self.folder / named[1] if named else None
        if path is None or not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        start, end = 0, len(data) - 1
        if wanted:
            start = int(wanted[1]) if wanted[1] else max(0, len(data) - int(wanted[2]))
            end = min(end, int(wanted[2])) if wanted[1] and wanted[2] else end
            self.asked.append(path.name)
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{end}/{len(data)}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start + 1))
        self.end_headers()
        if body:
            self.wfile.write(data[start : end + 1])

    def log_message(self, *_: object) -> None:
        """A test's output is not the place for it."""


@pytest.fixture
def hub(release: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Hub]]:
    handler = type("Hub", (_Hub,), {"folder": release, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("source", ["hf:owner/census", f"hf:owner/census@{VERSION}"])
def test_a_hub_answers_in_ranges(hub: type[_Hub], source: str) -> None:
    assert names_of(source) == ["add_to_cart", "view_cart", "pay"]
    assert "pages.parquet" in hub.asked


def test_a_dataset_that_is_not_there_is_an_error(hub: type[_Hub]) -> None:
    with pytest.raises(CensusError, match="cannot be had"):
        open_source("hf:owner/other", OptOut())


@pytest.mark.parametrize("source", ["s3://key:secret@bucket/x", "s3:///x", "hf:owner", "hf:owner/name@../x"])
def test_what_is_no_address_of_a_release_is_refused_without_asking_anybody(source: str) -> None:
    with pytest.raises(CensusError, match="--release") as raised:
        open_source(source, OptOut())
    assert "secret" not in str(raised.value)
