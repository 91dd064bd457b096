import json
import re
from typing import Any

import mlcroissant
import pytest
import yaml

from census.columns import TABLES
from census.opened_release import Release
from census.summary import Rate
from census.vocabulary import Outcome
from tests.census.factories import captured, failed, tool
from tests.census.releases import release_of

VISITS = [
    captured("https://one.com/", tools=[tool("search", description="Ask jo@mail.com.")]),
    captured("https://two.com/"),
    captured("https://three.com/"),
    failed("https://four.com/", Outcome.OPTED_OUT),
]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return release_of(tmp_path_factory.mktemp("card"), VISITS)


@pytest.fixture(scope="module")
def card(release: Release) -> str:
    return (release.folder / "README.md").read_text()


def test_the_header_has_a_config_for_each_table(card: str, release: Release) -> None:
    header = yaml.safe_load(card.split("---")[1])
    assert header["license"] == "cc-by-4.0"
    assert header["size_categories"] == ["n<1K"]
    assert {config["config_name"]: config["data_files"] for config in header["configs"]} == {
        table: f"data/{table}.parquet" for table in TABLES
    }
    assert [config["config_name"] for config in header["configs"] if config.get("default")] == ["pages"]
    assert all((release.folder / config["data_files"]).is_file() for config in header["configs"])


def test_every_rate_stands_with_its_interval_and_n(card: str, release: Release) -> None:
    rates = [number for number in release.summary.numbers if isinstance(number, Rate)]
    assert len(rates) > 15
    assert "| Measured pages with a callable tool | 33.3 % | 6.1 to 79.2 % | 1 | 3 | nothing |" in card
    for rate in rates:
        (line,) = [line for line in card.splitlines() if line.startswith(f"| {rate.title} |")]
        assert re.search(r"\| [\d.]+ to [\d.]+ % \| [\d,]+ \| [\d,]+ \|", line), line


def test_it_says_what_was_left_out_and_taken_out(card: str) -> None:
    assert "4 targets: 3 `captured`, 1 `opted_out`" in card
    assert "Taken out of URLs and texts before publication: 1 e\\_mail" in card


def test_every_column_is_described(card: str) -> None:
    for columns in TABLES.values():
        for column in columns:
            assert f"| `{column.name}` | {column.dtype} | {column.description} |" in card


@pytest.mark.parametrize(
    "part", ["Load it", "Headlines", "What it does not say", "Ethics", "Opt out", "Licence", "Cite"]
)
def test_it_has_its_parts(part: str, card: str) -> None:
    assert f"\n## {part}\n" in card


def test_the_licences_and_the_revision_are_said(card: str) -> None:
    assert "CC-BY-4.0" in card
    assert "MIT" in card
    assert 'load_dataset("OWNER/webmcp-census", "pages", revision="2026.11.0", split="train")' in card


def test_croissant_is_valid_and_its_records_are_the_rows(release: Release) -> None:
    dataset = mlcroissant.Dataset(jsonld=release.folder / "croissant.json")
    assert dataset.metadata.ctx.issues.errors == set()
    assert {record_set.id for record_set in dataset.metadata.record_sets} == set(TABLES)
    records: list[dict[str, Any]] = list(dataset.records("pages"))
    assert [record["pages/target_url"] for record in records] == [
        b"https://one.com/", b"https://three.com/", b"https://two.com/",
    ]  # fmt: skip


def test_croissant_names_every_column_with_its_type(release: Release) -> None:
    document = json.loads((release.folder / "croissant.json").read_text())
    fields = {
        record_set["name"]: {field["name"]: field["dataType"] for field in record_set["field"]}
        for record_set in document["recordSet"]
    }
    assert {table: list(names) for table, names in fields.items()} == {
        table: [column.name for column in columns] for table, columns in TABLES.items()
    }
    pages = fields["pages"]
    assert (pages["visited_at"], pages["attempts"], pages["shell"], pages["site"]) == (
        "sc:DateTime", "sc:Integer", "sc:Boolean", "sc:Text",
    )  # fmt: skip


def test_croissants_digests_are_those_of_the_files(release: Release) -> None:
    document = json.loads((release.folder / "croissant.json").read_text())
    digests = {file["contentUrl"]: file["sha256"] for file in document["distribution"]}
    listed = {file.path: file.sha256 for file in release.manifest.files}
    assert digests == {f"data/{table}.parquet": listed[f"data/{table}.parquet"] for table in TABLES}
