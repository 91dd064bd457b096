"""The folder `datasets/` must never stand in for the installed library of that name, from any working directory."""

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

WHERE_FROM = "import importlib.util; print(importlib.util.find_spec('datasets').origin)"


def python(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("folder", [REPOSITORY / "tests", REPOSITORY / "datasets", Path("/")], ids=str)
def test_the_name_means_the_installed_library_from(folder):
    origin = Path(python(WHERE_FROM, folder))
    assert origin.name == "__init__.py"
    assert not origin.is_relative_to(REPOSITORY / "datasets")


def test_import_datasets_in_the_root_of_the_repository_gives_the_installed_library():
    assert "Dataset" in python("import datasets; print(datasets.Dataset.__name__, datasets.load_dataset)", REPOSITORY)


def test_the_folder_is_no_package():
    assert not list((REPOSITORY / "datasets").rglob("*.py"))
