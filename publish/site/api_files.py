"""The files of `api/v1`, each as JSON and, where a page of the site loads it, as a script too."""

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, JsonValue

from census.changes import Changes
from census.opened_release import Release
from census.summary import Rate
from publish.lookup.entry import Entry
from publish.lookup.shard_layout import Layout
from publish.lookup.shards import CrowdedHost, Shard, Shards, as_script
from publish.lookup.site_files import API, Index, NamedPage, Names, words
from publish.site.content import Content
from publish.site.entries import SitePages

SCHEMAS: dict[str, type[BaseModel]] = {
    "index": Index,
    "shard": Shard,
    "crowded-host": CrowdedHost,
    "names": Names,
    "entry": Entry,
}
"""The documented models of the files, by the names of their schemas."""


class ApiFiles:
    """Writes the files below a site's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / API
        for name in ("pages", "hosts", "entries", "schema"):
            (self._folder / name).mkdir(parents=True)

    def write_schemas(self) -> None:
        """Write the JSON Schema of each kind of file."""
        for name, model in SCHEMAS.items():
            schema = model.model_json_schema(mode="serialization")
            self._json(f"schema/{name}", json.dumps(schema, indent=1).encode())

    def write_shards(self, release: Release, versions: Sequence[str], pages: SitePages) -> Layout:
        """Write index and shards; returns how the pages were spread."""
        version = release.manifest.release_version
        shards = Shards(version, pages.shard_pages)
        for name, data in shards.files():
            self._both(name, data)
        index = Index(
            release=version,
            releases=tuple(versions),
            pages=len(pages.shard_pages),
            visited=pages.day,
            linted=release.manifest.lint is not None,
            prefix_length=shards.layout.prefix_length,
            split=tuple(sorted(shards.layout.split)),
            words=words(),
        )
        self._both("index", _compact(index.model_dump(mode="json")))
        return shards.layout

    def write_names(self, version: str, named: Iterable[NamedPage]) -> None:
        """Write what is searched by name."""
        names = Names(release=version, pages=tuple(named))
        self._both("names", _compact(names.model_dump(mode="json", exclude_none=True)))

    def write_entry(self, id_: str, entry: Entry) -> None:
        """Write the entry of a page with tools, compressed: it is a seventh of its size."""
        data = _compact(entry.model_dump(mode="json", exclude_none=True, exclude_defaults=True))
        (self._folder / f"entries/{id_}.json.gz").write_bytes(gzip.compress(data, mtime=0))

    def write_releases(self, content: Content) -> None:
        """Write the published rates of each release, what changed from each to the next, and what is not compared."""
        data: JsonValue = {
            "releases": [_release(each) for each in (content.newest, *content.earlier)],
            "changes": [_change(each) for each in content.changes],
            "left_out": [{"release": each.release_version, "schema": each.schema_version} for each in content.left_out],
        }
        self._both("releases", _compact(data))

    def _both(self, name: str, data: bytes) -> None:
        self._json(name, data)
        (self._folder / f"{name}.js").write_bytes(as_script(name, data))

    def _json(self, name: str, data: bytes) -> None:
        (self._folder / f"{name}.json").write_bytes(data)


def _compact(value: JsonValue) -> bytes:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c").encode()


def _release(release: Release) -> JsonValue:
    manifest = release.manifest
    return {
        "release": manifest.release_version,
        "schema": manifest.schema_version,
        "visited_from": manifest.visited_from.isoformat() if manifest.visited_from else None,
        "visited_to": manifest.visited_to.isoformat() if manifest.visited_to else None,
        "targets": manifest.targets,
        "partial": manifest.partial,
        "rates": {
            rate.id: {
                "title": rate.title,
                "k": rate.k,
                "n": rate.n,
                "rate": rate.rate,
                "low": rate.low,
                "high": rate.high,
            }
            for rate in release.summary.numbers
            if isinstance(rate, Rate)
        },
    }


def _change(changes: Changes) -> JsonValue:
    return {
        "from": changes.previous_version,
        "to": changes.release_version,
        "made_differently": list(changes.made_differently),
        "counts": dict(changes.counts),
        "adoption": changes.adoption.model_dump(mode="json") if changes.adoption else None,
    }
