"""What was published is loaded back by those who did not publish it: the same frames from each place."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import webmcp_census
from census.columns import TABLES
from census.opened_release import Release
from tests.census.releases import AFTER, release_of
from tests.publish.fake_hub import TOKEN
from tests.publish.shelves import DATASET, DirectoryShelf, S3Shelf, Shelf

Frames = dict[str, pl.DataFrame]

# One process that loads every table of a version from the hub, as the card says, and leaves them as files. `datasets`
# has no empty ones; these are loaded as the files that they are.
FROM_THE_HUB = """
import shutil, sys
from datasets import load_dataset
from huggingface_hub import hf_hub_download

name, revision, out, *configs = sys.argv[1:]
for config in configs:
    config, _, path = config.partition("=")
    if path:
        shutil.copy(hf_hub_download(name, path, repo_type="dataset", revision=revision), f"{out}/{config}.parquet")
    else:
        load_dataset(name, config, revision=revision, split="train").to_parquet(f"{out}/{config}.parquet")
"""
EMPTY = ("findings", "observations", "compatibility", "trials", "rates")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return release_of(tmp_path_factory.mktemp("loaded"), AFTER)


@pytest.fixture
def published(release: Release, shelf: Shelf) -> Shelf:
    command = ["publish", str(release.folder), "--to", shelf.to, "--sample"]
    assert CliRunner().invoke(webmcp_census.cli, command, standalone_mode=False).return_value == 0
    return shelf


def frames_of(shelf: Shelf, folder: Path) -> Frames:
    """Every table and every table of the sample, with what a reader of each place has."""
    paths = {table: f"data/{table}.parquet" for table in TABLES}
    paths |= {f"sample_{table}": f"sample/{table}.parquet" for table in TABLES}
    if isinstance(shelf, DirectoryShelf):
        version = json.loads((shelf.folder / "latest.json").read_text())["path"]
        return {name: pl.read_parquet(shelf.folder / version / path) for name, path in paths.items()}
    if isinstance(shelf, S3Shelf):
        options = {
            "aws_endpoint_url": shelf.proxy.url, "aws_allow_http": "true", "aws_region": "us-east-1",
            "aws_access_key_id": os.environ["AWS_ACCESS_KEY_ID"],
            "aws_secret_access_key": os.environ["AWS_SECRET_ACCESS_KEY"],
        }  # fmt: skip
        return {
            name: pl.read_parquet(f"{shelf.to}/2026.11.0/{path}", storage_options=options)
            for name, path in paths.items()
        }
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "HF_HOME": str(folder / "hf"), "HF_TOKEN": TOKEN,
        "HF_ENDPOINT": shelf.proxy.url, "HF_HUB_DISABLE_XET": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }  # fmt: skip
    configs = [f"{name}={path}" if name.removeprefix("sample_") in EMPTY else name for name, path in paths.items()]
    asked = [DATASET, "2026.11.0", str(folder), *configs]
    ended = subprocess.run(
        [sys.executable, "-c", FROM_THE_HUB, *asked], env=environment, cwd=folder, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    return {name: pl.read_parquet(folder / f"{name}.parquet") for name in paths}


def test_the_frames_are_those_of_the_release(published: Shelf, release: Release, tmp_path: Path) -> None:
    assert {name for name, table in release.tables.items() if table.is_empty()} == set(EMPTY)
    loaded = frames_of(published, tmp_path)
    for table, expected in release.tables.items():
        assert loaded[table].equals(expected.cast(dict(loaded[table].schema))), table
        assert loaded[table].schema == expected.schema, table
        # Of so few pages the sample is all.
        assert loaded[f"sample_{table}"].equals(loaded[table]), table
