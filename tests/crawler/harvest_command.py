"""Runs `webmcp-census harvest` as a user does, and a small gallery to harvest."""

import json
import multiprocessing
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import webmcp_census
from tests.sites.gallery import Entry, gallery_html, project_html
from tests.sites.server import Reply, Site, SmallWeb

DEMOS = {"Pizza Maker": "{{pizza}}/", "Atlas": "{{atlas}}/app#/map", "Zebra Crossing": "{{pizza}}"}
GALLERY = "/project-gallery"
WAITING = Reply("<title>Just a moment...</title><h1>Checking your browser</h1>")


@dataclass(frozen=True)
class Harvest:
    code: int
    stdout: str
    stderr: str
    out: Path

    def rows(self, kind: str = "") -> list[dict[str, Any]]:
        path = self.out.with_suffix(f"{kind}.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]

    @property
    def report(self) -> dict[str, Any]:
        return json.loads(self.out.with_suffix(".harvest.json").read_text())

    def beside_the_earlier_one(self) -> "Harvest":
        return replace(self, out=self.out.with_name("targets.incomplete.jsonl"))

    def assert_incomplete(self, url: str, reason: str) -> None:
        assert self.code == 2, self.stderr
        assert self.report["complete"] is False
        assert any(url in one["url"] and reason in one["reason"] for one in self.report["reasons"]), self.report
        assert reason in self.stderr
        assert url in self.stderr
        assert "Traceback" not in self.stderr


# Every harvest is a process of its own; a fork server spares each of them the imports.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "webmcp_census",
        "pytest",
        "tests.sites.gallery",
        "scrapy.core.downloader.handlers.http11",
        "scrapy.downloadermiddlewares.cookies",
        "scrapy.downloadermiddlewares.httpcompression",
        "scrapy.extensions.feedexport",
        "scrapy.extensions.remote_control",
        "scrapy.pqueues",
        "scrapy.robotstxt",
        "scrapy.squeues",
    ]
)


def command_line(arguments: list[str], folder: Path) -> None:
    os.dup2(os.open(folder / "stdin", os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv = ["webmcp-census", *arguments]
    webmcp_census.main()


@pytest.fixture
def harvest(harvest_from):
    return lambda source, *options, stdin="": harvest_from(source, "--allow-private", *options, stdin=stdin)


@pytest.fixture
def harvest_from(tmp_path):
    def run(source: str, *options: str, stdin: str = "") -> Harvest:
        (tmp_path / "stdin").write_text(stdin)
        out = tmp_path / "out" / "targets.jsonl"
        arguments = ["harvest", source, "--out", str(out), *options, "--delay", "0"]
        process = PROCESSES.Process(target=command_line, args=(arguments, tmp_path))
        process.start()
        process.join(60)
        assert process.exitcode is not None, "the harvest hangs"
        return Harvest(process.exitcode, (tmp_path / "stdout").read_text(), (tmp_path / "stderr").read_text(), out)

    return run


def served(routes):
    return SmallWeb([Site("challenge", routes)])


def small_gallery(**changes: Reply) -> dict[str, Reply]:
    """Two pages of two entries; the changes are by the route's letters."""
    entries = [Entry(title, "target", ((f"https://{title}.example/", "x"),)) for title in ("a", "b", "c", "d")]
    routes = {
        GALLERY: Reply(gallery_html(entries[:2], 1, 2, "1 - 2 of 4")),
        f"{GALLERY}?page=2": Reply(gallery_html(entries[2:], 2, 2, "3 - 4 of 4")),
    }
    routes |= {entry.path: Reply(project_html(entry)) for entry in entries}
    names = {"one": GALLERY, "two": f"{GALLERY}?page=2", "a": "/software/a", "robots": "/robots.txt"}
    return routes | {names[name]: reply for name, reply in changes.items()}


def targets_of(run: Harvest) -> list[str]:
    return [row["url"] for row in run.rows()]
