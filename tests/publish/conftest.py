"""What the publisher's tests share: a directory, a real S3 server, a hub, each with a proxy that can spoil requests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawler.s3_server import S3Server, s3_server  # noqa: F401 -- a fixture
from tests.publish.fake_hub import FakeHub
from tests.publish.fault_proxy import FaultProxy
from tests.publish.shelves import DirectoryShelf, HubShelf, S3Shelf, Shelf, point_to


@pytest.fixture
def directory(tmp_path: Path) -> DirectoryShelf:
    return DirectoryShelf(tmp_path / "published")


@pytest.fixture(scope="session")
def bucket(s3_server: S3Server) -> str:  # noqa: F811 -- the fixture
    """One for all tests, which have each a prefix of their own."""
    return s3_server.bucket()


@pytest.fixture
def s3_shelf(
    s3_server: S3Server,  # noqa: F811 -- the fixture
    bucket: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[S3Shelf]:
    # What is slow here is the machine, and no fault of the store's.
    monkeypatch.setattr("census.s3_bucket._READ_TIMEOUT", 120)
    with FaultProxy(s3_server.endpoint) as proxy:
        for name, value in {**s3_server.environment, "AWS_ENDPOINT_URL": proxy.url}.items():
            monkeypatch.setenv(name, value)
        yield S3Shelf(s3_server.client(), bucket, proxy)


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with FakeHub() as hub:
        yield hub


@pytest.fixture
def hub_shelf(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubShelf]:
    with FaultProxy(hub.url) as proxy:
        point_to(proxy.url, monkeypatch)
        monkeypatch.setattr("publish.places.hub._PAUSE", 0.01)
        # Between its tries the hub's own client waits for seconds.
        monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _seconds: None)
        yield HubShelf(hub, proxy)


@pytest.fixture(params=["directory", "s3_shelf", "hub_shelf"])
def shelf(request: pytest.FixtureRequest) -> Shelf:
    """Each place in turn."""
    shelf: Shelf = request.getfixturevalue(request.param)
    return shelf


@pytest.fixture(params=["s3_shelf", "hub_shelf"])
def remote(request: pytest.FixtureRequest) -> S3Shelf | HubShelf:
    """Each place that is asked over HTTP."""
    shelf: S3Shelf | HubShelf = request.getfixturevalue(request.param)
    return shelf
