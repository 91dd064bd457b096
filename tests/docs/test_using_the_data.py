"""The examples of the page are run as they stand, on a release of the real kind."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from census.vocabulary import BrowserView, Outcome
from tests.census.factories import captured, failed, tool
from tests.census.releases import release_of

PAGE = Path("docs/using-the-data.md")
VISITS = [
    captured("https://one.com/", tools=[tool("search"), tool("pay")]),
    captured("https://two.com/", tools=[tool("search")]),
    captured("https://plain.com/"),
    captured("https://blind.com/", tools=[tool("x")], browser_view=BrowserView.UNAVAILABLE),
    failed("https://gone.com/", Outcome.DNS_ERROR),
]


def examples() -> dict[str, str]:
    """Each Python block of the page, by its heading."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        section.partition("\n")[0]: "\n".join(re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL))
        for section in sections
        if "```python" in section
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_of(tmp_path_factory.mktemp("examples"), VISITS).folder.parent


def test_the_page_has_an_example_for_each_library() -> None:
    assert {"datasets", "Polars", "DuckDB", "pandas"} <= examples().keys()


@pytest.mark.parametrize("library", examples())
def test_an_example_runs_and_counts_measured_pages(library: str, folder: Path) -> None:
    environment = {"HF_HOME": str(folder / "hf"), "HF_HUB_OFFLINE": "1", "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    ended = subprocess.run(
        [sys.executable, "-c", examples()[library]],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "2 of 3" in ended.stdout


def test_the_examples_show_the_rows_too(folder: Path) -> None:
    said = {
        library: subprocess.run(
            [sys.executable, "-c", examples()[library]], cwd=folder, capture_output=True, text=True, timeout=120
        ).stdout
        for library in ("Polars", "DuckDB")
    }
    assert re.search(r"search\s*[│┆]\s*2", said["Polars"])
    # The first site that has a tool, and no other one.
    assert re.search(r"https://blind.com/\s*[│┆]\s*top\s*[│┆]\s*x", said["DuckDB"])
    assert "https://one.com/" not in said["DuckDB"]
