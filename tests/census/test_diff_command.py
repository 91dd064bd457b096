import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from census.diff_command import diff_command
from tests.census.releases import before_and_after


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return [str(release.folder) for release in before_and_after(tmp_path_factory.mktemp("releases"))]


def test_markdown_says_the_change_with_its_interval_and_n(folders: list[str]) -> None:
    said = CliRunner().invoke(diff_command, folders, catch_exceptions=False)
    assert said.exit_code == 0
    assert said.output.startswith("# Changes in 2026.11.0\n\nCompared with 2026.10.0.\n")
    assert "Nothing: the same schema, code, settings and browser." in said.output
    assert (
        "Of 4 pages measured in both releases (6 were measured before, 5 after), 50.0 % (95 % interval" in said.output
    )
    assert "1 gained one, 1 lost it. The change is +0.0 percentage points" in said.output
    assert "| Tools renamed, or in another frame | 1 |" in said.output


def test_json_has_every_row(folders: list[str]) -> None:
    changes = json.loads(CliRunner().invoke(diff_command, [*folders, "--json"], catch_exceptions=False).output)
    assert changes["counts"]["pages_added"] == len(changes["lists"]["pages_added"]) == 1
    assert changes["lists"]["tools_renamed"][0]["new_name"] == "new_name"
    assert (changes["adoption"]["before"]["k"], changes["adoption"]["before"]["n"]) == (2, 4)
    assert changes["lists_cut"] == []


def test_a_folder_that_is_no_release_is_an_error(folders: list[str], tmp_path: Path) -> None:
    said = CliRunner().invoke(diff_command, [folders[0], str(tmp_path)])
    assert "is no release of this version" in str(said.exception)
