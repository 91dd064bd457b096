"""`lookup` in a real object store, and on a hub that serves files as a hub does: in ranges, at signed addresses."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from census.columns import SCHEMA_VERSION
from census.errors import CensusError
from census.optout import OptOut
from publish.latest import Latest
from publish.lookup.question import question
from publish.lookup.sources import open_source
from tests.crawler.s3_server import S3Server, s3, s3_server
from tests.publish.fake_hub import TOKEN, FakeHub, Repository
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


@pytest.fixture
def hub(release: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeHub]:
    """A hub with the release in the dataset `owner/census`, and nobody logged in."""
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    with FakeHub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        files = {
            path.relative_to(release).as_posix(): path.read_bytes() for path in release.rglob("*") if path.is_file()
        }
        hub.objects = {sha256(content).hexdigest(): content for content in files.values()}
        dataset = hub.repositories["owner/census"] = Repository()
        dataset.tags[VERSION] = dataset.add("main", f"Release {VERSION}", files, None)
        yield hub


def loaded(hub: FakeHub) -> list[str]:
    """What was got from the hub, whole or in part."""
    return [request for request in hub.requests if request.startswith("GET ")]


@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("source", ["hf:owner/census", f"hf:owner/census@{VERSION}"])
def test_a_hub_answers_for_the_latest_and_for_a_version(hub: FakeHub, source: str, signs: bool) -> None:
    hub.signs = signs
    assert names_of(source) == ["add_to_cart", "view_cart", "pay"]


def test_tables_are_read_where_they_lie_and_the_token_stays_at_the_hub(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.private.add("owner/census")
    hub.signs = True
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    # The other host refuses whoever brings a token.
    assert names_of("hf:owner/census") == ["add_to_cart", "view_cart", "pay"]
    assert not any(request.endswith(".parquet") for request in loaded(hub))
    assert any("/lfs/" in request for request in loaded(hub))


def test_the_token_of_who_is_logged_in_will_do(hub: FakeHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hub.private.add("owner/census")
    hub.signs = True
    (tmp_path / "token").write_text(TOKEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "token"))
    assert names_of("hf:owner/census") == ["add_to_cart", "view_cart", "pay"]


def test_a_hub_that_serves_its_files_itself_gives_a_private_table_whole(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.private.add("owner/census")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert names_of("hf:owner/census") == ["add_to_cart", "view_cart", "pay"]


@pytest.mark.parametrize("token", ["", "hf_th1sIsN0tTheR1ghtOne"])
def test_a_private_dataset_is_not_there_for_others(hub: FakeHub, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    hub.private.add("owner/census")
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(CensusError, match="hf auth login") as raised:
        open_source("hf:owner/census", OptOut())
    assert "hf_th1s" not in str(raised.value)


def test_a_table_that_cannot_be_read_is_an_error_without_the_signed_address(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.private.add("owner/census")
    hub.signs = True
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub.objects = dict.fromkeys(hub.objects, b"no Parquet" * 9)
    with pytest.raises(CensusError, match="cannot be read") as raised:
        names_of("hf:owner/census")
    assert "th1sAddress" not in str(raised.value)
    assert TOKEN not in str(raised.value)


@pytest.mark.parametrize("source", ["hf:owner/other", "hf:owner/census@2025.01.0"])
def test_what_is_not_on_a_hub_is_an_error(hub: FakeHub, source: str) -> None:
    with pytest.raises(CensusError, match=f"{source} is not there"):
        open_source(source, OptOut())


def test_a_dataset_that_holds_something_else_is_an_error(hub: FakeHub) -> None:
    hub.repositories["owner/cats"] = cats = Repository()
    cats.add("main", "cats", {"README.md": b"cats"}, None)
    with pytest.raises(CensusError, match="holds no release"):
        open_source("hf:owner/cats", OptOut())


def test_a_hub_that_is_away_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with pytest.raises(CensusError, match="cannot be read") as raised:
        open_source("hf:owner/census", OptOut())
    assert TOKEN not in str(raised.value)


@pytest.mark.parametrize("source", ["s3://key:secret@bucket/x", "s3:///x", "hf:owner", "hf:owner/name@../x"])
def test_what_is_no_address_of_a_release_is_refused_without_asking_anybody(source: str) -> None:
    with pytest.raises(CensusError, match="--release") as raised:
        open_source(source, OptOut())
    assert "secret" not in str(raised.value)
