"""Visits built by hand, with only what a test is about."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from census.run import FRONTIER, SETTINGS, EvidenceStore, RunSettings
from census.target import Target
from census.visit import Browser, BrowserTool, ControlVisit, Document, PageTool, ScriptEvidence, Visit
from census.vocabulary import BrowserView, Kind, LoadEvent, Outcome, PageView, Pass, Relation, Settled, ToolsPolicy

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
SHELL = Browser(name="Chromium", build="156.0.8078.114", shell=True)
OBJECT: JsonValue = {"type": "object"}


def tool(name: str, frame: str = "top", **fields: object) -> BrowserTool:
    values = {
        "description": "does it",
        "input_schema": OBJECT,
        "kind": Kind.SCRIPT,
        "registered_by": "https://shop.example/app.js",
        "first_seen_ms": 120,
    }
    return BrowserTool.model_validate({"name": name, "frame": frame, **values, **fields})


def item(name: str, frame: str | None = "top", **fields: object) -> PageTool:
    values = {"description": "does it", "input_schema": OBJECT, "origin": "https://shop.example"}
    return PageTool.model_validate({"name": name, "frame": frame, **values, **fields})


def top(*tools: PageTool, **fields: object) -> Document:
    values = {
        "frame": "top",
        "parent": None,
        "url": "https://shop.example/",
        "origin": "https://shop.example",
        "relation": Relation.TOP,
        "secure": True,
        "tools_policy": ToolsPolicy.ALLOWED,
        "page_view": PageView.READ,
        "tools": tools,
    }
    return Document.model_validate({**values, **fields})


def child(*tools: PageTool, **fields: object) -> Document:
    values = {
        "frame": "top.0",
        "parent": "top",
        "url": "https://widget.example/",
        "origin": "https://widget.example",
        "relation": Relation.CROSS_SITE,
        "allow": "tools",
        "secure": True,
        "tools_policy": ToolsPolicy.ALLOWED,
        "page_view": PageView.READ,
        "tools": tools,
    }
    return Document.model_validate({**values, **fields})


def captured(
    url: str = "https://shop.example/",
    *,
    documents: Sequence[Document] | None = None,
    tools: Sequence[BrowserTool] = (),
    **fields: object,
) -> Visit:
    """A captured page that settled, with both views read; without `documents`, the page lists every tool."""
    if documents is None:
        documents = [top(*(item(tool.name, tool.frame) for tool in tools))]
    values = {
        "visit_id": f"visit of {url}",
        "target": Target(url=url),
        "attempt": 1,
        "visited_at": NOON,
        "browser": SHELL,
        "outcome": Outcome.CAPTURED,
        "final_url": url,
        "http_status": 200,
        "load_event": LoadEvent.FIRED,
        "settled": Settled.YES,
        "settle_reason": "quiet",
        "settle_ms": 1500,
        "views_stable": True,
        "browser_view": BrowserView.READ,
        "documents": documents,
        "browser_tools": tools,
        "script_evidence": ScriptEvidence(),
    }
    return Visit.model_validate({**values, **fields})


def failed(url: str, outcome: Outcome, **fields: object) -> Visit:
    values = {
        "visit_id": f"visit of {url}",
        "target": Target(url=url),
        "attempt": 1,
        "visited_at": NOON,
        "browser": SHELL,
        "outcome": outcome,
    }
    return Visit.model_validate({**values, **fields})


def control(*, good: bool = True, read: bool = True) -> ControlVisit:
    detail = "both views read zero" if good else "the browser view had 1 tool" if read else "timeout: visit_deadline"
    return ControlVisit(visited_at=NOON, browser=SHELL, read=read, good=good, detail=detail, vouches_for=20)


def make_run(
    folder: Path,
    visits: Sequence[Visit],
    controls: Sequence[ControlVisit] = (),
    *,
    unfinished: Sequence[str] = (),
    settings: dict[str, JsonValue] | None = None,
    vouched: Sequence[str] = (),
) -> Path:
    """A RUN as a crawl leaves it, with the frontier columns that a reader needs."""
    folder.mkdir()
    evidence = EvidenceStore(folder / "evidence")
    run_settings = RunSettings(
        run_id="0000abcd",
        created_at=NOON,
        code_version="0.1.0",
        targets_sha256="ab" * 32,
        targets_name="gallery.jsonl",
        targets_read={"targets": sum(visit.pass_ is Pass.MAIN for visit in visits) + len(unfinished), "duplicates": 0},
        settings=settings if settings is not None else {"locale": "en-US", "quiet_ms": 1500},
    )
    (folder / SETTINGS).write_text(run_settings.model_dump_json())
    with closing(sqlite3.connect(folder / FRONTIER)) as frontier, frontier:
        frontier.executescript(
            "CREATE TABLE targets(id INTEGER PRIMARY KEY, key TEXT, url TEXT, final_visit TEXT, pass TEXT);"
            "CREATE TABLE visits(visit_id TEXT PRIMARY KEY, target_id INTEGER, attempt INTEGER, outcome TEXT,"
            " evidence TEXT);"
            "CREATE TABLE controls(id INTEGER PRIMARY KEY, record TEXT);"
            "CREATE TABLE vouched(visit_id TEXT PRIMARY KEY);"
        )
        for number, visit in enumerate(visits):
            frontier.execute(
                "INSERT INTO targets VALUES (?, ?, ?, ?, ?)",
                (number, visit.target.key, visit.target.url, visit.visit_id, visit.pass_),
            )
            frontier.execute(
                "INSERT INTO visits VALUES (?, ?, ?, ?, ?)",
                (visit.visit_id, number, visit.attempt, visit.outcome, evidence.save(visit)),
            )
        for url in unfinished:
            frontier.execute("INSERT INTO targets(key, url, pass) VALUES (?, ?, 'main')", (Target(url=url).key, url))
        frontier.executemany("INSERT INTO vouched VALUES (?)", ((visit_id,) for visit_id in vouched))
        for record in controls:
            frontier.execute("INSERT INTO controls(record) VALUES (?)", (record.model_dump_json(),))
    return folder
