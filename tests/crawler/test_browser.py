import os
import stat
from pathlib import Path

import pytest

from census.errors import CensusError
from crawler.browser import ENVIRONMENT, find_browser, identify, launch_arguments


def script(folder: Path, text: str, name: str = "chrome") -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_browser_that_is_asked_for_is_used_before_the_environments(tmp_path, monkeypatch):
    asked, named = script(tmp_path, "", "asked"), script(tmp_path, "", "named")
    monkeypatch.setenv(ENVIRONMENT, str(named))
    assert find_browser() == named
    assert find_browser(str(asked)) == asked


def test_the_cheapest_browser_that_is_there_is_found(monkeypatch):
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    found = find_browser()
    assert os.access(found, os.X_OK)
    assert identify(found).build.count(".") == 3


@pytest.mark.parametrize("wrong", ["missing", "folder", "plain file"])
def test_a_browser_that_is_none_is_an_error_with_the_fix(tmp_path, wrong):
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain file").touch()
    with pytest.raises(CensusError, match="not an executable file; install one with"):
        find_browser(str(tmp_path / wrong))


def test_no_browser_at_all_is_an_error_with_the_fix(monkeypatch):
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setattr("crawler.browser.candidates", lambda: iter([Path("/nowhere/chrome")]))
    with pytest.raises(CensusError, match=r"no browser found; install one with .* or name one with --browser PATH"):
        find_browser()


@pytest.mark.parametrize(
    ("says", "file", "name", "build", "shell"),
    [
        ("Chromium 156.0.8078.114 built on Debian", "chromium", "Chromium", "156.0.8078.114", False),
        ("Google Chrome 156.0.8078.114 ", "chrome", "Google Chrome", "156.0.8078.114", False),
        ("Microsoft Edge 156.0.1.2", "msedge", "Microsoft Edge", "156.0.1.2", False),
        ("Chromium 156.0.8078.114", "chromium-headless-shell", "Chromium", "156.0.8078.114", True),
    ],
)
def test_a_browser_is_identified_by_what_it_says(tmp_path, says, file, name, build, shell):
    browser = identify(script(tmp_path, f"echo '{says}'", file))
    assert (browser.name, browser.build, browser.shell) == (name, build, shell)


@pytest.mark.parametrize(
    ("text", "said"), [("exit 3", "does not start"), ("echo hello", "names no build"), ("true", "names no build")]
)
def test_what_does_not_say_its_build_is_no_browser(tmp_path, text, said):
    with pytest.raises(CensusError, match=said):
        identify(script(tmp_path, text))


def test_the_api_is_switched_on_and_a_proxy_is_never_gone_round():
    assert "--enable-features=WebMCP" in launch_arguments()
    through = launch_arguments("MAP *.test 127.0.0.1", "socks5://127.0.0.1:1080")
    assert "--proxy-server=socks5://127.0.0.1:1080" in through
    assert "--proxy-bypass-list=<-loopback>" in through
    assert "--host-resolver-rules=MAP *.test 127.0.0.1" in through
