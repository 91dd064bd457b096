"""A census of real public pages, which stay outside the repository: each page's tools against what is known of it.

WEBMCP_CENSUS_REAL_PAGES names the folder in which the pages are laid out, WEBMCP_CENSUS_REAL_PAGES_SERVER the one
that holds their server (`serve.py`) and the list of them (`pages.json`).
"""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

PAGES = os.environ.get("WEBMCP_CENSUS_REAL_PAGES", "")
SERVER = os.environ.get("WEBMCP_CENSUS_REAL_PAGES_SERVER", "")

pytestmark = [
    pytest.mark.skipif(
        not (PAGES and SERVER),
        reason="set WEBMCP_CENSUS_REAL_PAGES and WEBMCP_CENSUS_REAL_PAGES_SERVER to run on real pages",
    ),
    pytest.mark.timeout(900),
]

ONLY_LOOPBACK = "MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND"
"""The pages' fonts, CDNs and back ends are not there, as when the tools of each were written down."""

Page = dict[str, Any]


@pytest.fixture(scope="module")
def pages() -> Iterator[list[Page]]:
    """The pages, served; each with its URL and what is expected of it."""
    server = subprocess.Popen(
        [sys.executable, Path(SERVER) / "serve.py", PAGES], stdout=subprocess.PIPE, text=True, cwd=SERVER
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=30) as answer:
            served: list[Page] = json.load(answer)
        listed = json.loads((Path(SERVER) / "pages.json").read_text())
        missing = {page["page"] for page in listed} - {page["page"] for page in served}
        assert not missing, f"not laid out in {PAGES}: {sorted(missing)}"
        yield served
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


def run(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "webmcp_census", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[-4000:]}"


def census(pages: list[Page], folder: Path) -> dict[str, dict[str, list[str]]]:
    """Crawl and build; what differs from the expectation, by page."""
    targets = folder / "targets.txt"
    targets.write_text("".join(f"{page['url']}\n" for page in pages))
    run(
        "crawl", targets, "--out", folder / "run", "--allow-private", "--delay", "0", "--concurrency", "8",
        "--host-resolver-rules", ONLY_LOOPBACK,
    )  # fmt: skip
    run("build", folder / "run", "--out", folder / "release")
    visits, tools = (pl.read_parquet(folder / "release" / "data" / f"{name}.parquet") for name in ("pages", "tools"))
    assert sorted(visits["target_url"]) == sorted(page["url"] for page in pages)
    found: dict[str, set[str]] = {url: set() for url in visits["target_url"]}
    for url, name in visits.join(tools.filter("callable"), on="visit_id").select("target_url", "name").iter_rows():
        found[url].add(name)
    outcomes = dict(visits.select("target_url", "outcome").iter_rows())
    differences = {}
    for page in pages:
        expected, url = set(page["expected"]["tools"]), page["url"]
        if outcomes[url] != "captured" or found[url] != expected:
            differences[page["page"]] = {
                "outcome": [outcomes[url]],
                "missing": sorted(expected - found[url]),
                "must not be there": sorted(found[url] - expected),
            }
    return differences


def test_every_page_has_exactly_its_tools(pages, tmp_path):
    assert census(pages, tmp_path) == {}


@pytest.mark.long
def test_every_page_has_exactly_its_tools_three_times_in_a_row(pages, tmp_path):
    for time in range(3):
        folder = tmp_path / str(time)
        folder.mkdir()
        assert census(pages, folder) == {}, f"time {time + 1}"
