"""The browser: where it is found, how it is started, what it calls itself."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from census.errors import CensusError
from census.visit import Browser

ENVIRONMENT = "WEBMCP_CENSUS_BROWSER"

# Debian's /usr/bin/chromium is a wrapper script; the shell costs a fifth of the full browser (measured).
_PATHS = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_NAMES = ("chromium-headless-shell", "chrome-headless-shell", "google-chrome", "chromium", "chromium-browser")

FEATURE_SWITCH = "--enable-features=WebMCP"
HOW_TO_GET_ONE = (
    "install one with `apt-get install chromium-headless-shell` (Debian) or Google Chrome 150 or newer,"
    f" or name one with --browser PATH or {ENVIRONMENT}"
)


def candidates() -> Iterable[Path]:
    """Where a browser may be, the cheapest first."""
    yield from (Path(path) for path in _PATHS)
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            yield Path(found)
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    yield from sorted(cache.glob("chromium_headless_shell-*/*/*headless*shell*"), reverse=True)
    yield from sorted(cache.glob("chromium-*/*/chrome"), reverse=True)


def find_browser(asked: str | None = None) -> Path:
    """The browser to use: the one asked for, the environment's, or the first one found.

    Raises CensusError when the one asked for is not there, or when there is none at all.
    """
    asked = asked or os.environ.get(ENVIRONMENT)
    if asked:
        path = Path(asked).expanduser()
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise CensusError(f"no browser at {asked}: not an executable file; {HOW_TO_GET_ONE}")
        return path
    for path in candidates():
        if path.is_file() and os.access(path, os.X_OK):
            return path
    raise CensusError(f"no browser found; {HOW_TO_GET_ONE}")


def find_full_browser(asked: str | None = None) -> Path:
    """A full browser, with site isolation, for the audit pass.

    Raises CensusError when the one asked for is not there, or when only the shell is.
    """
    if asked:
        return find_browser(asked)
    for path in candidates():
        if path.is_file() and os.access(path, os.X_OK) and "shell" not in path.name:
            return path
    raise CensusError("no full browser found for --audit; install Chromium or Chrome, or name one with --audit-browser")


def identify(path: Path, environment: Mapping[str, str] | None = None) -> Browser:
    """Name and build of a browser, by its `--version`, which is asked in our environment or the one given.

    Raises CensusError when it does not say.
    """
    try:
        said = subprocess.run(  # noqa: S603 -- the browser that the user named
            [path, "--version"], capture_output=True, text=True, timeout=30, check=True, env=environment
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise CensusError(f"{path} does not start: {error}; {HOW_TO_GET_ONE}") from error
    words = said.split()
    build = next((word for word in words if word[0].isdigit() and "." in word), None)
    if build is None:
        raise CensusError(f"{path} --version says {said!r}, which names no build; {HOW_TO_GET_ONE}")
    name = " ".join(words[: words.index(build)]) or "Chromium"
    return Browser(name=name, build=build, shell="headless" in path.name and "shell" in path.name)


def launch_arguments(host_resolver_rules: str = "", proxy: str | None = None) -> list[str]:
    """The switches that a census browser is started with, beyond Playwright's own."""
    arguments = [FEATURE_SWITCH, "--no-first-run", "--disable-search-engine-choice-screen"]
    if host_resolver_rules:
        arguments.append(f"--host-resolver-rules={host_resolver_rules}")
    if proxy:
        # Without `<-loopback>` the browser goes round the proxy for loopback addresses, which it must refuse.
        arguments += [f"--proxy-server={proxy}", "--proxy-bypass-list=<-loopback>"]
        # A page's WebRTC sends its datagrams round the proxy otherwise, to any address (measured). The shell
        # knows the first of the two switches, the full browser the second.
        policy = "webrtc-ip-handling-policy=disable_non_proxied_udp"
        arguments += [f"--force-{policy}", f"--{policy}"]
    return arguments


def sandboxed() -> bool:
    """Whether the browser's sandbox can be on: Chromium refuses it for root."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


if __name__ == "__main__":
    print(find_browser())  # noqa: T201 -- asked by the Makefile, which installs a browser when this fails
