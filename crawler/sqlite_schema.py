"""The frontier's file: its tables, and how SQLite keeps it."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS sites (
    site TEXT PRIMARY KEY,
    due_at REAL NOT NULL DEFAULT 0,
    delay REAL NOT NULL DEFAULT 0,
    waiting INTEGER NOT NULL DEFAULT 0,
    fence INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sites_due ON sites (due_at, waiting DESC) WHERE leased = 0 AND waiting > 0;
CREATE TABLE IF NOT EXISTS targets (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    pass TEXT NOT NULL DEFAULT 'main',
    record TEXT NOT NULL,
    site TEXT NOT NULL REFERENCES sites (site),
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'finished')),
    due_at REAL NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    ours INTEGER NOT NULL DEFAULT 0,
    final_visit TEXT,
    UNIQUE (key, pass)
) STRICT;
CREATE INDEX IF NOT EXISTS targets_waiting ON targets (site, due_at, id) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS targets_inner ON targets (site) WHERE pass = 'inner';
CREATE TABLE IF NOT EXISTS visits (
    visit_id TEXT PRIMARY KEY,
    target_id INTEGER NOT NULL REFERENCES targets (id),
    attempt INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    evidence TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS controls (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS vouched (visit_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
"""

# Every commit is in the write-ahead log, in the kernel's hands, before it returns: a killed process loses nothing.
# The log goes into the file in larger parts than SQLite's own 4 MB, as each part is a pass over random pages and a
# flush; and what a million targets take fits into the cache. A commit writes whole pages, of which a row is a small
# part, so they have half the usual size.
PRAGMAS = """
PRAGMA page_size=2048;
PRAGMA journal_mode=WAL;
PRAGMA synchronous=NORMAL;
PRAGMA busy_timeout=5000;
PRAGMA wal_autocheckpoint=32000;
PRAGMA journal_size_limit=67108864;
PRAGMA cache_size=-131072;
PRAGMA temp_store=MEMORY;
"""
