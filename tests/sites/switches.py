"""A browser with further switches, for pages whose truth depends on one; the commands take it like any other."""

import shlex
from pathlib import Path

from crawler.browser import find_browser

WITHOUT_API = "--enable-features=CDPScreenshotNewSurface"
"""Takes the feature switch of a census back, for of several the last one counts: the API as a stock browser has it."""


def browser_with(folder: Path, browser: str | None, *switches: str) -> Path:
    """A program that starts the browser (None: the one that is found) with these switches last, where they win."""
    path = find_browser(browser)
    # By its name a headless shell is told from a full browser.
    program = folder / path.name
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(str(path))} "$@" {shlex.join(switches)}\n')
    program.chmod(0o755)
    return program
