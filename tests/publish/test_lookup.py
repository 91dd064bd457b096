"""`webmcp-census lookup` from a release folder."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from census.optout import OptOut
from census.parquet import table_path
from publish.lookup.command import lookup_command
from publish.lookup.question import question
from publish.lookup.release_tables import ReleaseTables
from tests.publish.web import (
    DEAD,
    DOWN,
    HOSTILE,
    MOVED,
    MOVED_TO,
    OPTED_OUT,
    OVERRIDE,
    SCRIPT,
    SHOP,
    SHOP_CART,
    small_release,
)

Look = Callable[..., Result]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("small")).folder


@pytest.fixture
def optout(tmp_path: Path) -> Path:
    path = tmp_path / "optout.txt"
    path.write_text("example.biz 2026-11-30 owner\n")
    return path


@pytest.fixture
def look(release: Path, optout: Path) -> Look:
    def run(text: str, *options: str) -> Result:
        arguments = [text, "--release", str(release), "--opt-out", str(optout), *options]
        return CliRunner().invoke(lookup_command, arguments, standalone_mode=False)

    return run


def urls(result: Result) -> list[str]:
    return [entry["page"]["target_url"] for entry in json.loads(result.output)["entries"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SHOP, SHOP),
        ("www.shop.example.com", SHOP),
        ("shop.example.com/cart/", SHOP_CART),
        ("down.example.io:8080", DOWN),
        (MOVED_TO, MOVED),
        ("corner shop", SHOP),
        ("whole", None),
        ("hello", MOVED),
        # One page of the host: it is meant.
        ("dead.example.net", DEAD),
    ],
)
def test_a_page_is_found_by_url_host_project_and_tool(look, text, found):
    result = look(text, "--json")
    assert urls(result) == ([found] if found else [])
    assert result.return_value == (0 if found else 1)


def test_other_pages_of_the_host_are_named(look):
    result = json.loads(look("shop.example.com", "--json").output)
    assert [line["url"] for line in result["others"]] == [SHOP_CART]


def test_a_name_that_several_pages_have_gives_them_all(look):
    result = json.loads(look("view_cart", "--json").output)
    assert result["entries"] == []
    assert [line["url"] for line in result["others"]] == [SHOP, SHOP_CART]


@pytest.mark.parametrize("text", [OPTED_OUT, "private.example.biz", "whisper_secrets"])
def test_a_site_that_opted_out_is_as_unknown_as_any_other(look, text):
    known, unknown = look(text), look("https://never-heard-of.example/")
    assert known.return_value == unknown.return_value == 1
    assert known.output.splitlines()[1:5] == unknown.output.splitlines()[1:5]
    assert "whisper" not in known.output.replace(text, "")


def test_the_text_says_what_is_wrong_the_worst_first_and_what_to_do(look):
    said = look(SHOP).output
    assert "An agent is offered 3 tools" in said
    assert said.index("1. error `pay` breaks.") < said.index("do: Rename `pay`.") < said.index("2. warning")
    assert "likewise: view_cart" in said
    # The record of `pay`: a cross-site frame with allow=tools that exposes it to nobody.
    assert "registered in a frame of another origin and" in said
    assert f"webmcp-census check {SHOP}" in said


def test_a_page_without_tools_says_why(look):
    assert "names of the API that are gone" in look(DEAD).output
    assert "no connection" in look(DOWN).output


def test_the_scorecard_has_a_remedy_for_every_finding(look):
    card = look(SHOP, "--format", "markdown").output
    assert card.count("**Do:**") == 3
    assert "`add\\_to\\_cart` is the right tool" in card.replace("\\`", "`")


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_a_page_says_is_inert(look, form):
    said = look(HOSTILE, "--format", form).output
    assert "\u202e" not in said
    assert "⟨U+202E⟩" in said
    assert len(said) < 20_000
    if form == "markdown":
        assert "<script>" not in said.partition("## Measure it yourself")[0]
    assert SCRIPT not in said or form == "text"
    assert OVERRIDE not in said


def test_the_rows_of_other_sites_are_not_read(release, tmp_path):
    whole = pl.read_parquet(release / table_path("tools"))
    damaged = tmp_path / "tools.parquet"
    whole.write_parquet(damaged, row_group_size=1, statistics="full")
    _overwrite_row_groups(damaged, [number for number, site in enumerate(whole["site"]) if site != "example.com"])
    with pytest.raises(pl.exceptions.PolarsError):
        pl.read_parquet(damaged)

    def scan(table: str) -> pl.LazyFrame:
        return pl.scan_parquet(damaged if table == "tools" else release / table_path(table))

    answer = ReleaseTables("2026.11.0", scan, OptOut()).look_up(question(SHOP))
    assert [tool.name for tool in answer.entries[0].tools] == ["add_to_cart", "view_cart", "pay"]


def _overwrite_row_groups(path: Path, numbers: list[int]) -> None:
    data = bytearray(path.read_bytes())
    metadata = pyarrow.parquet.read_metadata(path)
    for number in numbers:
        group = metadata.row_group(number)
        for column in map(group.column, range(group.num_columns)):
            start = column.dictionary_page_offset or column.data_page_offset
            data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(data)


def test_a_folder_that_is_no_release_is_an_error_that_says_what_to_do(tmp_path, optout):
    result = CliRunner().invoke(lookup_command, ["x", "--release", str(tmp_path)], standalone_mode=False)
    assert "is no release" in str(result.exception)
    assert "--release" in str(result.exception)
