import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import webmcp_census
from census.errors import CensusError


def subcommands() -> list[str]:
    return webmcp_census.cli.list_commands(click.Context(webmcp_census.cli))


class Main:
    """Runs the command line's own `main`, as the script does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error."""
        self._patch.setattr(sys, "argv", ["webmcp-census", *arguments])
        with pytest.raises(SystemExit) as ended:
            webmcp_census.main()
        assert isinstance(ended.value.code, int)
        said = self._capsys.readouterr()
        return ended.value.code, said.out, said.err

    def with_a_failing_command(self, error: BaseException, *options: str) -> tuple[int, str, str]:
        """The same, with a command that only raises."""

        def callback() -> None:
            raise error

        self._patch.setattr(webmcp_census.cli, "get_command", lambda *_: click.Command("fails", callback=callback))
        return self(*options, "fails")


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Main:
    return Main(monkeypatch, capsys)


@pytest.mark.parametrize("name", subcommands())
def test_the_help_of_each_command_explains_it_with_an_example_of_it(name):
    said = CliRunner().invoke(webmcp_census.cli, [name, "--help"])
    assert said.exit_code == 0
    assert "Example" in said.output
    assert f"webmcp-census {name}" in said.output.partition("Example")[2]


@pytest.mark.parametrize("name", subcommands())
def test_every_option_of_each_command_is_explained(name):
    command = webmcp_census.cli.get_command(click.Context(webmcp_census.cli), name)
    assert command is not None
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [option.opts for option in options if not option.help] == []


@pytest.mark.parametrize("name", webmcp_census.cli.list_commands(None))
def test_the_example_of_a_command_stands_on_lines_of_its_own(name):
    said = CliRunner().invoke(webmcp_census.cli, [name, "--help"]).output
    assert "\\b" not in said
    assert [line for line in said.splitlines() if line.startswith("    webmcp-census ")]


def test_the_help_names_every_command_and_the_exit_codes():
    command = [sys.executable, "-m", "webmcp_census", "--help"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 0
    assert all(name in said.stdout for name in subcommands())
    assert "Exit codes: 0" in said.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Usage:"),
        (("nonsense",), "No such command 'nonsense'"),
        (("crawl",), "Missing argument 'TARGETS'"),
        (("crawl", "a.txt"), "Missing option '--out'"),
        (("crawl", "a.txt", "--out", "run", "--delay", "soon"), "'soon' is not a valid float"),
        (("check", "nonsense"), "give a whole URL such as https://example.org/"),
        (("build", "nowhere", "--out", "release"), "nowhere is no RUN"),
    ],
)
def test_what_cannot_be_answered_exits_with_2_and_says_why(main, arguments, said):
    code, out, err = main(*arguments)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("a bug"), "webmcp-census: KeyError: 'a bug' (--debug shows where)\n"),
        (RecursionError("deep"), "webmcp-census: RecursionError: deep (--debug shows where)\n"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (CensusError("wrong, so do this"), "webmcp-census: wrong, so do this\n"),
        (KeyboardInterrupt(), "webmcp-census: interrupted\n"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, BaseException) else "",
)
def test_a_crash_exits_with_2_never_with_1_and_in_a_line(main, error, said):
    code, _, err = main.with_a_failing_command(error)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


def test_debug_shows_where_it_went_wrong(main):
    code, _, err = main.with_a_failing_command(KeyError("a bug"), "--debug")
    assert code == 2
    assert "Traceback (most recent call last)" in err
    assert "raise error" in err


def test_a_reader_that_goes_away_is_no_failed_gate():
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        ended = subprocess.run([sys.executable, "-m", "webmcp_census", "--help"], stdout=write_end, check=False)
    finally:
        os.close(write_end)
    assert ended.returncode == 2
