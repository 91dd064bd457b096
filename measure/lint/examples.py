"""Short ways to write the example manifests of the rules."""

from datetime import UTC, datetime
from typing import Any

from census.vocabulary import Api, Settled
from measure.lint.manifest import Manifest, ManifestTool, PageFacts

VISITED = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def tool(name: str, description: str = "", properties: dict[str, Any] | None = None, **fields: Any) -> ManifestTool:
    """A tool with an object schema of these properties; `required` and other keywords of the root in `schema`."""
    schema = {"type": "object", "properties": properties or {}, **fields.pop("schema", {})}
    return ManifestTool(name, description, **{"input_schema": schema, **fields})


def manifest(*tools: ManifestTool) -> Manifest:
    """A manifest as it comes from a file."""
    return Manifest("example", tools)


def visited(*tools: ManifestTool, **facts: Any) -> Manifest:
    """A manifest as it comes from a visit."""
    values = {
        "visit_id": "example",
        "url": "https://shop.example/",
        "visited_at": VISITED,
        "build": "156.0.8078.108",
        "api": Api.NATIVE,
        "settled": Settled.YES,
        "settle_ms": 2_000,
        "views_stable": True,
    }
    return Manifest("example", tools, PageFacts(**{**values, **facts}))
