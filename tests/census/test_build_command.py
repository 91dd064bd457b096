import json
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from census.build_command import build_command
from census.vocabulary import Outcome
from tests.census.factories import captured, control, failed, make_run, tool

VISITS = [
    captured("https://one.example/", tools=[tool("search")]),
    captured("https://plain.example/"),
    failed("https://gone.example/", Outcome.DNS_ERROR),
]


def test_build_says_the_headline_and_where_the_report_is(tmp_path: Path) -> None:
    run, out = make_run(tmp_path / "run", VISITS, [control()]), tmp_path / "release"
    result = CliRunner().invoke(build_command, [str(run), "--out", str(out)], catch_exceptions=False)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "3 targets, 1 callable tools"
    assert "Measured pages with a callable tool: 50.0 % (95 % interval 9.5 to 90.5 %; 1 of 2)" in lines
    assert "Left out of the measured pages: 1 dns_error" in lines
    assert lines[-1] == f"Report: {out / 'report.md'}"


def test_json_is_the_summary(tmp_path: Path) -> None:
    run, out = make_run(tmp_path / "run", VISITS), tmp_path / "release"
    result = CliRunner().invoke(build_command, [str(run), "--out", str(out), "--json"])
    assert json.loads(result.stdout) == json.loads((out / "summary.json").read_text())


def test_a_refusal_exits_2_and_says_what_to_do(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", VISITS, unfinished=["https://later.example/"])
    result = subprocess.run(
        [sys.executable, "-m", "webmcp_census", "build", run, "--out", tmp_path / "release"],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    assert "1 unfinished target" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "release").exists()


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(build_command, [str(tmp_path), "--out", str(tmp_path / "release")])
    assert result.exit_code != 0
    assert "is no RUN" in str(result.exception)


def test_help_shows_an_example() -> None:
    result = CliRunner().invoke(build_command, ["--help"])
    assert "\n    webmcp-census build run --out release\n" in result.output
