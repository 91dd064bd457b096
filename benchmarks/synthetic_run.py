"""A RUN of seeded synthetic visits, as a crawl leaves it: compressed evidence, frontier, settings.

Every visit goes through the models and is written in the store's own format, but without waiting for the disk at
each file. The same seed and number of pages give the same RUN.
"""

import gzip
import hashlib
import multiprocessing
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from census.run import FRONTIER, SETTINGS, RunSettings
from census.target import Target
from census.visit import Browser, BrowserTool, ControlVisit, Document, Event, PageTool, ScriptEvidence, Visit
from census.vocabulary import BrowserView, Kind, LoadEvent, Outcome, PageView, Relation, Settled, ToolsPolicy
from crawler.sqlite_frontier import SqliteFrontier

RUN_ID = "5eed0000"
WITH_TOOLS = 0.05
NOT_CAPTURED = 0.1
CONTROL_EVERY = 25

_BEGAN = datetime(2026, 11, 1, tzinfo=UTC)
_SHELL = Browser(name="Chromium", build="156.0.8078.114", shell=True)
_HOSTS = ("vercel.app", "github.io", "example.com", "netlify.app", "co.uk", "org", "dev", "de")
_WORDS = "search cart order menu book table find pay show list add remove filter sort open send help date".split()
_FAILURES = (Outcome.HTTP_ERROR, Outcome.DNS_ERROR, Outcome.TIMEOUT, Outcome.ROBOTS_DISALLOWED, Outcome.TLS_ERROR)
_CHUNK = 5_000

_Job = tuple[Path, int, int, int, float]
"""Folder, first and last page, seed, share of captured pages with tools."""
_Row = tuple[int, str, str, str, str, int, str, str]
"""Target id, key, record, site, visit id, attempt, outcome, digest."""


def make_run(folder: Path, pages: int, seed: int, with_tools: float = WITH_TOOLS) -> Path:
    """Make a RUN of so many finished targets below `folder`, which must not exist yet."""
    folder.mkdir(parents=True)
    settings = RunSettings(
        run_id=RUN_ID,
        created_at=_BEGAN,
        code_version="0.1.0",
        targets_sha256="5e" * 32,
        targets_name="synthetic.jsonl",
        targets_read={"targets": pages, "duplicates": 0},
        settings={"seed": seed, "locale": "en-US"},
    )
    (folder / SETTINGS).write_text(settings.model_dump_json())
    for byte in range(256):
        (folder / "evidence" / f"{byte:02x}").mkdir(parents=True)
    SqliteFrontier(folder / FRONTIER).close()
    jobs = [(folder, start, min(start + _CHUNK, pages), seed, with_tools) for start in range(0, pages, _CHUNK)]
    with closing(sqlite3.connect(folder / FRONTIER)) as db, multiprocessing.Pool(2) as pool:
        db.execute("PRAGMA synchronous=OFF")
        for rows in pool.imap(_write_chunk, jobs):
            _record(db, rows)
        _record_controls(db, pages)
        db.commit()
    return folder


def _record(db: sqlite3.Connection, rows: list[_Row]) -> None:
    db.executemany("INSERT OR IGNORE INTO sites (site) VALUES (?)", ((row[3],) for row in rows))
    db.executemany(
        "INSERT INTO targets (id, key, record, site, state, attempts, final_visit)"
        " VALUES (?, ?, ?, ?, 'finished', ?, ?)",
        ((id_, key, record, site, attempt, visit) for id_, key, record, site, visit, attempt, _, _ in rows),
    )
    db.executemany(
        "INSERT INTO visits (visit_id, target_id, attempt, outcome, evidence) VALUES (?, ?, ?, ?, ?)",
        ((visit, id_, attempt, outcome, digest) for id_, _, _, _, visit, attempt, outcome, digest in rows),
    )
    db.executemany("INSERT INTO vouched VALUES (?)", ((row[4],) for row in rows))
    db.commit()


def _record_controls(db: sqlite3.Connection, pages: int) -> None:
    controls = (
        ControlVisit(
            visited_at=_BEGAN + timedelta(seconds=number), browser=_SHELL, read=True, good=True,
            detail="both views read zero", vouches_for=CONTROL_EVERY,
        )
        for number in range(0, pages, CONTROL_EVERY)
    )  # fmt: skip
    db.executemany("INSERT INTO controls (record) VALUES (?)", ((each.model_dump_json(),) for each in controls))


def _write_chunk(job: _Job) -> list[_Row]:
    folder, start, end, seed, with_tools = job
    rows: list[_Row] = []
    for number, visit in enumerate(_visits(start, end, seed, with_tools), start + 1):
        text = visit.model_dump_json().encode()
        digest = hashlib.sha256(text).hexdigest()
        path = folder / "evidence" / digest[:2] / f"{digest}.json.gz"
        path.write_bytes(gzip.compress(text, compresslevel=6, mtime=0))
        target = visit.target
        record = target.model_dump_json(exclude_none=True)
        rows.append((number, target.key, record, target.site, visit.visit_id, visit.attempt, visit.outcome, digest))
    return rows


def _visits(start: int, end: int, seed: int, with_tools: float) -> Iterator[Visit]:
    for number in range(start, end):
        yield _visit(number, random.Random(f"{seed}-{number}"), with_tools)


def _visit(number: int, rng: random.Random, with_tools: float) -> Visit:
    host = f"{rng.choice(_WORDS)}-{rng.choice(_WORDS)}-{number * 7919 % 600_011:06d}.{rng.choice(_HOSTS)}"
    url = f"https://{host}/{rng.choice(_WORDS)}/{number:07d}"
    target = Target(url=url, project=f"{rng.choice(_WORDS)} {number}", source="https://gallery.example/")
    visit = Visit(
        visit_id=f"{RUN_ID}-{number + 1}-1",
        target=target,
        attempt=1,
        visited_at=_BEGAN + timedelta(milliseconds=250 * number),
        browser=_SHELL,
        outcome=Outcome.CAPTURED,
    )
    if rng.random() < NOT_CAPTURED:
        outcome = rng.choice(_FAILURES)
        asked = outcome is not Outcome.ROBOTS_DISALLOWED
        return visit.model_copy(
            update={
                "outcome": outcome,
                "outcome_detail": f"{outcome} on the way",
                "http_status": 503 if outcome is Outcome.HTTP_ERROR else None,
                "browser": _SHELL if asked else None,
            }
        )
    return visit.model_copy(update=_captured(url, host, rng, with_tools))


def _captured(url: str, host: str, rng: random.Random, with_tools: float) -> dict[str, object]:
    names = sorted({f"{rng.choice(_WORDS)}_{rng.choice(_WORDS)}" for _ in range(rng.randint(1, 12))})
    names = names if rng.random() < with_tools else []
    top_tools, own = names[: len(names) * 3 // 4 + 1], names[len(names) * 3 // 4 + 1 :]
    load = rng.randint(80, 4_000)
    return {
        "final_url": url,
        "http_status": 200,
        "headers": {"content-type": "text/html; charset=utf-8", "permissions-policy": "geolocation=()"},
        "load_event": LoadEvent.FIRED,
        "load_ms": load,
        "settled": Settled.YES,
        "settle_reason": "quiet",
        "settle_ms": load + 2_000,
        "views_stable": True,
        "browser_view": BrowserView.READ,
        "documents": _documents(url, host, top_tools, own),
        "browser_tools": (*(_tool(name, "top", host, rng) for name in top_tools),
                          *(_tool(name, "top.0", host, rng) for name in own)),
        "script_evidence": ScriptEvidence(names_api=bool(names), longest_timer_ms=rng.randint(0, 3_000)),
        "events": (Event(at_ms=0, what="commit", detail=url), Event(at_ms=load, what="load"),
                   Event(at_ms=load + 2_000, what="read", detail="quiet")),
    }  # fmt: skip


def _documents(url: str, host: str, top_tools: list[str], own: list[str]) -> tuple[Document, ...]:
    widget = f"https://widget.{host}"
    return (
        Document(
            frame="top", parent=None, url=url, origin=f"https://{host}", relation=Relation.TOP, secure=True,
            tools_policy=ToolsPolicy.ALLOWED, page_view=PageView.READ,
            tools=tuple(_item(name, "top", f"https://{host}") for name in top_tools),
        ),
        Document(
            frame="top.0", parent="top", url=f"{widget}/frame", origin=widget, relation=Relation.SAME_SITE,
            allow="tools", secure=True, tools_policy=ToolsPolicy.ALLOWED, page_view=PageView.READ,
            tools=tuple(_item(name, "top.0", widget) for name in own),
        ),
    )  # fmt: skip


def _schema(name: str) -> dict[str, object]:
    properties = {word: {"type": "string", "description": f"The {word} to {name}."} for word in name.split("_")}
    return {"type": "object", "properties": properties, "required": sorted(properties)}


def _item(name: str, frame: str, origin: str) -> PageTool:
    text = f"Use it to {name.replace('_', ' ')} on this page, whenever the user asks for that."
    return PageTool.model_validate(
        {"frame": frame, "name": name, "description": text, "input_schema": _schema(name), "origin": origin}
    )


def _tool(name: str, frame: str, host: str, rng: random.Random) -> BrowserTool:
    text = f"Use it to {name.replace('_', ' ')} on this page, whenever the user asks for that."
    return BrowserTool.model_validate(
        {
            "frame": frame, "name": name, "description": text, "input_schema": _schema(name), "kind": Kind.SCRIPT,
            "registered_by": f"https://{host}/app.js", "first_seen_ms": rng.randint(50, 3_000),
        }
    )  # fmt: skip
