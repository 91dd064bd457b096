"""What a page uses of WebMCP, as far as a visit or a manifest tells it: what the matrix is then asked about."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import JsonValue

from census.visit import TOP, Visit
from census.vocabulary import Kind, Relation
from measure.lint.manifest import Manifest, ManifestTool

_THROUGH_NAVIGATOR = "navigator.modelContext"
_OLD_METHODS = frozenset({"provideContext", "clearContext", "unregisterTool"})


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool, and what its build must accept."""

    name: str
    form: bool
    description: str
    schema: JsonValue
    relation: Relation
    """Its document's origin, seen from the top document's."""
    allowed: bool
    """Whether its frame's element has `allow` for tools."""
    again: bool = False
    """Whether an earlier tool of its document has its name."""


@dataclass(frozen=True, slots=True)
class PageUse:
    """What a page asks of a build. What is not known is None, and nothing is claimed about it."""

    tools: tuple[ToolUse, ...]
    through: frozenset[str] | None = None
    """The objects that its scripts take `modelContext` from: `document`, `navigator`."""
    old_methods: frozenset[str] = frozenset()
    """Methods of earlier drafts that its scripts call."""
    context: str | None = None
    """The behaviour that asks for pages of its sort of address: `contexts/https`."""
    keyed_off: bool = False
    """Whether its header turns the origin-keyed agent cluster off."""


def use_of_visit(visit: Visit, manifest: Manifest) -> PageUse:
    """What a visited page uses. Scripts that were not read may use anything, so that `through` is not known then."""
    frames = {document.frame: document for document in visit.documents}
    evidence = visit.script_evidence
    known = evidence is not None and not evidence.unread
    tools = []
    for tool in manifest.tools:
        document = frames.get(tool.frame or TOP)
        tools.append(
            _tool(
                tool,
                relation=document.relation if document else Relation.TOP,
                allowed="tools" in (document.allow or "") if document else False,
            )
        )
    return PageUse(
        tools=tuple(tools),
        through=_through(evidence.names_api, evidence.old_names) if known and evidence else None,
        old_methods=_OLD_METHODS.intersection(evidence.old_names) if evidence else frozenset(),
        context=_context(visit.final_url or visit.target.url),
        keyed_off=_keyed_off(visit.headers),
    )


def use_of_manifest(manifest: Manifest) -> PageUse:
    """What a manifest's tools use; whatever registers them is not in it."""
    seen: set[str] = set()
    tools = []
    for tool in manifest.tools:
        tools.append(_tool(tool, relation=Relation.TOP, allowed=False, again=tool.name in seen))
        seen.add(tool.name)
    return PageUse(tuple(tools))


def _tool(tool: ManifestTool, *, relation: Relation, allowed: bool, again: bool = False) -> ToolUse:
    form = tool.kind is Kind.FORM
    return ToolUse(tool.name, form, tool.description, tool.input_schema, relation, allowed, again)


def _through(names_api: bool, old_names: tuple[str, ...]) -> frozenset[str] | None:
    objects = {name for name, used in (("document", names_api), ("navigator", _THROUGH_NAVIGATOR in old_names)) if used}
    return frozenset(objects) or None


def _context(url: str) -> str | None:
    split = urlsplit(url)
    if split.scheme == "https":
        return "contexts/https"
    if split.scheme != "http":
        return None
    host = split.hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return "contexts/http-localhost"
    return "contexts/http-loopback" if host.startswith("127.") else "contexts/http"


def _keyed_off(headers: Mapping[str, str]) -> bool:
    return any(name.lower() == "origin-agent-cluster" and value.strip() == "?0" for name, value in headers.items())
