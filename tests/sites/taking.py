"""A census of gold pages, taken by the commands that a user types, and its records beside the expected ones."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from tests.sites.compare import Record, differences
from tests.sites.gold import GoldPage
from tests.sites.https import https_port
from tests.sites.registry import sites_of
from tests.sites.server import RESOLVER_RULES, SmallWeb

BROWSER = os.environ.get("GOLD_PAGES_BROWSER")
"""Another browser than the default one; every expectation holds in each."""


class Census:
    """The small web and the release of its crawl."""

    def __init__(self, web: SmallWeb, release: Path) -> None:
        self.web = web
        self.pages, self.frames, self.tools = (
            pl.read_parquet(release / "data" / f"{table}.parquet") for table in ("pages", "frames", "tools")
        )

    def record(self, page: GoldPage) -> Record:
        """What the release has on a page."""
        rows = self.pages.filter(pl.col("target_url") == page.target(self.web)).to_dicts()
        assert len(rows) == 1, f"{len(rows)} rows in `pages` for {page.target(self.web)}"
        mine = pl.col("visit_id") == rows[0]["visit_id"]
        return Record(rows[0], self.frames.filter(mine).to_dicts(), self.tools.filter(mine).to_dicts())


@contextmanager
def taken(
    pages: Sequence[GoldPage],
    folder: Path,
    browser: str | Path | None = BROWSER,
    *options: str,
    program: str = "webmcp_census",
) -> Iterator[Census]:
    """The census of some pages: crawled and built by the commands. Hosts of `https` targets are this machine."""
    with SmallWeb(sites_of(pages)) as web, https_port(web) as https:
        targets = folder / "targets.jsonl"
        lines = (json.dumps({"url": page.target(web), "project": page.name, "source": "gold"}) for page in pages)
        targets.write_text("\n".join(lines) + "\n")
        command = ["crawl", targets, "--out", folder / "run", "--allow-private", "--delay", "0", "--concurrency", "8"]
        command += ["--navigation-timeout", "8", "--retries", "1", "--retry-delay", "0.2"]
        command += ["--host-resolver-rules", ", ".join([RESOLVER_RULES, *_real_hosts(pages, https)]), *options]
        if browser:
            command += ["--browser", browser]
        _run(program, *command)
        _run(program, "build", folder / "run", "--out", folder / "release")
        yield Census(web, folder / "release")


def assert_as_written(census: Census, page: GoldPage) -> None:
    """Fail, and say what differs, unless the record is the expected one."""
    record = census.record(page)
    found = differences(page, record, census.web)
    detail = f"outcome_detail: {record.page['outcome_detail']}"
    assert not found, "\n".join(["", f"{page.name}: {page.title} ({page.fact})", *found, detail])


def _real_hosts(pages: Sequence[GoldPage], port: int) -> list[str]:
    hosts = {site.name for page in pages if page.at_real_host for site in page.partners}
    return [f"MAP {host} 127.0.0.1:{port}" for host in sorted(hosts)]


def _run(program: str, *arguments: str | Path) -> None:
    command = [sys.executable, "-m", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=840, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\nexit {done.returncode}\n{done.stderr[-1500:]}"
