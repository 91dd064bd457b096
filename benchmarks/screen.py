"""What the screen finds of the pages that have tools, what it spares the browser, and how many pages a second it reads.

Recall is over the gold pages, and over real pages where WEBMCP_CENSUS_REAL_PAGES_SERVER names the folder of their
server and list and WEBMCP_CENSUS_REAL_PAGES the one in which they are laid out. Speed is over ordinary pages of a
server in a process of its own, on this machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from census.interval import proportion
from census.target import target_key
from crawler.screen.stage import FOLDER, records
from tests.sites.registry import LIGHT, sites_of
from tests.sites.server import RESOLVER_RULES, SmallWeb

ROOT = Path(__file__).parents[1]
PAGES_OF_A_SITE = 4
SAMPLE = 0.02
VISIT_CPU = 0.3
"""CPU seconds of a visit with the shell, in the middle of what `visit_cost.py` prints for small and large pages."""


class Known(NamedTuple):
    """A page of which it is known whether it has tools."""

    url: str
    has_tools: bool
    ordinary: bool = False
    """Whether it was picked without regard to WebMCP: most pages here were picked because they name it."""


class Found(NamedTuple):
    """What a screen did with pages that are known."""

    with_tools: int
    sent: int
    """Of those with tools, the ones that go to the browser."""
    without: int
    sent_without: int
    ordinary: int
    sent_ordinary: int
    missed: tuple[str, ...]


def screen(urls: list[str], folder: Path, rules: str = "", concurrency: int = 100) -> tuple[dict[str, bool], float]:
    """Screen the pages by the command; which go to the browser (without the sample), and the seconds it took."""
    targets = folder / "targets.txt"
    targets.write_text("".join(f"{url}\n" for url in urls))
    command = [
        sys.executable, "-m", "webmcp_census", "crawl", str(targets), "--stage", "screen", "--out", str(folder / "run"),
        "--allow-private", "--delay", "0", "--concurrency", str(concurrency), "--host-resolver-rules", rules,
    ]  # fmt: skip
    began = time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True)
    seconds = time.perf_counter() - began
    return {key: bool(each.signs or each.unread) for key, each in records(folder / "run" / FOLDER)}, seconds


def compare(known: list[Known], sent: Mapping[str, bool]) -> Found:
    """Hold the screen against what is known."""
    with_tools = [page for page in known if page.has_tools]
    without = [page for page in known if not page.has_tools]
    return Found(
        len(with_tools),
        sum(sent[target_key(page.url)] for page in with_tools),
        len(without),
        sum(sent[target_key(page.url)] for page in without),
        sum(page.ordinary for page in without),
        sum(sent[target_key(page.url)] for page in without if page.ordinary),
        tuple(page.url for page in with_tools if not sent[target_key(page.url)]),
    )


def gold(folder: Path) -> Found:
    """The gold pages: those that may be captured with a tool have tools."""
    with SmallWeb(sites_of(LIGHT)) as web:
        known = [Known(page.target(web), any(expect.tools for expect in page.expectations)) for page in LIGHT]
        sent, _ = screen([page.url for page in known], folder, RESOLVER_RULES)
    return compare(known, sent)


@contextmanager
def real_pages() -> Iterator[list[Known] | None]:
    """The real pages, served; None when they are not here."""
    pages, server = (os.environ.get(name, "") for name in (
        "WEBMCP_CENSUS_REAL_PAGES", "WEBMCP_CENSUS_REAL_PAGES_SERVER"
    ))  # fmt: skip
    if not (pages and server):
        yield None
        return
    served = subprocess.Popen(
        [sys.executable, Path(server) / "serve.py", pages], stdout=subprocess.PIPE, text=True, cwd=server
    )
    try:
        assert served.stdout is not None
        with urllib.request.urlopen(served.stdout.readline().strip(), timeout=30) as answer:
            listed: list[dict[str, Any]] = json.load(answer)
        # A tool under a name that is gone is shown by the legacy pass, which needs a visit too.
        yield [
            Known(
                page["url"],
                bool(page["expected"]["tools"] or page["expected"]["old_api_tools"]),
                ordinary=page["slug"].startswith("ctl-"),
            )
            for page in listed
        ]
    finally:
        served.kill()
        served.wait()


ORDINARY = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shoes {n}</title>
<script src="/app.js"></script><link rel="stylesheet" href="/style.css"></head><body>
{body}</body></html>"""
SERVER = """
import asyncio, sys
BODY = {body!r}.encode()
SCRIPT = ("!function(){{var a=" + repr(list(range(2000))) + ";a.sort()}}();").encode() * 3
def head(kind, size, status=b"200 OK"):
    return b"HTTP/1.1 " + status + b"\\r\\nContent-Type: " + kind + b"\\r\\nContent-Length: %d\\r\\n\\r\\n" % size
async def serve(reader, writer):
    try:
        while True:
            request = await reader.readuntil(b"\\r\\n\\r\\n")
            path = request.split(b" ", 2)[1]
            if path == b"/app.js":
                writer.write(head(b"text/javascript", len(SCRIPT)) + SCRIPT)
            elif path.startswith(b"/p"):
                writer.write(head(b"text/html; charset=utf-8", len(BODY)) + BODY)
            else:
                writer.write(head(b"text/plain", 0, b"404 Not Found"))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


def speed(pages: int, folder: Path) -> float:
    """Pages a second: four pages of 30 KB on each site, a script of 35 KB each, robots.txt and the site's files."""
    body = ORDINARY.format(n=1, body="<p>Shoes of all sizes, for men and women, in leather.</p>\n" * 520)
    code = SERVER.format(body=body)
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        urls = [f"http://s{n // PAGES_OF_A_SITE}.localhost:{port}/p{n % PAGES_OF_A_SITE}" for n in range(pages)]
        sent, seconds = screen(urls, folder, concurrency=64)
        assert not any(sent.values()), "an ordinary page has a sign"
        return pages / seconds
    finally:
        server.kill()
        server.wait()


def print_found(name: str, found: Found) -> None:
    """Recall with its interval; and what is spared, by what the screen does with pages that were not picked for it."""
    recall = proportion(found.sent, found.with_tools)
    print(
        f"{name}: {found.sent} of {found.with_tools} pages with tools go to the browser"
        f" ({100 * recall.low:.1f} to {100 * recall.high:.1f} %), and {found.sent_without} of {found.without} without,"
        " most of which were picked because they name WebMCP or break"
    )
    for url in found.missed:
        print(f"  missed: {url}")
    if recall.rate is None or not found.ordinary:
        return
    false = proportion(found.sent_ordinary, found.ordinary)
    print(f"  of {found.ordinary} ordinary pages {found.sent_ordinary} go to the browser")
    for prevalence in (0.001, 0.01, 0.1):
        least, most = (_spared(prevalence * recall.rate + (1 - prevalence) * rate) for rate in (false.high, false.low))
        print(
            f"  at {100 * prevalence:g} % of pages with tools and a sample of {100 * SAMPLE:g} %:"
            f" {100 * least:.0f} to {100 * most:.0f} % of the visits are spared,"
            f" {least * VISIT_CPU * 1e6 / 3600:.0f} to {most * VISIT_CPU * 1e6 / 3600:.0f} core hours of a million"
        )


def _spared(sent: float) -> float:
    """The share of visits that are not made when so many pages are sent, and a sample of the others."""
    return (1 - sent) * (1 - SAMPLE)


def main() -> None:
    """Print recall and speed; exit 1 under 0.99 of the pages with tools, or under 150 pages a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6000, help="for the speed")
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results: dict[str, Any] = {}
    good = True
    with tempfile.TemporaryDirectory() as folder, real_pages() as real:
        for name, found in (
            ("gold pages", gold(_made(folder, "gold"))),
            ("real pages", compare(real, screen([p.url for p in real], _made(folder, "real"))[0]) if real else None),
        ):
            if found is not None:
                print_found(name, found)
                results[name] = found._asdict()
                good = good and found.sent >= 0.99 * found.with_tools
        if not given.no_speed:
            rate = speed(given.pages, _made(folder, "speed"))
            print(f"speed: {rate:.0f} pages a second over {given.pages} ordinary pages")
            results["pages_per_second"] = rate
            good = good and rate >= 150
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")
    sys.exit(0 if good else 1)


def _made(folder: str, name: str) -> Path:
    path = Path(folder) / name
    path.mkdir()
    return path


if __name__ == "__main__":
    main()
