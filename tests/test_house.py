"""The house stays one: sizes, names, and what each package says of itself."""

import ast
import re
import statistics
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOMS = ("census", "crawler", "measure", "publish")
CODE = [*chain.from_iterable(sorted(Path(room).rglob("*.py")) for room in ROOMS), Path("webmcp_census.py")]
TESTS = sorted(Path("tests").rglob("*.py"))
BENCHMARKS = sorted(Path("benchmarks").rglob("*.py"))
EVERYTHING = [*CODE, *TESTS, *BENCHMARKS]

LONGEST_MODULE, MEDIAN, SCREEN = 400, 150, 60


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Without the signature, where a command has a line for each option, and without the docstring."""
    first = function.body[1 if ast.get_docstring(function) and len(function.body) > 1 else 0]
    assert function.end_lineno is not None
    return function.end_lineno - first.lineno + 1


@pytest.mark.parametrize("path", EVERYTHING, ids=str)
def test_a_module_is_short_and_its_functions_fit_on_a_screen(path: Path) -> None:
    assert lines_of(path) <= LONGEST_MODULE
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert {each.name: body_lines(each) for each in functions if body_lines(each) > SCREEN} == {}


@pytest.mark.parametrize("modules", [CODE, TESTS, BENCHMARKS], ids=["code", "tests", "benchmarks"])
def test_most_modules_are_much_shorter(modules: list[Path]) -> None:
    assert statistics.median(map(lines_of, modules)) < MEDIAN


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in EVERYTHING if re.search(r"(^|_)(utils?|helpers?|common|misc|base)$", path.stem)] == []


@pytest.mark.parametrize("package", [path for path in CODE if path.name == "__init__.py"], ids=str)
def test_a_package_says_what_it_is_for_and_what_it_may_not_touch(package: Path) -> None:
    said = ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) or ""
    first, _, limits = said.partition("\n\n")
    assert first.endswith(".")
    assert re.match(r"May not ", limits), "after an empty line: `May not …`"


def test_the_page_on_the_architecture_names_what_is_there() -> None:
    text = Path("docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(rf"`((?:{'|'.join(ROOMS)}|tests)/[\w/]+)(?:\.\w+)?`", text)
    assert len(named) > 40
    assert [path for path in named if not (Path(path).is_dir() or Path(f"{path}.py").is_file())] == []


def test_every_direct_dependency_is_accounted_for() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())}
    names = {re.split(r"[\[<>=]", each)[0] for each in declared} - {project["name"]}
    rows = re.findall(
        r"^\| ([\w-]+) \| .+ \| .+ \|$", Path("docs/dependencies.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(rows) - {"package", "---"} == names
